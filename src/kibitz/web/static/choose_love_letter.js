// Choosing a play of Love Letter: the card, then whom it is aimed at, then the card that is named.

import { cardButton } from "./cards.js";
import { Choice } from "./choice.js";
import { button, capitalized, el } from "./dom.js";
import { CHARACTERS } from "./face_letters.js";
import { seatName } from "./scene.js";

const WARNINGS = { princess: "Whoever plays the Princess is out of the round." };

export class LoveLetterChoice extends Choice {
  static choosable(zone, scene) {
    return zone.name === "hand" && zone.seat === scene.seat;
  }

  begin() {
    this.#mark(null);
    this.#targets([]);
    for (const node of this.#hand()) {
      node.onclick = () => this.#card(node);
      const legal = this.scene.plays.some((play) => play.parts.card === node.dataset.card);
      node.setAttribute("aria-disabled", String(!legal));
    }
    this.say("Your turn: choose the card that you play.");
  }

  #hand() {
    return this.root.querySelectorAll(".seat.own .hand button.card");
  }

  #mark(chosen) {
    for (const node of this.#hand()) {
      node.classList.toggle("chosen", node === chosen);
      node.setAttribute("aria-pressed", String(node === chosen));
    }
  }

  #card(node) {
    const card = node.dataset.card;
    const name = capitalized(card);
    const plays = this.scene.plays.filter((play) => play.parts.card === card);
    this.#targets([]);
    if (!plays.length) {
      this.#mark(null);
      this.say(`The ${name} cannot be played now: with the Prince or the King in hand the Countess must be.`);
      return;
    }
    this.#mark(node);
    const targets = [...new Set(plays.map((play) => play.parts.target ?? 0))];
    if (targets.length === 1) {
      this.#target(card, plays, targets[0]);
      return;
    }
    const choose = (target) => this.#target(card, plays, target);
    this.#targets(targets, choose);
    this.say(
      `${name}: on whom?`,
      targets.map((target) => button(this.#who(target), () => choose(target), { data: { target } })),
      this.#back(),
    );
    this.#focus(node);
  }

  #who(target) {
    return target === this.scene.seat ? "Yourself" : seatName(this.scene, this.names, target);
  }

  #target(card, all, target) {
    const plays = all.filter((play) => (play.parts.target ?? 0) === target);
    this.#targets([]);
    const name = capitalized(card);
    const on = target ? ` on ${target === this.scene.seat ? "yourself" : this.#who(target)}` : "";
    if (plays.length > 1) {
      const cards = plays.map((play) => {
        const { guess } = play.parts;
        const face = cardButton({ text: guess, label: capitalized(guess), note: String(CHARACTERS[guess].number) }, { small: true, label: `Name the ${capitalized(guess)}` });
        face.addEventListener("click", () => this.send({ play: play.text }));
        return face;
      });
      this.say(`${name}${on}: which card do you name?`, el("div", { class: "tray", role: "group", "aria-label": "The card that you name" }, cards), this.#back());
      this.#focus();
      return;
    }
    const [play] = plays;
    const nothing = !play.parts.target && card in { guard: 1, priest: 1, baron: 1, king: 1 };
    const remark = WARNINGS[card] ?? (nothing ? "Everybody else is protected: it has no effect." : CHARACTERS[card].lines.join(" "));
    this.say(`${name}${on}. ${remark}`, button(`Play the ${name}`, () => this.send({ play: play.text }), { class: "primary" }), this.#back());
    this.#focus();
  }

  #back() {
    return button("‹ Back", () => this.restart(), { class: "quiet" });
  }

  restart() {
    this.begin();
    this.#hand()[0]?.focus();
  }

  async demonstrate({ card, target, guess }) {
    this.begin();
    this.#card([...this.#hand()].find((node) => node.dataset.card === card));
    const plays = this.scene.plays.filter((play) => play.parts.card === card);
    this.#target(card, plays, target ?? 0);
    const last = this.bar.querySelector(guess ? `.tray [data-card="${guess}"]` : ".primary");
    last?.classList.toggle("fits", Boolean(guess));
    last?.focus({ preventScroll: true });
  }

  /** Let the seats themselves be clicked. */
  #targets(targets, choose) {
    for (const seat of this.root.querySelectorAll(".seat")) {
      const target = targets.find((one) => String(one) === seat.dataset.seat);
      seat.classList.toggle("target", target !== undefined);
      seat.onclick = target === undefined ? null : (event) => event.target.closest("button") || choose(target);
    }
  }

  /** After a choice by keyboard the next one has the focus. */
  #focus() {
    this.bar.querySelector("button")?.focus({ preventScroll: true });
  }
}
