// A card as an element: which face it has, and a shared drawing of it, so that a page with sixty
// cards holds each face once.

import { el, svg } from "./dom.js";
import { backFace } from "./face_back.js";
import { frenchFace, isFrench } from "./face_french.js";
import { isCharacter, letterFace } from "./face_letters.js";

let drawings;

/** The id of a face's drawing, drawn now if it has not been needed before. */
function drawing(name, draw) {
  const id = `face-${name}`;
  if (!drawings) {
    drawings = svg("svg", { class: "drawings", "aria-hidden": "true", width: 0, height: 0 });
    document.body.append(drawings);
  }
  if (!drawings.querySelector(`[id="${id}"]`)) {
    const symbol = svg("symbol", { id, viewBox: "0 0 240 336" }, draw());
    drawings.append(symbol);
  }
  return id;
}

/** The face of a card that no module has drawn: its label, large. */
function plainFace(card) {
  const long = card.label.length > 2;
  return svg(
    "g",
    {},
    svg("rect", { x: 2, y: 2, width: 236, height: 332, rx: 20, class: "paper" }),
    svg("rect", { x: 16, y: 16, width: 208, height: 304, rx: 12, fill: "none", stroke: "#c9a24a", "stroke-width": 3 }),
    svg("text", { x: 120, y: 200, class: "plain", "text-anchor": "middle", "font-size": long ? 44 : 110 }, card.label),
  );
}

const letters = (text) => [...text].map((letter) => letter.codePointAt(0).toString(36)).join("-");

function faceOf(card, small) {
  if (!card) return drawing("back", backFace);
  if (isFrench(card.text)) return drawing(card.text, () => frenchFace(card.text));
  if (isCharacter(card.text)) {
    return drawing(`${card.text}${small ? "-small" : ""}`, () => letterFace(card.text, small));
  }
  return drawing(`other-${letters(card.label)}`, () => plainFace(card));
}

const SUIT_NAMES = { c: "clubs", d: "diamonds", h: "hearts", s: "spades" };
const RANK_NAMES = { A: "ace", J: "jack", Q: "queen", K: "king" };

/** A card in words, for who does not see it. */
export function spoken(card) {
  if (!isFrench(card.text)) return card.note ? `${card.label}, ${card.note}` : card.label;
  const rank = card.text.slice(0, -1);
  return `${RANK_NAMES[rank] ?? rank} of ${SUIT_NAMES[card.text.slice(-1)]}`;
}

/** The picture of a card, or of a back where there is none. */
export function cardPicture(card, small = false) {
  const id = faceOf(card, small);
  return svg("svg", { class: "card-picture", viewBox: "0 0 240 336", "aria-hidden": "true" }, svg("use", { href: `#${id}` }));
}

/** A card on the table. `small` is for those that are only looked at. */
export function cardElement(card, { small = false, key = null } = {}) {
  return el(
    "div",
    { class: `card${small ? " small" : ""}${card ? "" : " back"}`, data: { key, card: card?.text }, role: "img", "aria-label": card ? spoken(card) : "a hidden card", title: card ? card.label : null },
    cardPicture(card, small),
  );
}

/** A card that can be chosen. */
export function cardButton(card, { key = null, label = spoken(card), small = false } = {}) {
  return el(
    "button",
    { type: "button", class: `card${small ? " small" : ""}`, data: { key, card: card.text }, "aria-label": label, "aria-pressed": "false" },
    cardPicture(card, small),
  );
}
