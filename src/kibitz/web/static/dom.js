// Elements without markup in strings: nothing that comes from the server is ever parsed as HTML.

const SVG = "http://www.w3.org/2000/svg";

function fill(node, attributes, children) {
  for (const [name, value] of Object.entries(attributes)) {
    if (value === undefined || value === null || value === false) continue;
    if (name === "on") {
      for (const [event, listener] of Object.entries(value)) node.addEventListener(event, listener);
    } else if (name === "data") {
      for (const [key, text] of Object.entries(value)) {
        if (text !== undefined && text !== null) node.dataset[key] = text;
      }
    } else if (name === "vars") {
      // The CSP forbids style attributes; properties set by a script are allowed.
      for (const [key, text] of Object.entries(value)) node.style.setProperty(`--${key}`, text);
    } else {
      node.setAttribute(name, value === true ? "" : value);
    }
  }
  node.append(...children.flat(Infinity).filter((one) => one !== undefined && one !== null && one !== false));
  return node;
}

/** An HTML element: `el("p", {class: "quiet"}, "text", other)`. */
export function el(tag, attributes = {}, ...children) {
  return fill(document.createElement(tag), attributes, children);
}

/** An SVG element. */
export function svg(tag, attributes = {}, ...children) {
  return fill(document.createElementNS(SVG, tag), attributes, children);
}

/** A button that does something. */
export function button(label, onClick, attributes = {}) {
  return el("button", { type: "button", ...attributes, on: { click: onClick } }, label);
}

export const byId = (id) => document.getElementById(id);

/** The word in the number that fits: `count(2, "card")` is `2 cards`. */
export const count = (number, word) => `${number} ${word}${number === 1 ? "" : "s"}`;

/** How long something takes: `3 of about 12 s`, as long as the guess is more. */
export const seconds = (so_far, expected) => `${Math.round(so_far)}${expected > so_far ? ` of about ${Math.round(expected)}` : ""} s`;

export const capitalized = (text) => text.charAt(0).toUpperCase() + text.slice(1);

/** Texts to choose from as a `<select>`: pairs of value and label. */
export function select(options, chosen, attributes = {}) {
  return el(
    "select",
    attributes,
    options.map(([value, label]) => el("option", { value, selected: value === chosen }, label)),
  );
}

export const calm = () => matchMedia("(prefers-reduced-motion: reduce)").matches;
