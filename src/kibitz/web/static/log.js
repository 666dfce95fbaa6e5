// What happened: a line a turn, and a voice for who does not see the cards move.

import { capitalized, el } from "./dom.js";
import { named } from "./scene.js";

export class Log {
  constructor(spoken) {
    this.list = el("ol", { class: "log" });
    this.spoken = spoken;
    this.told = new Set();
    this.element = el("div", {}, el("h2", {}, "What happened"), this.list);
  }

  /** The lines of the game, newest first; those since the viewer's last play stand out. */
  show({ scene, names, happened, game }) {
    const fresh = happened.length;
    const lines = scene.log.length ? scene.log : happened.map((item) => item.words);
    this.list.replaceChildren(
      ...lines.map((words, i) => el("li", { class: i >= lines.length - fresh ? "new" : "" }, capitalized(named(words, scene, names)))).reverse(),
    );
    if (!lines.length) this.list.replaceChildren(el("li", { class: "quiet-text" }, "Nothing yet."));
    const words = happened.filter((item) => !this.told.has(`${game}/${item.turn}/${item.words}`));
    for (const item of words) this.told.add(`${game}/${item.turn}/${item.words}`);
    if (words.length) this.spoken.append(el("p", {}, words.map((item) => named(item.words, scene, names)).join(". ")));
    while (this.spoken.children.length > 20) this.spoken.firstChild.remove();
  }
}
