// Cards that move: what lay elsewhere before travels to where it lies now (FLIP), what was hidden
// comes from a hand or the deck, what was captured goes to its captor's pile.

import { cardElement } from "./cards.js";
import { calm, el } from "./dom.js";

const FLIGHT = 420;
const STAGGER = 55;
const LONGEST = 1000;
const HOLD = 650;
const PLACE = 220;
const FALL = "cubic-bezier(.5,0,1,.8)";
const RISE = "cubic-bezier(0,.4,.5,1)";
const EASE = "cubic-bezier(.3,.75,.3,1)";

const middleOf = (rect) => [rect.left + rect.width / 2, rect.top + rect.height / 2];

/** Where every visible card and every zone is. */
export function snapshot(root) {
  const cards = [...root.querySelectorAll(".card[data-card]")].map((node) => ({
    text: node.dataset.card,
    zone: node.closest("[data-zone]")?.dataset.zone ?? "",
    rect: node.getBoundingClientRect(),
  }));
  const zones = new Map();
  const hidden = new Map();
  for (const node of root.querySelectorAll("[data-zone]")) {
    const backs = node.querySelectorAll(".card.back");
    const at = backs[backs.length - 1] ?? node.querySelector(".card, .place") ?? node;
    zones.set(node.dataset.zone, at.getBoundingClientRect());
    hidden.set(node.dataset.zone, backs.length);
  }
  const pieces = new Set([...root.querySelectorAll(".piece")].map((node) => node.dataset.piece));
  return { cards, zones, hidden, pieces };
}

/** The elements of cards that lie in the drawing now, each with where it was before, if it was. */
function pairs(root, before) {
  const left = [...before.cards];
  const nodes = [...root.querySelectorAll(".card[data-card]")].map((node) => ({ node, zone: node.closest("[data-zone]")?.dataset.zone ?? "", from: null }));
  const match = (same) => {
    for (const one of nodes) {
      if (one.from) continue;
      const at = left.findIndex((old) => old.text === one.node.dataset.card && same(old, one));
      if (at >= 0) [one.from] = left.splice(at, 1);
    }
  };
  match((old, one) => old.zone === one.zone);
  match(() => true);
  return nodes;
}

function fly(node, from, delay = 0) {
  const to = node.getBoundingClientRect();
  if (!from || !to.width || !from.width) return null;
  const [fx, fy] = middleOf(from);
  const [tx, ty] = middleOf(to);
  if (Math.abs(fx - tx) < 2 && Math.abs(fy - ty) < 2 && Math.abs(from.width - to.width) < 2) return null;
  const scale = from.width / to.width;
  return node.animate(
    [
      { transform: `translate(${fx - tx}px, ${fy - ty}px) scale(${scale})`, zIndex: 20 },
      { transform: "none", zIndex: 20 },
    ],
    { duration: FLIGHT, delay, easing: EASE, fill: "backwards" },
  );
}

const settled = (animations) => Promise.all(animations.filter(Boolean).map((one) => one.finished.catch(() => {})));

/** A game begins: its cards come from the deck, one after the other. */
export function deal(root) {
  const deck = root.querySelector('[data-zone="deck-table"]') ?? root.querySelector(".middle");
  const zones = new Map([["deck-table", deck.getBoundingClientRect()]]);
  return arrive(root, { cards: [], zones, hidden: new Map(), pieces: new Set() }, []);
}

/** Let the cards of a new drawing travel from where they were. `plays` is what happened in
 * between; it tells whose hand a card came from. */
export async function arrive(root, before, plays) {
  if (calm()) return;
  const player = plays.at(-1)?.seat;
  const step = Math.min(STAGGER, LONGEST / root.querySelectorAll(".card").length);
  let dealt = 0;
  const moving = pairs(root, before).map(({ node, zone, from }) => {
    if (from) return fly(node, from.rect);
    const source = zone.startsWith("hand-") ? "deck-table" : player ? `hand-${player}` : "deck-table";
    return fly(node, before.zones.get(source) ?? before.zones.get("deck-table"), step * dealt++);
  });
  for (const node of root.querySelectorAll('[data-zone^="hand-"]')) {
    const backs = [...node.querySelectorAll(".card.back")];
    const had = before.hidden.get(node.dataset.zone) ?? 0;
    for (const back of backs.slice(had)) moving.push(fly(back, before.zones.get("deck-table"), step * dealt++));
  }
  for (const node of root.querySelectorAll(".piece")) {
    if (!before.pieces.has(node.dataset.piece)) moving.push(place(node));
  }
  await settled(moving);
}

/** A new piece on a board: it falls from above, with a bounce, or is put down. */
function place(node) {
  const board = node.closest(".board");
  if (!board.classList.contains("falls")) {
    return node.animate([{ transform: "scale(1.5)", opacity: 0 }, { transform: "none", opacity: 1 }], { duration: PLACE, easing: EASE });
  }
  const height = node.getBoundingClientRect().bottom - board.getBoundingClientRect().top;
  const up = (share) => ({ transform: `translateY(${-share * height}px)` });
  return node.animate(
    [
      { ...up(1), easing: FALL },
      { ...up(0), offset: 0.6, easing: RISE },
      { ...up(0.09), offset: 0.78, easing: FALL },
      up(0),
    ],
    { duration: 350 + height },
  );
}

/** A capture before the table is drawn anew: the card comes to the table, what it takes is shown,
 * and all of it goes to the pile. */
export async function capture(root, { seat, card, captures }) {
  const pile = root.querySelector(`[data-zone="pile-${seat}"]`);
  const taken = captures.map((text) => root.querySelector(`[data-zone="table-table"] .card[data-card="${text}"]`)).filter(Boolean);
  if (calm() || !pile || !taken.length) return;
  const own = root.querySelector(`[data-zone="hand-${seat}"] .card[data-card="${card}"]`);
  const source = own ?? root.querySelector(`[data-zone="hand-${seat}"] .card.back:last-child`);
  const beside = taken.at(-1).getBoundingClientRect();
  const start = (source ?? pile).getBoundingClientRect();
  const layer = document.body.appendChild(el("div", { class: "flying", "aria-hidden": "true" }));
  const ghost = cardElement({ text: card, label: card }, { small: !own });
  ghost.style.setProperty("--card", `${beside.width}px`);
  ghost.style.setProperty("left", `${beside.left + beside.width * 0.3}px`);
  ghost.style.setProperty("top", `${beside.top + beside.height * 0.28}px`);
  layer.append(ghost);
  if (source) source.style.setProperty("visibility", "hidden");
  for (const node of taken) node.classList.add("taken");
  await settled([fly(ghost, start)]);
  await new Promise((wake) => setTimeout(wake, HOLD));
  const goal = (pile.querySelector(".card, .place") ?? pile).getBoundingClientRect();
  const [gx, gy] = middleOf(goal);
  await settled(
    [...taken, ghost].map((node, i) => {
      const [x, y] = middleOf(node.getBoundingClientRect());
      const to = { transform: `translate(${gx - x}px, ${gy - y}px) scale(${goal.width / beside.width})`, zIndex: 30 };
      return node.animate([{ zIndex: 30 }, to], { duration: FLIGHT, delay: i * 30, easing: EASE, fill: "forwards" });
    }),
  );
  layer.remove();
}
