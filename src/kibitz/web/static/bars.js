// Numbers as bars: how good plays are, what somebody may hold.

import { capitalized, el } from "./dom.js";

const percent = (share) => `${Math.round(share * 100)}%`;

/** Plays with their scores, the best first. A chance goes from nought to one; of any other scale
 * the worst shown is the left end. */
export function playBars(choices, chance = false) {
  const scores = choices.flatMap(({ score, low, high }) => [score, low ?? score, high ?? score]).filter(Number.isFinite);
  const least = chance ? 0 : Math.min(...scores);
  const span = chance ? 1 : Math.max(...scores) - least;
  const share = (value) => (span ? 0.03 + (0.97 * (value - least)) / span : 1);
  return el(
    "ol",
    { class: "bars" },
    choices.map(({ label, score, low, high, shown, best, mark }) =>
      el(
        "li",
        { class: `bar-row${best ? " best" : ""}`, vars: { share: share(score), low: share(low ?? score), high: share(high ?? score) } },
        el("span", {}, capitalized(label), mark ? el("em", {}, ` ${mark}`) : null),
        el("span", { class: "number" }, String(shown).replace(/^-/, "−")),
        el("span", { class: "track", "aria-hidden": "true" }, el("span", { class: "level" }), low === null || low === undefined ? null : el("span", { class: "range" })),
      ),
    ),
  );
}

/** What may be in a hidden place. */
export function beliefBars({ place, basis, bars }, say) {
  return [
    el("h3", {}, capitalized(say(place)), basis ? el("span", { class: "quiet-text" }, `, ${basis}`) : null),
    el(
      "ul",
      { class: "bars tight" },
      bars.map(({ card, share }) =>
        el("li", { class: "bar-row", vars: { share } }, el("span", {}, capitalized(card)), el("span", { class: "track", "aria-hidden": "true" }, el("span", { class: "level" })), el("span", { class: "number" }, percent(share)))),
    ),
  ];
}

/** Why a play: the sentence, the plays, the beliefs. `say(words)` puts names in for seats. */
export function reasons({ by, score, chance, choices, beliefs, sentence, why }, say) {
  return [
    el("p", { class: "sentence" }, say([sentence, ...(why ?? [])].join(" "))),
    el("h3", {}, `${capitalized(score)}, by ${by}`),
    playBars(choices.slice(0, 8).map((one) => ({ ...one, label: say(one.label) })), chance),
    choices.length > 8 ? el("p", { class: "quiet-text" }, `… and ${choices.length - 8} more`) : null,
    beliefs.map((belief) => beliefBars(belief, say)),
  ];
}
