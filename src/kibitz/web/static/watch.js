// Watching strategies play: step by step or by itself, from a seat's view or with open cards.

import { post } from "./api.js";
import { button, el, select } from "./dom.js";

const PACES = [["2", "slowly"], ["1", "every second"], ["0.5", "fast"]];

export class WatchBar {
  constructor(folder, look) {
    this.folder = folder;
    this.pace = "1";
    this.look = look;
    this.view = "open";
  }

  fill(bar, state) {
    const { names, run, version } = state;
    const on = Boolean(run?.on);
    const failed = (error) => bar.append(el("p", { class: "refusal" }, error.message));
    const views = [["open", "all cards open"], ...names.map((name, i) => [String(i + 1), `as seat ${i + 1} sees it`])];
    const view = select(views, this.view, { "aria-label": "View", on: { change: (event) => this.#see(event.target.value) } });
    const pace = select(PACES, this.pace, { "aria-label": "Pace", on: { change: (event) => this.#setPace(event.target.value, on, failed) } });
    bar.append(
      el("p", { class: "prompt" }, on ? "They play by themselves." : "They wait for you."),
      el(
        "div",
        { class: "controls" },
        button("Next play", () => post(`${this.folder}step`, { version }).catch(failed), { class: "primary", disabled: on, data: { act: "step", key: "watch-step" } }),
        button(on ? "Stop" : "Run", () => this.#run(!on, failed), { data: { act: "run", key: "watch-run" } }),
        pace,
        view,
      ),
    );
  }

  #run(on, failed) {
    post(`${this.folder}run`, { on, seconds: Number(this.pace) }).catch(failed);
  }

  #setPace(pace, on, failed) {
    this.pace = pace;
    if (on) this.#run(true, failed);
  }

  #see(view) {
    this.view = view;
    this.look(view);
  }
}
