// A game drawn as a graph, with a search on it step by step.

import { button, el, select } from "./dom.js";
import { work } from "./working.js";

/** Games small enough to be drawn whole, and how deep the others are drawn. */
const WHOLE = ["divisible-by-four", "paper-rock-scissors", "coin-game", "twenty-one"];
const DEPTH = 2;
const ALGORITHMS = ["minimax", "alpha-beta", "expectiminimax", "mcts"];

export class GraphForm {
  constructor(root, answer, games) {
    this.answer = answer;
    const ordered = [...games].sort((a, b) => WHOLE.includes(b.name) - WHOLE.includes(a.name));
    this.game = select(ordered.map((one) => [one.name, one.title.split(":")[0]]), ordered[0].name, { id: "graph-game", on: { change: () => this.#algorithms() } });
    this.games = games;
    this.algorithm = el("select", { id: "graph-algorithm" });
    this.merge = el("input", { type: "checkbox", id: "graph-merge" });
    root.append(
      el(
        "div",
        { class: "fields" },
        el("div", {}, el("label", { for: "graph-game" }, "Game"), this.game),
        el("div", {}, el("label", { for: "graph-algorithm" }, "Search"), this.algorithm),
        el("div", {}, el("label", { for: "graph-merge" }, this.merge, "merge equal states")),
        button("Draw", () => this.#draw(), { class: "primary" }),
      ),
    );
    this.#algorithms();
  }

  #algorithms() {
    const game = this.games.find((one) => one.name === this.game.value);
    const fitting = ALGORITHMS.filter((name) => game.strategies.some((one) => one.name === name));
    this.algorithm.replaceChildren(...[["", "none"], ...fitting.map((name) => [name, name])].map(([value, label]) => el("option", { value }, label)));
    this.algorithm.value = fitting[0] ?? "";
  }

  #draw() {
    const body = { game: this.game.value, merge: this.merge.checked };
    if (this.algorithm.value) body.algorithm = this.algorithm.value;
    if (!WHOLE.includes(this.game.value)) body.depth = DEPTH;
    work(this.answer, "/api/", "graphs", body, (result) => [
      el("p", {}, `${result.title}.`),
      result.page
        ? el("iframe", { src: result.page, sandbox: "allow-scripts", title: "The search, step by step" })
        : el("img", { class: "graph-picture", src: result.picture, alt: `The graph of ${this.game.value}` }),
    ]);
  }
}
