// The eight characters of Love Letter: number, name, what the card does, and an emblem.

import { svg } from "./dom.js";

const LINE = { "stroke-linejoin": "round", "stroke-linecap": "round", stroke: "#2b2320", "stroke-width": 3 };
const path = (d, fill, more = {}) => svg("path", { d, fill, ...LINE, ...more });
const line = (d, more = {}) => svg("path", { d, ...LINE, fill: "none", ...more });
const dot = (x, y, r, fill, more = {}) => svg("circle", { cx: x, cy: y, r, fill, ...LINE, ...more });
const GOLD = "#e6b544";
const STEEL = "#cbd3d9";

// Each emblem is drawn around (0, 0), within 80 units to each side.

/** A helmet before two crossed halberds. */
function guard() {
  const halberd = (side) =>
    svg(
      "g",
      { transform: `scale(${side} 1) rotate(34)` },
      line("M0 86V-58", { "stroke-width": 8 }),
      line("M0 86V-58", { "stroke-width": 3.6, stroke: "#b07f45" }),
      path("M0-88L8-56H-8ZM6-54C26-58 30-38 30-22C20-32 14-32 6-28ZM-6-50L-22-56V-32L-6-38Z", STEEL),
    );
  return [
    halberd(1),
    halberd(-1),
    path("M-6-44C-2-74 26-78 40-62C26-62 20-54 10-42Z", "#a92732"),
    path("M-40 22C-44-26-22-46 0-46C22-46 44-26 40 22C40 44 20 58 0 64C-20 58-40 44-40 22Z", STEEL),
    path("M-32-2C-14-10 14-10 32-2L28 12C12 6-12 6-28 12Z", "#2b2320"),
    line("M0-46V-8M0 12V62", { "stroke-width": 4 }),
    ...[-20, -10, 10, 20].map((x) => line(`M${x} 26V44`, { "stroke-width": 4 })),
  ];
}

/** An eye that looks through a pointed window. */
function priest() {
  const rays = [-40, -20, 0, 20, 40].map((turn) => line("M0-44V-58", { stroke: GOLD, "stroke-width": 5, transform: `rotate(${turn})` }));
  return [
    path("M-56 76V-8C-56-44-26-70 0-88C26-70 56-44 56-8V76Z", "#d8eeec"),
    path("M-46 66V-6C-46-36-20-60 0-74C20-60 46-36 46-6V66Z", "#1d6a6e"),
    ...rays,
    path("M-40 6C-24-24 24-24 40 6C24 34-24 34-40 6Z", "#fff8e8"),
    dot(0, 5, 15, "#2f9a94"),
    dot(0, 5, 6, "#14272b"),
    dot(5, 0, 2.6, "#ffffff", { stroke: "none" }),
    line("M-46 48H46M0 48V66", { stroke: "#d8eeec", "stroke-width": 5 }),
  ];
}

/** Two swords crossed: the duel. */
function baron() {
  const sword = (side) =>
    svg(
      "g",
      { transform: `scale(${side} 1) rotate(40)` },
      path("M0-94L9-76V34H-9V-76Z", "#e3eaee"),
      line("M0-76V30", { "stroke-width": 1.8 }),
      path("M-28 32C-14 26 14 26 28 32L26 43C12 38-12 38-26 43Z", GOLD),
      path("M-6 41H6V70H-6Z", "#6b3a24"),
      dot(0, 78, 9, GOLD),
    );
  return [
    svg("circle", { cx: 0, cy: 2, r: 58, fill: "none", stroke: "#2f6b45", "stroke-width": 8, opacity: 0.35 }),
    sword(-1),
    sword(1),
    path("M0-16L14 0L0 16L-14 0Z", "#2f7a4b"),
  ];
}

/** An open fan that hides who holds it. */
function handmaid() {
  const ribs = [-64, -48, -32, -16, 0, 16, 32, 48, 64];
  const blade = (turn, i) =>
    path("M0 0L-13-98C-5-107 5-107 13-98Z", i % 2 ? "#f4f8ff" : "#8fb6e8", { transform: `translate(0 54) rotate(${turn})`, "stroke-width": 2.4 });
  return [
    ...ribs.map(blade),
    line("M-49 10A66 66 0 0 1 49 10", { stroke: "#244f8f", "stroke-width": 5 }),
    path("M0 56L-8 30H8Z", "#244f8f"),
    dot(0, 56, 9, GOLD),
    line("M0 65C-6 74 6 78 0 88", { stroke: "#a92732", "stroke-width": 4 }),
    // A rose on it.
    dot(0, -14, 15, "#cf4d63"),
    line("M-8-16C-4-26 8-24 7-15C6-7-5-8-4-15C-3-19 2-18 2-15", { stroke: "#7b1f33", "stroke-width": 2.6 }),
  ];
}

/** A coronet with three feathers. */
function prince() {
  const feather = (turn, height) =>
    svg(
      "g",
      { transform: `translate(0 18) rotate(${turn})` },
      path(`M0 0C-24-30-26-${height - 20} -6-${height}C18-${height + 2} 20-${height - 26} 22-${height - 34}C16-${height - 30} 14-30 0 0Z`, "#efe6fa"),
      line(`M0-4C-6-36-4-${height - 24} 2-${height - 10}`, { "stroke-width": 2, stroke: "#6d4a94" }),
    );
  return [
    feather(-34, 84),
    feather(34, 84),
    feather(0, 104),
    path("M-54 58L-60 6L-30 32L0-2L30 32L60 6L54 58Z", GOLD),
    path("M-56 56H56V78H-56Z", "#7a4aa8"),
    ...[-36, 0, 36].map((x) => path(`M${x} 59L${x + 8} 67L${x} 75L${x - 8} 67Z`, "#f6e3a4", { "stroke-width": 2 })),
    ...[[-60, 2], [0, -6], [60, 2]].map(([x, y]) => dot(x, y, 7, "#7a4aa8")),
  ];
}

/** A great crown with arches, orb and cross. */
function king() {
  return [
    path("M-64 52C-86 0-54-34-22-34C-6-34 0-22 0-10C0-22 6-34 22-34C54-34 86 0 64 52Z", "#a92732"),
    path("M-64 52C-78 12-58-22-30-26C-46-6-46 28-40 52ZM64 52C78 12 58-22 30-26C46-6 46 28 40 52Z", GOLD),
    path("M-12 52C-16 12-10-16 0-30C10-16 16 12 12 52Z", GOLD),
    ...[[-60, 16], [-52, -4], [60, 16], [52, -4], [0, 4], [0, 26]].map(([x, y]) => dot(x, y, 4.4, "#fff6dd", { "stroke-width": 2 })),
    path("M-70 50C-30 40 30 40 70 50L66 78C30 70-30 70-66 78Z", GOLD),
    ...[[-44, 62, "#2f6fb0"], [-15, 58, "#a92732"], [15, 58, "#2f7a4b"], [44, 62, "#2f6fb0"]].map(([x, y, fill]) => dot(x, y, 6.4, fill, { "stroke-width": 2 })),
    dot(0, -42, 13, "#f2d27c"),
    path("M-5-56V-66H-14V-76H-5V-86H5V-76H14V-66H5V-56Z", GOLD),
  ];
}

/** A mask on a stick. */
function countess() {
  return [
    line("M58 14L34 96", { "stroke-width": 9 }),
    line("M58 14L34 96", { "stroke-width": 4.4, stroke: GOLD }),
    path("M-4-30C-24-80-70-84-78-56C-60-66-48-50-36-34ZM4-30C24-80 70-84 78-56C60-66 48-50 36-34Z", "#e7b7c4"),
    path("M0-34C-6-78 6-92 16-92C12-74 14-52 10-34Z", "#f6dfe5"),
    path("M-76-30C-50-44-22-36 0-24C22-36 50-44 76-30C82 12 56 40 30 34C14 30 8 14 0 12C-8 14-14 30-30 34C-56 40-82 12-76-30Z", "#9c1f3b"),
    path("M-56-8C-44-24-24-16-16 0C-26 16-50 14-56-8ZM56-8C44-24 24-16 16 0C26 16 50 14 56-8Z", "#fbe9dd"),
    path("M-10-22L0-38L10-22L0-8Z", GOLD),
    ...[-62, -50, 50, 62].map((x) => dot(x, x % 4 ? 20 : -26, 3.2, GOLD, { "stroke-width": 1.6 })),
  ];
}

/** A letter with a seal, and a tiara on it. */
function princess() {
  return [
    path("M-66 0H66V80H-66Z", "#fff6e6"),
    line("M-66 80L-10 34M66 80L10 34", { "stroke-width": 2.4 }),
    path("M-66 0L0 50L66 0Z", "#fbe6d2"),
    path("M0 76C-8 64-28 52-28 36C-28 20-6 18 0 32C6 18 28 20 28 36C28 52 8 64 0 76Z", "#cc2f55"),
    path("M0 66C-5 58-17 50-17 40C-17 32-4 31 0 39C4 31 17 32 17 40C17 50 5 58 0 66Z", "none", { stroke: "#f7b7c5", "stroke-width": 2.4 }),
    path("M-56-8C-58-38-46-52-42-60C-36-48-28-42-22-40C-16-58-6-72 0-86C6-72 16-58 22-40C28-42 36-48 42-60C46-52 58-38 56-8C20-22-20-22-56-8Z", GOLD),
    path("M0-62C6-54 8-48 0-40C-8-48-6-54 0-62Z", "#e2608a", { "stroke-width": 2.4 }),
    ...[[-42, -62], [42, -62], [0, -90]].map(([x, y]) => dot(x, y, 5, "#fff6e6", { "stroke-width": 2 })),
    ...[-34, -17, 17, 34].map((x) => dot(x, -26, 3.4, "#fff6e6", { "stroke-width": 1.6 })),
  ];
}

/** By name: number, colour, pale ground, emblem, and what it does in lines that fit the card. */
export const CHARACTERS = {
  guard: { number: 1, colour: "#4d5a66", ground: "#e6e9ea", emblem: guard, lines: ["Name a player and", "a card. If he holds it,", "he is out."] },
  priest: { number: 2, colour: "#14696c", ground: "#d9ecea", emblem: priest, lines: ["See the card of", "another player."] },
  baron: { number: 3, colour: "#28633e", ground: "#dcebdd", emblem: baron, lines: ["Compare your card with", "a player's. The lower", "one is out."] },
  handmaid: { number: 4, colour: "#234f93", ground: "#dde8f6", emblem: handmaid, lines: ["Until your next turn", "nobody can name you."] },
  prince: { number: 5, colour: "#653a96", ground: "#e9e0f3", emblem: prince, lines: ["A player, or you,", "discards his card and", "draws another."] },
  king: { number: 6, colour: "#83580b", ground: "#f7ecc9", emblem: king, lines: ["Trade your card with", "another player's."] },
  countess: { number: 7, colour: "#8e1b36", ground: "#f5dfe0", emblem: countess, lines: ["Must be played if you", "hold the Prince or", "the King too."] },
  princess: { number: 8, colour: "#b3245e", ground: "#fbe1ec", emblem: princess, lines: ["Whoever plays or", "discards her is out."] },
};

export const isCharacter = (text) => Object.hasOwn(CHARACTERS, text);

/** The face of a character; small ones have a larger emblem instead of the words. */
export function letterFace(name, small) {
  const { number, colour, ground, emblem, lines } = CHARACTERS[name];
  const centre = small ? 158 : 126;
  const size = small ? 1.08 : 0.88;
  const banner = small ? 272 : 208;
  const label = name.charAt(0).toUpperCase() + name.slice(1);
  return svg(
    "g",
    {},
    svg("rect", { x: 2, y: 2, width: 236, height: 332, rx: 20, class: "paper" }),
    svg("rect", { x: 13, y: 13, width: 214, height: 310, rx: 12, fill: ground, stroke: colour, "stroke-width": 3 }),
    small ? null : svg("circle", { cx: 120, cy: centre, r: 78, fill: "#ffffff", opacity: 0.45 }),
    svg("g", { transform: `translate(120 ${centre}) scale(${size})` }, emblem()),
    svg("rect", { x: 13, y: banner, width: 214, height: small ? 51 : 38, rx: small ? 12 : 0, fill: colour }),
    svg("text", { x: 120, y: banner + (small ? 37 : 28), class: "name", "text-anchor": "middle", "font-size": small ? 39 : 30 }, label),
    small
      ? null
      : lines.map((words, i) =>
          svg("text", { x: 120, y: 269 + 21 * i + (lines.length < 3 ? 11 : 0), class: "effect", "text-anchor": "middle" }, words)),
    svg("circle", { cx: 42, cy: 42, r: 33, fill: colour, class: "medal" }),
    svg("text", { x: 42, y: 58, class: "number", "text-anchor": "middle" }, String(number)),
  );
}
