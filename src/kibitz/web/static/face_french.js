// The faces of French cards, drawn by paths: 240 by 336 units, pips, and court cards that are the
// same from both ends.

import { svg } from "./dom.js";

export const SUITS = {
  h: "M0 46C-12 28-46 8-46-19C-46-36-34-46-22-46C-11-46-3-39 0-29C3-39 11-46 22-46C34-46 46-36 46-19C46 8 12 28 0 46Z",
  d: "M0-50C9-31 22-14 37 0C22 14 9 31 0 50C-9 31-22 14-37 0C-22-14-9-31 0-50Z",
  s: "M0-50C9-32 45-14 45 12C45 27 34 35 22 35C14 35 8 31 4 25C5 36 9 44 17 50H-17C-9 44-5 36-4 25C-8 31-14 35-22 35C-34 35-45 27-45 12C-45-14-9-32 0-50Z",
  c: "M0-50A22 22 0 0 1 17-14A23 23 0 1 1 4 20C5 33 9 44 17 50H-17C-9 44-5 33-4 20A23 23 0 1 1-17-14A22 22 0 0 1 0-50Z",
};

const RED = "#b4232f";
const BLACK = "#1f262d";
export const colourOf = (suit) => (suit === "h" || suit === "d" ? RED : BLACK);

const LEFT = 82;
const MIDDLE = 120;
const RIGHT = 158;
const ROWS = { 2: [70, 266], 3: [70, 168, 266], 4: [70, 135.3, 200.7, 266] };

function pips(rank) {
  const columns = (rows) => rows.flatMap((y) => [[LEFT, y], [RIGHT, y]]);
  const middle = (...rows) => rows.map((y) => [MIDDLE, y]);
  switch (rank) {
    case "2": return middle(...ROWS[2]);
    case "3": return middle(...ROWS[3]);
    case "4": return columns(ROWS[2]);
    case "5": return [...columns(ROWS[2]), ...middle(168)];
    case "6": return columns(ROWS[3]);
    case "7": return [...columns(ROWS[3]), ...middle(119)];
    case "8": return [...columns(ROWS[3]), ...middle(119, 217)];
    case "9": return [...columns(ROWS[4]), ...middle(168)];
    default: return [...columns(ROWS[4]), ...middle(102.5, 233.5)];
  }
}

const pip = (suit, x, y, size, turned = false, fill = colourOf(suit)) =>
  svg("path", {
    d: SUITS[suit],
    fill,
    transform: `translate(${x} ${y}) scale(${size / 100})${turned ? " rotate(180)" : ""}`,
  });

function corner(rank, suit) {
  const narrow = rank === "10" ? { textLength: 46, lengthAdjust: "spacingAndGlyphs" } : {};
  return [
    svg("text", { x: 31, y: 60, class: "rank", "text-anchor": "middle", fill: colourOf(suit), ...narrow }, rank),
    pip(suit, 31, 91, 36),
  ];
}

// -- court cards ---------------------------------------------------------------------------

/** What a court card of a suit wears: robe, sleeves, lining, hair. */
const CLOTHES = {
  h: { robe: "#a92732", sleeve: "#24426b", lining: "#f0c75e", hair: "#8a5a2b" },
  d: { robe: "#c0622d", sleeve: "#7d1f33", lining: "#f3d27a", hair: "#d0a14a" },
  s: { robe: "#22365c", sleeve: "#8f2432", lining: "#e3bd58", hair: "#3a2c26" },
  c: { robe: "#1f5b49", sleeve: "#5b2a5c", lining: "#e9c868", hair: "#5c3a22" },
};
const SKIN = "#f3d9b8";
const LINE = { stroke: "#2a2320", "stroke-width": 2.2, "stroke-linejoin": "round", "stroke-linecap": "round" };
const path = (d, fill, more = {}) => svg("path", { d, fill, ...LINE, ...more });
const line = (d, more = {}) => svg("path", { d, ...LINE, fill: "none", ...more });
const dot = (x, y, r, fill, more = {}) => svg("circle", { cx: x, cy: y, r, fill, ...LINE, ...more });

/** Head and shoulders: they stand on the line y = 168, where the other half begins. */
function body(clothes) {
  return [
    path("M58 168C62 138 84 128 104 124H136C156 128 178 138 182 168Z", clothes.robe),
    path("M58 168C60 150 68 141 80 135L96 168ZM182 168C180 150 172 141 160 135L144 168Z", clothes.sleeve),
    path("M104 124L120 168L136 124Z", clothes.lining),
    line("M110 124L120 152L130 124", { stroke: clothes.robe }),
    ...[70, 80].flatMap((x, i) => [dot(x, 160 - 9 * i, 2.6, clothes.lining), dot(240 - x, 160 - 9 * i, 2.6, clothes.lining)]),
    path("M110 108H130V126C126 132 114 132 110 126Z", SKIN),
  ];
}

function face() {
  return [
    path("M99 84C99 66 141 66 141 84C141 106 131 118 120 118C109 118 99 106 99 84Z", SKIN),
    line("M106 86C109 83 113 83 115 86M125 86C127 83 131 83 134 86", { "stroke-width": 2 }),
    svg("circle", { cx: 111, cy: 90, r: 2, fill: "#2a2320" }),
    svg("circle", { cx: 129, cy: 90, r: 2, fill: "#2a2320" }),
    line("M120 89L118 99H121", { "stroke-width": 1.6 }),
  ];
}

const mouth = () => line("M114 106C117 109 123 109 126 106", { stroke: "#a3353a", "stroke-width": 2.4 });

function king(clothes, suit) {
  return [
    // A sceptre with the suit on it behind the shoulder.
    line("M168 166V74", { "stroke-width": 5.5, stroke: "#2a2320" }),
    line("M168 166V74", { "stroke-width": 2.6, stroke: clothes.lining }),
    pip(suit, 168, 62, 24),
    path("M92 82C84 104 92 122 104 128L136 128C148 122 156 104 148 82Z", clothes.hair),
    ...body(clothes),
    ...face(),
    path("M99 92C100 116 108 134 120 136C132 134 140 116 141 92C138 103 130 103 126 101C122 99 118 99 114 101C110 103 102 103 99 92Z", clothes.hair),
    line("M115 108C118 110 122 110 125 108", { stroke: "#a3353a", "stroke-width": 2.4 }),
    path("M94 76L90 44L106 60L120 38L134 60L150 44L146 76C130 70 110 70 94 76Z", "#e8b83c"),
    ...[[90, 42], [120, 36], [150, 42]].map(([x, y]) => dot(x, y, 4.4, clothes.robe)),
    line("M97 70C112 65 128 65 143 70", { stroke: clothes.robe, "stroke-width": 3 }),
  ];
}

function queen(clothes, suit) {
  return [
    path("M94 78C82 104 80 130 90 146C98 138 104 134 106 124L134 124C136 134 142 138 150 146C160 130 158 104 146 78Z", clothes.hair),
    ...body(clothes),
    dot(120, 140, 5, clothes.robe),
    line("M106 127C112 138 128 138 134 127", { stroke: "#fff6dd", "stroke-width": 3.4, "stroke-dasharray": "0.1 6" }),
    ...face(),
    mouth(),
    path("M98 86C98 66 142 66 142 86C136 76 126 74 120 74C114 74 104 76 98 86Z", clothes.hair),
    path("M99 68C98 58 101 52 108 48C110 54 114 56 120 44C126 56 130 54 132 48C139 52 142 58 141 68C128 62 112 62 99 68Z", "#e8b83c"),
    ...[[108, 46], [120, 42], [132, 46]].map(([x, y]) => dot(x, y, 3.4, "#fff6dd")),
    // A flower in her hand.
    line("M70 166C70 140 70 124 70 104", { stroke: "#3d6b3c", "stroke-width": 3.4 }),
    path("M70 130C60 128 58 120 60 114C67 116 70 122 70 130Z", "#5c8f55"),
    ...[0, 72, 144, 216, 288].map((turn) =>
      svg("ellipse", { cx: 70, cy: 84, rx: 6, ry: 8.6, fill: clothes.sleeve, ...LINE, "stroke-width": 1.6, transform: `rotate(${turn} 70 93)` })),
    dot(70, 93, 4.6, "#e8b83c"),
    pip(suit, 170, 108, 22),
  ];
}

function jack(clothes, suit) {
  return [
    // A halberd.
    line("M70 166V58", { "stroke-width": 6, stroke: "#2a2320" }),
    line("M70 166V58", { "stroke-width": 3, stroke: "#a9793f" }),
    path("M70 40L76 62H64ZM74 66C88 62 90 78 90 88C84 82 80 82 74 84ZM66 70L56 66V82L66 78Z", "#c9d1d6"),
    path("M96 80C88 100 90 114 98 120H142C150 114 152 100 144 80Z", clothes.hair),
    ...body(clothes),
    ...face(),
    mouth(),
    path("M97 92C96 76 104 70 112 71C122 74 132 70 143 92C148 66 132 58 120 58C106 58 94 68 97 92Z", clothes.hair),
    path("M90 70C92 50 106 46 122 46C140 46 152 54 152 68C132 60 112 62 90 70Z", clothes.sleeve),
    path("M90 71C112 61 134 60 153 69L152 75C132 67 112 69 91 77Z", clothes.lining),
    path("M140 52C148 34 164 34 174 44C164 44 162 52 152 58Z", "#f4ecd8"),
    line("M146 54C154 46 162 42 170 43", { "stroke-width": 1.6 }),
    pip(suit, 170, 112, 22),
  ];
}

const COURT = { J: jack, Q: queen, K: king };

function court(rank, suit) {
  const clothes = CLOTHES[suit];
  const half = () => COURT[rank](clothes, suit);
  const window = { x: 56, y: 28, width: 128, height: 280, rx: 9 };
  const clip = `court-${rank}${suit}`;
  return [
    svg("rect", { ...window, fill: suit === "h" || suit === "d" ? "#fbeed6" : "#eef0ea" }),
    svg("clipPath", { id: clip }, svg("rect", { x: 57, y: 29, width: 126, height: 139 })),
    svg("g", { "clip-path": `url(#${clip})` }, half()),
    svg("g", { transform: "rotate(180 120 168)" }, svg("g", { "clip-path": `url(#${clip})` }, half())),
    svg("path", { d: "M57 168H183", stroke: clothes.lining, "stroke-width": 5 }),
    svg("path", { d: "M57 165H183M57 171H183", stroke: "#2a2320", "stroke-width": 1.4 }),
    svg("rect", { ...window, fill: "none", stroke: clothes.robe, "stroke-width": 2.6 }),
    svg("rect", { x: 51, y: 23, width: 138, height: 290, rx: 12, fill: "none", stroke: "#d9b65a", "stroke-width": 2 }),
  ];
}

function ace(suit) {
  const colour = colourOf(suit);
  const ring = [0, 45, 90, 135, 180, 225, 270, 315].map((turn) =>
    svg("path", { d: "M120 92C114 84 114 76 120 68C126 76 126 84 120 92Z", fill: "none", stroke: "#cfa949", "stroke-width": 2.4, transform: `rotate(${turn} 120 168)` }));
  return [
    svg("circle", { cx: 120, cy: 168, r: 74, fill: "none", stroke: "#cfa949", "stroke-width": 2 }),
    ...ring,
    pip(suit, 120, 168, 104, false, colour),
  ];
}

/** The face of a card such as `Qh`. */
export function frenchFace(text) {
  const rank = text.slice(0, -1);
  const suit = text.slice(-1);
  const index = () => corner(rank, suit);
  const inside =
    rank in COURT ? court(rank, suit)
    : rank === "A" ? ace(suit)
    : pips(rank).map(([x, y]) => pip(suit, x, y, 44, y > 168));
  return svg(
    "g",
    {},
    svg("rect", { x: 2, y: 2, width: 236, height: 332, rx: 20, class: "paper" }),
    inside,
    index(),
    svg("g", { transform: "rotate(180 120 168)" }, index()),
  );
}

export const isFrench = (text) => /^(?:[A2-9JQK]|10)[cdhs]$/.test(text);
