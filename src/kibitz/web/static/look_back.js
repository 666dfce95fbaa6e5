// Every turn of a game that is over, with the table as it was.

import { get } from "./api.js";
import { reasons } from "./bars.js";
import { button, capitalized, el } from "./dom.js";
import { named, seatName } from "./scene.js";
import { work } from "./working.js";

export class LookBack {
  /** `show(scene, names, bar)` draws a table with this bar below it; `leave()` goes back. */
  constructor(folder, { show, leave, details }) {
    Object.assign(this, { folder, show, leave, details });
  }

  async begin(thoughts) {
    const { turns, end, names, result } = await get(`${this.folder}turns`);
    this.thoughts = thoughts;
    this.names = names;
    this.stops = [...turns, { words: result?.words ?? "The end.", ...end }];
    this.slider = el("input", { type: "range", min: 0, max: this.stops.length - 1, value: 0, "aria-label": "Turn", on: { input: () => this.#go(Number(this.slider.value)) } });
    this.open = el("input", { type: "checkbox", on: { change: () => this.#go(this.at) } });
    this.words = el("p", { class: "prompt", "aria-live": "polite" });
    this.think = button("What did it think?", () => this.#ask());
    this.bar = el(
      "div",
      { class: "choice stepper" },
      this.words,
      el(
        "div",
        { class: "controls" },
        button("‹ Back", () => this.#go(this.at - 1), { "aria-label": "One turn back", data: { step: "-1" } }),
        button("Forward ›", () => this.#go(this.at + 1), { "aria-label": "One turn forward", class: "primary", data: { step: "1" } }),
        button("Done", () => this.leave(), { class: "quiet" }),
        el("label", { class: "check" }, this.open, "all cards open"),
        this.think,
      ),
      this.slider,
    );
    this.#go(0);
    this.bar.querySelector('[data-step="1"]').focus({ preventScroll: true });
  }

  onKey(key) {
    if (key !== "ArrowLeft" && key !== "ArrowRight") return false;
    if (document.activeElement === this.slider) return false;
    this.#go(this.at + (key === "ArrowRight" ? 1 : -1));
    return true;
  }

  #go(to) {
    this.at = Math.max(0, Math.min(to, this.stops.length - 1));
    const stop = this.stops[this.at];
    const last = this.at === this.stops.length - 1;
    const words = capitalized(named(stop.words, stop.scene, this.names));
    this.slider.value = this.at;
    this.words.textContent = last ? words : `${this.at + 1} of ${this.stops.length - 1}. ${words}`;
    const scene = this.open.checked ? stop.open ?? stop.scene : stop.scene;
    const thinker = stop.seat && !["you", "person"].includes(this.names[stop.seat - 1]);
    this.think.hidden = !(this.thoughts && thinker);
    this.show(scene, this.names, this.bar, stop);
  }

  #ask() {
    const { seat, scene, number } = this.stops[this.at];
    const who = seatName(scene, this.names, seat);
    const place = this.details(`What ${who} told itself in turn ${number}`);
    // It speaks to itself as `you`; so everybody else has a name, the person too.
    const others = { ...scene, seats: scene.seats.map((one) => ({ ...one, you: false })) };
    const names = this.names.map((name) => (name === "you" ? "person" : name));
    work(place, this.folder, "thoughts", { turn: number }, (result) => [
      el("p", { class: "quiet-text" }, `“You” is ${who} here.`),
      ...reasons(result, (words) => named(words, others, names)),
    ]);
  }
}
