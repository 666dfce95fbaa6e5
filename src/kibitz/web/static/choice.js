// What every way of choosing a play has in common.

import { el } from "./dom.js";

/** What every way of choosing has: the drawing, the bar below the table, and `send(play)`. */
export class Choice {
  /** Which zones hold cards that are chosen. */
  static choosable() {
    return false;
  }

  constructor({ scene, names, root, bar, send }) {
    Object.assign(this, { scene, names, root, bar, send });
  }

  /** Put this into the bar. */
  say(prompt, ...controls) {
    this.bar.replaceChildren(
      el("p", { class: "prompt" }, prompt),
      controls.length ? el("div", { class: "controls" }, controls) : "",
    );
  }

  /** Escape was pressed: begin the choice anew. */
  restart() {
    this.begin();
  }

  /** Whether there is a play that is worth showing to a beginner; `demonstrate` then chooses it. */
  hasExample() {
    return false;
  }

  /** Choose a play, by its parts, without sending it. */
  async demonstrate() {}

  /** A key that is no arrow: true if it meant something. */
  onKey() {
    return false;
  }
}
