// Fields for the options of a game or a strategy, and the text that they make:
// `name:option=value,option=value`, with what is not the default only.

import { el, select } from "./dom.js";

let made = 0;

function control(option, id) {
  const { kind, choices, least, most } = option;
  const about = { id };
  if (choices?.length) return select(choices.map((one) => [String(one), String(one)]), String(option.default), about);
  if (kind === "yes/no") return select([["true", "yes"], ["false", "no"]], String(option.default), about);
  const number = kind === "whole number" || kind === "number";
  return el("input", { ...about, type: number ? "number" : "text", step: kind === "number" ? "any" : null, min: least, max: most, value: option.default ?? "", placeholder: option.default ?? "as usual" });
}

export class OptionFields {
  constructor(options) {
    this.fields = options.map((option) => {
      const id = `option-${++made}`;
      return { option, id, input: control(option, id) };
    });
    this.element = el(
      "div",
      { class: "options" },
      this.fields.map(({ option, id, input }) =>
        el("div", { class: "option" }, el("label", { for: id }, option.name.replaceAll("_", " ")), input, option.about ? el("p", { class: "quiet-text" }, option.about) : null)),
    );
  }

  /** `option=value` of those that are not the default. */
  settings() {
    return this.fields
      .filter(({ option, input }) => input.value !== "" && input.value !== String(option.default ?? ""))
      .map(({ option, input }) => `${option.name}=${input.value}`);
  }

  /** The first field with a value that is not possible; it is told so by the browser. */
  valid() {
    return this.fields.every(({ input }) => input.reportValidity());
  }
}

export const withOptions = (name, settings) => (settings.length ? `${name}:${settings.join(",")}` : name);
