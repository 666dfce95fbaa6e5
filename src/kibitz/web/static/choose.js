// How a play is chosen: one place that says which game has a way of its own. All others choose
// among buttons, or on the board.

import { landing } from "./board.js";
import { Choice } from "./choice.js";
import { button, el } from "./dom.js";
import { LoveLetterChoice } from "./choose_love_letter.js";
import { TablicChoice } from "./choose_tablic.js";

const MANY = 12;

/** Every legal play is a button; squares of a board are buttons already. */
class PlainChoice extends Choice {
  begin() {
    const { plays, board } = this.scene;
    if (board) {
      const drawn = this.root.querySelector(".board");
      drawn.addEventListener("click", (event) => {
        const square = event.target.closest(".square");
        const meant = square && (board.falls ? landing(drawn, square) : square);
        if (meant?.dataset.play) this.send({ play: meant.dataset.play });
      });
      this.say(board.falls ? "Your turn: choose a column." : "Your turn: choose a square.");
      return;
    }
    const list = el("div", { class: "controls" });
    const show = (wanted) => {
      const fitting = plays.filter((play) => play.said.toLowerCase().includes(wanted));
      list.replaceChildren(
        ...fitting.slice(0, 60).map((play) => button(play.said, () => this.send({ play: play.text }), { title: play.brings || null, data: { play: play.text } })),
      );
    };
    show("");
    const search = plays.length > MANY
      ? el("input", { type: "search", "aria-label": "Find a play", placeholder: "Find a play", on: { input: (event) => show(event.target.value.toLowerCase()) } })
      : "";
    this.bar.replaceChildren(el("p", { class: "prompt" }, "Your turn."), search, list);
  }
}

const CHOICES = { "love-letter": LoveLetterChoice, tablic: TablicChoice };

/** The way of choosing of a game, by its name without options. */
export const choiceFor = (scene) => CHOICES[scene.game.split(":")[0]] ?? PlainChoice;
