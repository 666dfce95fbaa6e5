// A hint: who is asked is a choice, the answer comes with its numbers.

import { get } from "./api.js";
import { reasons } from "./bars.js";
import { button, el } from "./dom.js";
import { named } from "./scene.js";
import { work } from "./working.js";

export class Hint {
  /** `show(parts)` chooses a play at the table. */
  constructor(folder, show) {
    Object.assign(this, { folder, chooseAtTable: show });
    this.answer = el("div", { "aria-live": "polite" });
    this.by = el("select", { id: "hint-by" });
    this.ask = button("Give me a hint", () => this.#ask(), { class: "primary" });
    this.element = el(
      "div",
      {},
      el("h2", {}, "Hint"),
      el("div", { class: "form" }, el("label", { for: "hint-by" }, "Ask"), this.by, this.ask),
      this.answer,
    );
  }

  /** Who can be asked; the first is asked unless somebody else is chosen. */
  async #advisers(name) {
    this.game = name;
    const { advisers } = await get(`${this.folder}advisers`).catch(() => ({ advisers: [] }));
    this.by.replaceChildren(...advisers.map((one, i) => el("option", { value: one }, i ? one : `${one}, the usual adviser`)));
  }

  show(state) {
    this.say = (words) => named(words, state.scene, state.names);
    const name = state.scene.game.split(":")[0];
    if (state.can.hint && this.game !== name) this.#advisers(name);
    this.ask.disabled = !state.can.hint;
    if (state.version !== this.version) {
      this.version = state.version;
      this.answer.replaceChildren(
        el("p", { class: "quiet-text" }, state.can.hint ? "It says what it would play, why, and what the others may hold." : "There is a hint when it is your turn."),
      );
    }
  }

  #ask() {
    if (this.ask.disabled) return;
    const body = { version: this.version };
    if (this.by.selectedIndex > 0) body.by = this.by.value;
    const asked = this.version;
    work(this.answer, this.folder, "hint", body, (result) => (asked === this.version ? this.#told(result) : null));
  }

  #told(result) {
    const [sentence, ...numbers] = reasons(result, this.say);
    const best = result.choices.find((one) => one.best);
    return [sentence, best ? button("Show it on the table", () => this.chooseAtTable(best.parts), { data: { act: "show-hint" } }) : null, ...numbers];
  }

  request() {
    this.#ask();
  }
}
