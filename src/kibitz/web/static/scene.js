// The table, drawn from a scene alone: seats around it, zones with cards, figures and marks.
// A scene is described in kibitz/core/scene.py.

import { boardElement } from "./board.js";
import { cardButton, cardElement } from "./cards.js";
import { capitalized, count, el, svg } from "./dom.js";

/** What the zones and seats of a drawing are called: `hand of seat 2` is `hand-2`. */
export const zoneId = (zone) => `${zone.name}-${zone.seat ?? "table"}`;

/** Names of strategies that would be read as something else. */
const SHOWN = { human: "Human-like" };

/** With all cards open nobody sits in the scene: then the names tell. */
const isYou = (scene, names, seat) => scene.seats[seat - 1].you || names?.[seat - 1] === "you";

/** Who sits there, for a person: `You`, `Greedy`, or with the seat if others are called the same. */
export function seatName(scene, names, seat) {
  if (isYou(scene, names, seat)) return "You";
  const short = names?.map((name) => name.split(":")[0]) ?? [];
  const name = short[seat - 1];
  if (!name || name === "person") return `Seat ${seat}`;
  return (SHOWN[name] ?? capitalized(name)) + (short.filter((other) => other === name).length > 1 ? ` ${seat}` : "");
}

const YOUR_VERBS = { is: "are", was: "were", has: "have", passes: "pass" };
const VERB = "(is|was|has|passes|wins|loses|begins|takes|lays|plays|shows|sees|holds|rolls|discards|draws)";

/** What the server says of `seat 2`, with the name that stands beside the seat: `Greedy lays 5♣`. */
export function named(words, scene, names) {
  const pattern = new RegExp(`\\bseat (\\d+)('s)?(?: \\((?:you|your partner)\\))?(?: ${VERB}\\b)?`, "gi");
  const put = words.replace(pattern, (all, seat, owns, verb) => {
    const one = scene.seats[seat - 1];
    if (!one) return all;
    const [name, does] = isYou(scene, names, seat)
      ? [owns ? "your" : "you", verb && (YOUR_VERBS[verb] ?? verb.replace(/s$/, ""))]
      : [seatName(scene, names, Number(seat)).replace(/^Seat/, "seat") + (owns ?? ""), verb];
    return does ? `${name} ${does}` : name;
  });
  return put.replace(/([.?!] )([a-z])/g, (all, end, letter) => end + letter.toUpperCase());
}

const ICONS = {
  shield: "M12 2L20 5V11C20 16 17 20 12 22C7 20 4 16 4 11V5Z",
  star: "M12 2L15 9L22 9.6L16.6 14.3L18.3 21.4L12 17.6L5.7 21.4L7.4 14.3L2 9.6L9 9Z",
};
const icon = (name) => svg("svg", { class: "icon", viewBox: "0 0 24 24", "aria-hidden": "true" }, svg("path", { d: ICONS[name], fill: "currentColor" }));

class Drawing {
  constructor({ scene, names, levels, happened, thinking }, options) {
    this.scene = scene;
    this.names = names;
    this.levels = levels ?? [];
    this.happened = happened ?? [];
    this.thinking = thinking;
    this.choosable = options.choosable ?? (() => false);
    this.quiet = options.quiet ?? false;
    this.seen = new Map();
  }

  /** A key for a card that stays the same from scene to scene, as far as cards can be told. */
  key(text) {
    const number = (this.seen.get(text) ?? 0) + 1;
    this.seen.set(text, number);
    return `${text}#${number}`;
  }

  cards(zone, { small = false, class: kind = "" } = {}) {
    const choosable = this.choosable(zone);
    const shown = zone.cards.map((card) => {
      const key = this.key(card.text);
      return choosable ? cardButton(card, { key, small }) : cardElement(card, { key, small });
    });
    const hidden = Array.from({ length: zone.hidden }, (_, i) => cardElement(null, { key: `${zoneId(zone)}?${i}`, small }));
    const all = [...shown, ...hidden];
    return el("div", { class: `cards ${kind}`, data: { zone: zoneId(zone) }, vars: { count: all.length }, role: "group", "aria-label": this.zoneLabel(zone) }, all);
  }

  zoneLabel(zone) {
    const whose = zone.seat ? `${seatName(this.scene, this.names, zone.seat)}: ` : "";
    const size = zone.cards.length + zone.hidden;
    return `${whose}${zone.label.toLowerCase()}, ${count(size, "card")}`;
  }

  // -- seats -------------------------------------------------------------------------------

  seat(one) {
    const { scene } = this;
    const zones = scene.zones.filter((zone) => zone.seat === one.seat);
    const own = one.seat === scene.seat;
    const marks = [one.to_move && "to-move", one.out && "out", one.won && "won", one.protected && "protected", own && "own", one.partner && "partner"];
    return el(
      "section",
      { class: ["seat", ...marks].filter(Boolean).join(" "), data: { seat: one.seat }, "aria-label": seatName(scene, this.names, one.seat) },
      this.plate(one),
      this.bubble(one),
      el("div", { class: "holding" }, zones.filter((zone) => zone.name === "hand").map((zone) => this.hand(zone, own))),
      el("div", { class: "shown" }, zones.filter((zone) => zone.name !== "hand").map((zone) => this.laidDown(zone, own))),
    );
  }

  plate(one) {
    const { scene, names } = this;
    const name = seatName(scene, names, one.seat);
    const badges = [
      one.to_move && !scene.over && el("span", { class: "badge turn" }, this.thinking === one.seat ? "thinking" : "to play"),
      one.protected && el("span", { class: "badge" }, icon("shield"), "protected"),
      one.out && el("span", { class: "badge" }, "out"),
      one.won && el("span", { class: "badge winner" }, icon("star"), "won"),
      one.partner && el("span", { class: "badge" }, "your partner"),
      one.captured_last && !scene.over && el("span", { class: "badge", title: "Gets what is left on the table at the end" }, "took last"),
    ];
    const figures = one.details
      .filter((detail) => detail.text)
      .map((detail) => el("span", { class: "figure", data: { detail: detail.name } }, detail.text));
    if (one.total !== null && one.total !== one.points) figures.push(el("span", { class: "figure", data: { detail: "total" } }, `${one.total} in all`));
    const hand = scene.zones.find((zone) => zone.name === "hand" && zone.seat === one.seat);
    const known = one.facts.filter((fact) => !one.you && hand?.hidden && (fact.holds.length || fact.lacks.length));
    return el(
      "div",
      { class: "plate" },
      el("span", { class: "avatar", "aria-hidden": "true" }, one.mark || String(one.seat)),
      el(
        "div",
        { class: "about" },
        el("div", { class: "who", title: names?.[one.seat - 1] }, el("strong", {}, name), name !== "You" && !name.endsWith(` ${one.seat}`) ? el("span", { class: "where" }, this.levels[one.seat - 1] ?? `seat ${one.seat}`) : null, badges),
        figures.length || known.length
          ? el("div", { class: "figures" }, figures, known.map((fact) => el("span", { class: "figure known", title: fact.why }, knownWords(fact))))
          : null,
      ),
    );
  }

  /** The last thing that this seat did since the viewer's last play. */
  bubble(one) {
    if (this.quiet || one.seat === this.scene.seat) return null;
    const last = this.happened.filter((item) => item.seat === one.seat).at(-1);
    return last ? el("p", { class: "bubble" }, capitalized(this.named(withoutSeat(last.words)))) : null;
  }

  named(words) {
    return named(words, this.scene, this.names);
  }

  /** The same in one place, where the seats have no room for bubbles. */
  recent() {
    if (this.quiet) return null;
    const others = this.happened.filter((item) => item.seat && item.seat !== this.scene.seat);
    return others.length ? el("ul", { class: "recent" }, others.map((item) => el("li", {}, capitalized(this.named(item.words))))) : null;
  }

  hand(zone, own) {
    const peeked = !own && !zone.public && zone.cards.length > 0 && this.scene.seats.some((one) => one.you);
    return el("div", { class: `hand${peeked ? " peeked" : ""}` }, this.cards(zone, { small: !own, class: own ? "row" : "fan" }), peeked ? el("span", { class: "caption" }, "only you know") : null);
  }

  laidDown(zone, own) {
    if (zone.name === "pile") return this.pile(zone);
    const empty = zone.cards.length + zone.hidden === 0;
    return el("div", { class: `laid zone-${zone.name}` }, this.cards(zone, { small: true, class: "overlap" }), empty && own ? null : el("span", { class: "caption" }, empty ? "" : zone.label));
  }

  /** Captured cards: a heap that can be looked through, since everybody knows what is in it. */
  pile(zone) {
    const size = zone.cards.length + zone.hidden;
    const top = zone.cards.slice(-3).map((card) => cardElement(card, { small: true, key: this.key(card.text) }));
    for (const card of zone.cards.slice(0, -3)) this.key(card.text);
    const label = size ? `Look through ${count(size, "captured card")}` : "No captured cards";
    return el(
      "button",
      { type: "button", class: "pile", data: { zone: zoneId(zone), cards: JSON.stringify(zone.cards.map(({ text, label: words }) => ({ text, label: words }))) }, "aria-label": `${seatName(this.scene, this.names, zone.seat)}: ${label}`, disabled: size === 0 },
      el("span", { class: "heap" }, top.length ? top : el("span", { class: "place" })),
    );
  }

  // -- the middle --------------------------------------------------------------------------

  middle() {
    const { scene } = this;
    const free = scene.zones.filter((zone) => zone.seat === null && !(scene.over && zone.cards.length + zone.hidden === 0));
    const stock = free.filter((zone) => zone.name !== "table");
    const spread = free.filter((zone) => zone.name === "table");
    const notes = scene.notes.filter((note) => note.text);
    return el(
      "div",
      { class: "middle" },
      stock.length ? el("div", { class: "stock" }, stock.map((zone) => this.stack(zone))) : null,
      spread.map((zone) => {
        const size = zone.cards.length;
        return el("div", { class: `spread${size ? "" : " bare"}`, data: { crowd: size > 12 ? "many" : size > 8 ? "some" : "few" } }, this.cards(zone, { class: "row" }), size ? null : el("span", { class: "empty" }, "the table is empty"));
      }),
      scene.board ? boardElement(scene) : null,
      notes.length ? el("div", { class: "notes" }, notes.map((note) => el("p", { class: note.quiet ? "quiet" : "" }, note.label ? `${note.label}: ` : "", this.named(note.text)))) : null,
      this.recent(),
    );
  }

  stack(zone) {
    const size = zone.cards.length + zone.hidden;
    if (zone.name !== "deck") {
      return el("div", { class: `laid zone-${zone.name}` }, this.cards(zone, { small: true, class: "row" }), el("span", { class: "caption" }, zone.label));
    }
    const layers = Array.from({ length: Math.min(4, Math.ceil(size / 4)) }, () => cardElement(null));
    return el("div", { class: "deck", data: { zone: zoneId(zone) }, role: "img", "aria-label": `Deck: ${count(size, "card")} left` }, el("span", { class: "heap" }, layers.length ? layers : el("span", { class: "place" })), zone.in_details && size ? null : el("span", { class: "caption" }, size ? `${size} left` : "deck empty"));
  }

  draw() {
    const { seats, seat } = this.scene;
    const around = seats.map((_, i) => seats[(seat + i) % seats.length]);
    const own = around.pop();
    return {
      opponents: el("div", { class: "opponents", data: { seats: around.length } }, around.map((one) => this.seat(one))),
      middle: this.middle(),
      own: this.seat(own),
    };
  }
}

/** `seat 2 lays J♦. A new deal` is `Lays J♦` where it stands beside the seat. */
const withoutSeat = (words) => capitalized(words.replace(/^seat \d(?: \([^)]*\))?:? /i, "").split(". ")[0]);

function knownWords(fact) {
  const names = (cards) => cards.map(capitalized).join(", ");
  return fact.holds.length ? `holds ${names(fact.holds)}` : `has no ${names(fact.lacks)}`;
}

/** The table's three parts as elements. `state` has the scene, names, happened and thinking;
 * `choosable(zone)` says which cards are buttons. */
export const drawTable = (state, options = {}) => new Drawing(state, options).draw();
