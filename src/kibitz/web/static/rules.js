// The rules beside the table; a refusal leads to the rule that it names.

import { get } from "./api.js";
import { el } from "./dom.js";

const id = (number) => `rule-${number.replaceAll(".", "-")}`;

export class Rules {
  constructor(folder) {
    this.folder = folder;
    this.list = el("div", {});
    this.element = el("div", { class: "rules" }, el("h2", {}, "Rules"), this.list);
  }

  /** Fetched when they are looked at first. */
  load() {
    this.loading ??= get(`${this.folder}rules`).then(
      ({ rules }) => this.#fill(rules),
      (error) => {
        this.loading = null;
        this.list.replaceChildren(el("p", { class: "failure" }, error.message));
      },
    );
    return this.loading;
  }

  #fill(rules) {
    let about = null;
    const parts = rules.map((rule) => {
      const head = rule.about !== about ? el("h3", {}, rule.about) : null;
      about = rule.about;
      return [head, el("p", { id: rule.number ? id(rule.number) : null, tabindex: -1 }, rule.number ? el("span", { class: "rule-number" }, rule.number) : null, rule.text)];
    });
    this.list.replaceChildren(...parts.flat().filter(Boolean));
  }

  async find(number) {
    await this.load();
    const rule = this.list.querySelector(`#${id(number)}`);
    rule?.scrollIntoView({ block: "center" });
    rule?.focus({ preventScroll: true });
  }
}
