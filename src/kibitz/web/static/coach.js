// A word to who sits at a game for the first time, until he has read it.

import { button, el } from "./dom.js";

const WORDS = {
  tablic: {
    title: "New to Tablić? This is how you take cards.",
    lines: [
      "Each turn you play one card of your hand. It takes cards of the table that add up to it: a 10 takes a 10, or 6 + 4, or both at once.",
      "A jack counts 12, a queen 13, a king 14; an ace 11, and on the table also 1. What takes nothing is laid on the table.",
      "Aces, tens, jacks, queens and kings are a point each, so is the 2♣, and the 10♦ is two. Clear the table for one more: a tabla.",
    ],
    show: "Show me a capture",
  },
  "love-letter": {
    title: "New to Love Letter?",
    lines: [
      "You hold one card and draw a second. Play one of the two: do what it says. You keep the other.",
      "Put the others out of the round, or hold the highest card when the deck runs out.",
    ],
  },
};

const key = (name) => `kibitz-knows-${name}`;

function knows(name) {
  try {
    return localStorage.getItem(key(name)) !== null;
  } catch {
    return false; // a browser that stores nothing is told every time
  }
}

function learn(name) {
  try {
    localStorage.setItem(key(name), "yes");
  } catch {
    // see above
  }
}

export class Coach {
  /** `again()` draws the table anew; `demonstrate()` chooses a play as an example, if there is one. */
  constructor(again, demonstrate, openRules) {
    Object.assign(this, { again, demonstrate, openRules });
    this.shut = new Set();
  }

  /** What is shown at this table, or nothing; `brief` where there is room for a line only. */
  element(scene, canShow, brief) {
    const name = scene.game.split(":")[0];
    const words = WORDS[name];
    if (!words || this.shut.has(name) || knows(name)) return null;
    const show = canShow && words.show ? button(brief ? "Show me" : words.show, () => this.demonstrate(), { class: "primary", data: { act: "show", key: "coach-show" } }) : null;
    const leave = button("Got it", () => this.#leave(name), { data: { act: "known", key: "coach-known" } });
    const rules = button("All rules", () => this.openRules(), { data: { act: "rules", key: "coach-rules" } });
    const lines = words.lines.map((line) => el("p", {}, line));
    if (!brief) return coach("", el("h2", {}, words.title), lines, el("div", { class: "controls" }, show, leave, rules));
    const how = button("How it goes", () => this.#tell(words, lines), { data: { act: "how", key: "coach-how" } });
    return coach(" brief", el("h2", {}, words.title.split("?")[0], "?"), el("div", { class: "controls" }, show, how, leave));
  }

  /** Whoever has played it to the end knows how it goes. */
  played(scene) {
    learn(scene.game.split(":")[0]);
  }

  #leave(name) {
    learn(name);
    this.shut.add(name);
    this.again();
  }

  #tell(words, lines) {
    const dialog = el(
      "dialog",
      { class: "coach", "aria-label": words.title, on: { close: () => dialog.remove() } },
      el("h2", {}, words.title),
      lines,
      el("div", { class: "controls" }, button("Close", () => dialog.close(), { class: "primary" })),
    );
    document.body.append(dialog);
    dialog.showModal();
  }
}

const coach = (kind, ...inside) => el("aside", { class: `coach${kind}`, "aria-label": "How it is played" }, inside);
