// Choosing a play of Tablić: a card of the hand, then cards of the table, then take or lay.
// What is legal is read off the plays that the server sent; cards that differ in suit only are one.

import { Choice } from "./choice.js";
import { button, calm } from "./dom.js";

const STEP = 700;

const LABELS = { c: "♣", d: "♦", h: "♥", s: "♠" };
const label = (text) => text.slice(0, -1) + LABELS[text.slice(-1)];
const VALUES = { A: 11, J: 12, Q: 13, K: 14 };
const valueOf = (text) => VALUES[text.slice(0, -1)] ?? Number(text.slice(0, -1));
const NAMES = { A: "The ace", J: "The jack", Q: "The queen", K: "The king" };
const nameOf = (text) => NAMES[text.slice(0, -1)] ?? `The ${text.slice(0, -1)}`;

/** Which card it is as far as plays tell: the ten of diamonds and the two of clubs by themselves. */
const kindOf = (text) => (text === "10d" || text === "2c" ? text : text.slice(0, -1));

function kinds(texts) {
  const counts = new Map();
  for (const text of texts) counts.set(kindOf(text), (counts.get(kindOf(text)) ?? 0) + 1);
  return counts;
}

const within = (part, whole) => [...part].every(([kind, number]) => (whole.get(kind) ?? 0) >= number);

/** The selection in groups that each make the value, or null. */
function groups(texts, value) {
  if (!texts.length) return [];
  const [first, ...rest] = texts;
  const grow = (group, sum, from, left) => {
    if (sum === value) {
      const others = groups(left, value);
      if (others) return [group, ...others];
    }
    for (let i = from; sum < value && i < left.length; i++) {
      const remaining = left.filter((_, at) => at !== i);
      for (const worth of worths(left[i])) {
        const found = sum + worth <= value && grow([...group, left[i]], sum + worth, i, remaining);
        if (found) return found;
      }
    }
    return null;
  };
  for (const worth of worths(first)) {
    const found = grow([first], worth, 0, rest);
    if (found) return found;
  }
  return null;
}

const worths = (text) => (text.startsWith("A") ? [11, 1] : [valueOf(text)]);

export class TablicChoice extends Choice {
  static choosable(zone, scene) {
    return zone.name === "table" || (zone.name === "hand" && zone.seat === scene.seat);
  }

  begin() {
    this.card = null;
    this.selected = new Set();
    this.captures = new Map();
    for (const { parts } of this.scene.plays) {
      const kind = kindOf(parts.card);
      const list = this.captures.get(kind) ?? this.captures.set(kind, []).get(kind);
      list.push({ texts: parts.captures, counts: kinds(parts.captures) });
    }
    for (const node of this.#hand()) {
      node.onclick = () => this.#choose(node);
      node.classList.toggle("can-take", this.#plays(node.dataset.card).some((play) => play.texts.length));
    }
    for (const node of this.#table()) node.onclick = () => this.#toggle(node);
    this.#show();
  }

  #hand() {
    return [...this.root.querySelectorAll(".seat.own .hand button.card")];
  }

  #table() {
    return [...this.root.querySelectorAll(".spread button.card")];
  }

  #plays(card) {
    return this.captures.get(kindOf(card)) ?? [];
  }

  #choose(node) {
    const again = this.card === node.dataset.card;
    this.card = again ? null : node.dataset.card;
    this.selected.clear();
    this.#show();
  }

  #toggle(node) {
    if (!this.card) {
      this.say("First choose a card of your hand, then the cards of the table that it takes.");
      return;
    }
    const key = node.dataset.card;
    if (!this.selected.delete(key)) this.selected.add(key);
    this.#show();
  }

  /** The largest capture that has the selected cards, as cards of the table. */
  #most() {
    const wanted = kinds(this.selected);
    const worth = (texts) => texts.reduce((sum, text) => sum + (this.#points().get(text) ?? 0), 0);
    const fitting = this.#plays(this.card).filter((play) => play.texts.length && within(wanted, play.counts));
    fitting.sort((a, b) => b.texts.length - a.texts.length || worth(b.texts) - worth(a.texts));
    return fitting[0]?.texts ?? null;
  }

  #points() {
    const table = this.scene.zones.find((zone) => zone.name === "table");
    return new Map(table.cards.map((card) => [card.text, card.points]));
  }

  #show() {
    const plays = this.card ? this.#plays(this.card) : [];
    const chosen = [...this.selected];
    for (const node of this.#hand()) {
      const mine = node.dataset.card === this.card;
      node.classList.toggle("chosen", mine);
      node.setAttribute("aria-pressed", String(mine));
    }
    for (const node of this.#table()) {
      const text = node.dataset.card;
      const mine = this.selected.has(text);
      const counts = kinds(mine ? chosen : [...chosen, text]);
      const fits = plays.some((play) => within(counts, play.counts));
      node.classList.toggle("chosen", mine);
      node.classList.toggle("fits", fits && !mine);
      node.classList.toggle("unfit", Boolean(this.card) && !fits && !mine);
      node.setAttribute("aria-pressed", String(mine));
    }
    this.#bar(plays, chosen);
  }

  #bar(plays, chosen) {
    if (!this.card) {
      const able = this.#hand().some((node) => node.classList.contains("can-take"));
      this.say(able ? "Your turn: choose a card of your hand. Those with a gold edge can take something." : "Your turn: choose a card of your hand. None can take anything, so one must be laid down.");
      return;
    }
    const most = this.#most();
    const lays = plays.some((play) => !play.texts.length);
    this.say(
      this.#prompt(plays, chosen),
      chosen.length ? button(`Take ${chosen.length}`, () => this.#take(chosen), { class: this.#complete(chosen) ? "primary" : "", title: "Key T", data: { act: "take" } }) : null,
      most && most.length > chosen.length ? button(`Take all it can (${most.length})`, () => this.#take(most), { class: chosen.length ? "" : "primary", title: "Key A", data: { act: "all" } }) : null,
      lays && !chosen.length ? button("Lay it down", () => this.#take([]), { class: most ? "quiet" : "primary", title: "Key L", data: { act: "lay" } }) : null,
    );
  }

  #complete(chosen) {
    const counts = kinds(chosen);
    return this.#plays(this.card).some((play) => play.texts.length === chosen.length && within(counts, play.counts));
  }

  #prompt(plays, chosen) {
    const value = valueOf(this.card);
    const name = nameOf(this.card);
    const counts = value > 10 ? ` counts ${value} and` : "";
    if (!chosen.length) {
      const takes = plays.filter((play) => play.texts.length);
      if (!takes.length) return `${name}${counts ? ` counts ${value}:` : ":"} nothing on the table adds up to ${value}. Lay it down, or choose another card.`;
      const example = takes.toSorted((a, b) => a.texts.length - b.texts.length)[0].texts;
      const how = example.length > 1 ? ` Such as ${example.map(label).join(" + ")}.` : "";
      return `${name}${counts} takes cards that make ${value}, one or several together.${how} Choose marked cards.`;
    }
    if (this.#complete(chosen)) {
      const parts = groups(chosen, value) ?? [chosen];
      const all = chosen.length === this.#table().length ? " It clears the table: a tabla, 1 point!" : "";
      return `${parts.map((group) => group.map(label).join(" + ")).join(", ")} ${parts.length > 1 ? "each make" : "makes"} ${value}.${all}`;
    }
    if (plays.some((play) => within(kinds(chosen), play.counts))) {
      return `${chosen.map(label).join(" + ")}: not ${value} yet. Add a marked card, or choose one again to put it back.`;
    }
    return `${chosen.map(label).join(", ")} cannot be split into groups of ${value}.`;
  }

  #take(captures) {
    this.send({ parts: { card: this.card, captures } });
  }

  restart() {
    this.begin();
    this.#hand()[0]?.focus();
  }

  hasExample() {
    return this.scene.plays.some((play) => play.parts.captures.length);
  }

  /** For a beginner: a capture of two cards shows the most. */
  #example() {
    const far = (play) => Math.abs(play.parts.captures.length - 2);
    const [example] = this.scene.plays.filter((play) => play.parts.captures.length).toSorted((a, b) => far(a) - far(b));
    return example.parts;
  }

  /** A play, card by card; the person has only to take or to lay. */
  async demonstrate({ card, captures } = this.#example()) {
    this.begin();
    this.#choose(this.#hand().find((node) => node.dataset.card === card));
    for (const text of captures) {
      if (!calm()) await new Promise((wake) => setTimeout(wake, STEP));
      if (!this.bar.isConnected || this.card !== card) return; // the person does something else
      this.#toggle(this.#table().find((node) => node.dataset.card === text));
    }
    this.bar.querySelector(captures.length ? "[data-act=take]" : "[data-act=lay]")?.focus({ preventScroll: true });
  }

  onKey(key) {
    const act = { t: "take", a: "all", l: "lay" }[key];
    const control = act && this.bar.querySelector(`[data-act="${act}"]`);
    control?.click();
    return Boolean(control);
  }
}
