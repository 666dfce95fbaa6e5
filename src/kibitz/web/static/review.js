// The review: what every decision lost, how the game went, how much was luck. All of it comes as
// numbers; hindsight is another question, and asked for by itself.

import { playBars } from "./bars.js";
import { curve } from "./curve.js";
import { button, capitalized, count, el, select } from "./dom.js";
import { amount, figure, points } from "./figures.js";
import { named } from "./scene.js";
import { work } from "./working.js";

const percent = (value) => `${Math.round(value * 100)}%`;
const WRONG = ["inaccuracy", "mistake", "blunder"];
const PARTS = [
  ["luck", "the cards that came"],
  ["hidden", "what nobody could know"],
  ["skill", "how all played"],
];

export class Review {
  /** `lookAt(scene, words, play)` shows a table as it was. */
  constructor(folder, lookAt) {
    this.folder = folder;
    this.lookAt = lookAt;
    this.answer = el("div");
    this.whose = select([["", "my decisions"]], "", { id: "review-seat" });
    this.open = el("div", { class: "further" });
    this.element = el(
      "div",
      {},
      el("h2", {}, "Where did I go wrong?"),
      el("div", { class: "form" }, el("label", { for: "review-seat" }, "Look at"), this.whose, button("Review the game", () => this.#ask(), { class: "primary" })),
      this.answer,
      this.open,
    );
  }

  show({ scene, names, games }) {
    const key = `${scene.game}|${names}|${games}`;
    if (key === this.key) return;
    this.key = key;
    this.say = (words) => named(words, scene, names);
    this.own = scene.seats.find((one) => one.you)?.seat ?? 1;
    const person = scene.seats.some((one) => one.you);
    this.whose.replaceChildren(
      ...(person ? [el("option", { value: "" }, "my decisions")] : []),
      ...names.map((name, i) => (scene.seats[i].you ? null : el("option", { value: i + 1 }, `seat ${i + 1}, ${name}`))).filter(Boolean),
    );
    this.answer.replaceChildren();
    const solvable = scene.game.split(":")[0] === "tablic" && scene.seats.length === 2;
    this.open.replaceChildren(...(solvable ? this.#hindsightForm() : []));
  }

  #ask() {
    const body = this.whose.value ? { seats: [Number(this.whose.value)] } : {};
    work(this.answer, this.folder, "review", body, (review) => this.#pages(review));
  }

  #pages(review) {
    const { decisions, is_chance: chance } = review;
    this.details = el("div", { "aria-live": "polite" });
    this.rows = decisions.map((one, i) => this.#row(one, i, chance));
    this.review = review;
    return [
      review.seats.map((seat) => this.#totals(seat, chance)),
      this.#curve(decisions.filter((one) => one.counted)),
      this.#mattered(),
      this.details,
      el("h3", {}, "Decision by decision"),
      el("ol", { class: "decisions" }, this.rows.map((row) => el("li", {}, row))),
      el("p", { class: "quiet-text" }, `Judged ${review.judge}. Values: ${review.measure}.`),
      review.page ? el("p", {}, el("a", { href: review.page, target: "_blank", rel: "noopener" }, "The review as one page")) : null,
    ];
  }

  /** What a seat lost, and of what its result is made. */
  #totals(seat, chance) {
    const who = capitalized(this.say(`seat ${seat.seat}`));
    const unit = chance ? " of a win" : " points";
    const unclear = seat.ci95[0] <= 0 && seat.ci95[0] < seat.ci95[1];
    const lost = seat.decisions
      ? `${who} lost ${amount(seat.loss, seat.ci95, chance)}${unit} in ${count(seat.decisions, "decision")}${unclear ? ": no more than chance would show" : ""}.`
      : `${who} had nothing to decide.`;
    return [el("p", { class: "sentence" }, lost), seat.start === null ? null : this.#parts(seat, chance)];
  }

  #parts(seat, chance) {
    const most = Math.max(...PARTS.map(([name]) => Math.abs(seat[name])), 1e-9);
    const end = (label, value) => el("li", { class: "bar-row end" }, el("span", {}, label), el("span", { class: "number" }, figure(value, chance)));
    return el(
      "ul",
      { class: "bars parts", "aria-label": "Of what the result is made" },
      end("At the beginning", seat.start),
      PARTS.map(([name, label]) => {
        const share = Math.abs(seat[name]) / most / 2;
        const from = seat[name] < 0 ? 0.5 - share : 0.5;
        return el(
          "li",
          { class: `bar-row ${seat[name] < 0 ? "minus" : "plus"}`, vars: { from, share } },
          el("span", {}, label),
          el("span", { class: "number" }, figure(seat[name], chance, true)),
          el("span", { class: "track", "aria-hidden": "true" }, el("span", { class: "part" })),
        );
      }),
      end("At the end", seat.result),
    );
  }

  #curve(counted) {
    if (counted.length < 2) return null;
    const told = counted.map((one) => ({ value: one.chance, verdict: one.verdict, label: `turn ${one.turn}: ${percent(one.chance)}, ${one.verdict}`, one }));
    return [
      el("h3", {}, "The chance to win after each decision"),
      curve(told, { least: 0, most: 1, zero: 0.5, format: percent }, (i) => this.#pick(this.review.decisions.indexOf(told[i].one))),
    ];
  }

  /** The decisions that cost most, with what would have been better. */
  #mattered() {
    const { mattered, decisions } = this.review;
    if (!mattered.length) return null;
    return [
      el("h3", {}, "What mattered"),
      mattered.map((turn) => {
        const i = decisions.findIndex((one) => one.turn === turn);
        return el("p", { class: "mattered" }, button(`Turn ${turn}`, () => this.#pick(i), { class: "plain-button link" }), " ", this.say(decisions[i].why));
      }),
    ];
  }

  #row(one, i, chance) {
    const better = one.counted && WRONG.includes(one.verdict);
    return button(
      [
        el("span", { class: "turn" }, String(one.turn)),
        el("span", {}, capitalized(this.say(one.said))),
        el("span", { class: `verdict ${one.verdict}` }, one.counted ? `${one.verdict} ${amount(one.loss, one.ci95, chance)}` : "–"),
        better ? el("span", { class: "better" }, `better: ${this.say(one.best_said)}`) : null,
      ],
      () => this.#pick(i),
    );
  }

  /** Show one decision: the table as it was, and what each play was worth. */
  #pick(i) {
    const { decisions, is_chance: chance } = this.review;
    const one = decisions[i];
    this.rows.forEach((row, at) => row.setAttribute("aria-current", String(at === i)));
    this.lookAt(one.scene, `Turn ${one.turn}: ${this.say(one.said)}`, one.plays.find(({ made }) => made)?.play);
    this.details.replaceChildren(
      el("h3", {}, `Turn ${one.turn}: ${one.verdict}`),
      one.why ? el("p", { class: "sentence" }, this.say(one.why)) : "",
      playBars(
        one.plays.map(({ said, value, low, high, made, play }) => ({
          label: this.say(said),
          score: value,
          low,
          high,
          shown: amount(value, [low, high], chance),
          best: play === one.best,
          mark: made ? "(played)" : "",
        })),
        chance,
      ),
      one.more ? el("p", { class: "quiet-text" }, `… and ${one.more} more`) : "",
    );
    this.details.scrollIntoView({ block: "nearest" });
  }

  // -- with all cards open -----------------------------------------------------------------

  #hindsightForm() {
    this.solved = el("div");
    return [
      el("h2", {}, "What the cards allowed"),
      el("p", { class: "quiet-text" }, "With all cards open every turn has one exact value. Nobody could have known it: nothing here was a mistake. It is solved from the end; the first turns take minutes."),
      button("Solve it", () => this.#solve(), { data: { act: "hindsight" } }),
      this.solved,
    ];
  }

  #solve() {
    let known = null;
    const show = (found) => this.#openCards((known = found));
    work(this.solved, this.folder, "hindsight", {}, show, {
      partial: show,
      stopped: () => known && show(known),
    });
  }

  /** Values for who looks; the result stands behind the last turn. */
  #openCards({ turns, of, result }) {
    const mine = (value) => (this.own === 2 ? -value : value);
    const first = turns[0];
    const values = [...turns.map((one) => mine(one.value)), mine(result)];
    const told = values.map((value, i) => ({ value, verdict: turns[i]?.change < 0 ? "mistake" : "good", label: i < turns.length ? `turn ${turns[i].turn}: ${points(value)}` : `the end: ${points(value)}` }));
    const costly = turns.filter((one) => one.change < 0).toSorted((a, b) => a.change - b.change);
    const who = (one) => capitalized(this.say(`seat ${one.seat}`));
    return [
      el("p", { class: "sentence" }, `${turns.length === of ? "The shuffle" : `Turn ${first.turn}`} allowed ${this.say(`seat ${this.own}`)} ${points(values[0])} with best play of both; it ended with ${points(values.at(-1))}.`),
      turns.length < of ? el("p", { class: "quiet-text" }, `${turns.length} of ${of} turns are solved.`) : null,
      values.length > 1 ? curve(told, { least: Math.min(...values, 0), most: Math.max(...values, 0), zero: 0, format: points }, () => {}) : null,
      costly.length ? el("ul", { class: "costly" }, costly.map((one) => el("li", {}, `Turn ${one.turn}, ${who(one)}: ${one.said}`, el("strong", {}, ` ${points(one.change)}`)))) : null,
    ];
  }
}
