// The form for a new table: game, players, your seat, who sits in the others, house rules, seed.

import { post } from "./api.js";
import { cardElement } from "./cards.js";
import { button, el, select } from "./dom.js";
import { OptionFields, withOptions } from "./options.js";

const FIRST = ["love-letter", "tablic"];
const FACES = {
  "love-letter": ["guard", "countess", "princess"],
  tablic: ["10d", "Qh", "2c"],
};

const titleOf = (game) => game.title.split(":")[0];
const aboutOf = (game) => game.title.split(":").slice(1).join(":").trim();

/** Who sits in one of the other seats: a level, a strategy with options, or another person. */
class Opponent {
  constructor(game, seat) {
    const levels = game.levels.map((level) => [`level:${level.name}`, `${level.name}: ${level.about}`]);
    const strategies = game.strategies.map((one) => [`strategy:${one.name}`, `strategy ${one.name}`]);
    const usual = levels.length ? levels[Math.min(1, levels.length - 1)][0] : strategies[0]?.[0];
    const id = `opponent-${seat}`;
    this.game = game;
    this.who = select([...levels, ["person", "another person"], ...strategies], usual, { id, on: { change: () => this.#change() } });
    this.more = el("div");
    this.element = el("div", { class: "opponent" }, el("label", { for: id }, `Seat ${seat}`), this.who, this.more);
    this.#change();
  }

  #change() {
    const [kind, name] = this.who.value.split(":");
    this.fields = null;
    this.more.replaceChildren();
    if (kind !== "strategy") return;
    const strategy = this.game.strategies.find((one) => one.name === name);
    this.fields = new OptionFields(strategy.options);
    const knows = { "open-hands": "It sees all hands.", "open-deck": "It sees all cards, the deck too." }[strategy.knows];
    this.more.append(el("p", { class: "quiet-text" }, strategy.title ?? strategy.about ?? "", knows ? ` ${knows}` : ""));
    if (strategy.options.length) this.more.append(el("details", {}, el("summary", {}, "its options"), this.fields.element));
  }

  get text() {
    if (!this.fields) return this.who.value;
    return withOptions(this.who.value.split(":")[1], this.fields.settings());
  }

  valid() {
    return this.fields?.valid() ?? true;
  }
}

export class NewTable {
  /** `onLinks(answer)` is called for a table at which other persons are to sit. */
  constructor(root, catalogue, onLinks) {
    this.catalogue = catalogue;
    this.onLinks = onLinks;
    this.tiles = el("div", { class: "tiles", role: "group", "aria-label": "Game" });
    this.form = el("form", { class: "table-form", on: { submit: (event) => this.#submit(event) } });
    const games = catalogue.games;
    const first = FIRST.map((name) => games.find((one) => one.name === name)).filter(Boolean);
    const others = games.filter((one) => !FIRST.includes(one.name));
    this.tiles.append(...first.map((game) => this.#tile(game)));
    this.others = select([["", "other games …"], ...others.map((game) => [game.name, titleOf(game)])], "", {
      "aria-label": "Other games",
      on: { change: () => this.others.value && this.#choose(games.find((one) => one.name === this.others.value)) },
    });
    root.append(this.tiles, this.others, this.form);
    this.#choose(first[0] ?? games[0]);
  }

  #tile(game) {
    const cards = FACES[game.name].map((text) => cardElement({ text, label: text }, { small: true }));
    return el(
      "button",
      { type: "button", class: "tile plain-button", "aria-pressed": "false", data: { game: game.name }, on: { click: () => this.#choose(game) } },
      el("span", { class: "hand", "aria-hidden": "true" }, cards),
      el("strong", {}, titleOf(game)),
      el("span", { class: "quiet-text" }, aboutOf(game)),
    );
  }

  #choose(game) {
    this.game = game;
    for (const tile of this.tiles.children) tile.setAttribute("aria-pressed", String(tile.dataset.game === game.name));
    if (FIRST.includes(game.name)) this.others.value = "";
    this.players = game.players[0];
    this.rules = new OptionFields(game.options.filter((option) => option.name !== "players"));
    this.seed = el("input", { type: "text", id: "seed", inputmode: "numeric", pattern: "[0-9]{1,40}", placeholder: "by chance", title: "A whole number: the same number deals the same cards" });
    this.failure = el("p", { class: "failure", role: "alert" });
    this.who = el("div", { class: "who-plays" });
    const players = game.players.length > 1
      ? el("div", { class: "row" }, el("label", { for: "players" }, "Players"), select(game.players.map((n) => [String(n), String(n)]), String(this.players), { id: "players", on: { change: (event) => this.#seats(Number(event.target.value)) } }))
      : null;
    this.form.replaceChildren(
      el("h3", {}, titleOf(game)),
      players ?? "",
      this.who,
      el(
        "details",
        {},
        el("summary", {}, "House rules and seed"),
        this.rules.element,
        el("div", { class: "option" }, el("label", { for: "seed" }, "seed"), this.seed, el("p", { class: "quiet-text" }, "The same seed deals the same cards.")),
      ),
      this.failure,
      el("button", { type: "submit", class: "primary" }, "Sit down"),
    );
    this.#seats(this.players);
  }

  #seats(players) {
    this.players = players;
    const seats = Array.from({ length: players }, (_, i) => i + 1);
    this.mine = select([...seats.map((seat) => [String(seat), `seat ${seat}${seat === 1 ? ", which begins" : ""}`]), ["watch", "none: I watch"]], "1", { id: "mine", on: { change: () => this.#opponents() } });
    this.rest = el("div", { class: "rest" });
    this.opponents = new Map(seats.map((seat) => [seat, new Opponent(this.game, seat)]));
    this.who.replaceChildren(el("div", { class: "row" }, el("label", { for: "mine" }, "Your seat"), this.mine), this.rest);
    this.#opponents();
  }

  #opponents() {
    this.rest.replaceChildren(...[...this.opponents].filter(([seat]) => String(seat) !== this.mine.value).map(([, one]) => one.element));
    const submit = this.form.querySelector('[type="submit"]');
    submit.textContent = this.mine.value === "watch" ? "Watch" : "Sit down";
  }

  async #submit(event) {
    event.preventDefault();
    const others = [...this.opponents].filter(([seat]) => String(seat) !== this.mine.value);
    if (!this.rules.valid() || !this.seed.reportValidity() || !others.every(([, one]) => one.valid())) return;
    const settings = this.rules.settings();
    if (this.game.options.some((option) => option.name === "players") && this.players !== this.game.players[0]) settings.unshift(`players=${this.players}`);
    const seats = [...this.opponents].map(([seat, one]) => (String(seat) === this.mine.value ? "person" : one.text));
    const body = { game: withOptions(this.game.name, settings), seats };
    if (this.seed.value) body.seed = this.seed.value;
    const submit = this.form.querySelector('[type="submit"]');
    submit.disabled = true;
    this.failure.textContent = "";
    try {
      const answer = await post("/api/tables", body);
      const shared = seats.filter((one) => one === "person").length > (this.mine.value === "watch" ? 0 : 1);
      if (shared) this.onLinks(answer);
      else location.href = answer.href;
    } catch (error) {
      this.failure.textContent = error.message;
    } finally {
      submit.disabled = false;
    }
  }
}

/** Links for the other seats, each to be copied. */
export function linkList(links) {
  return el(
    "ul",
    { class: "links" },
    Object.entries(links).map(([seat, href]) => {
      const address = new URL(href, location.href).href;
      const label = seat === "watch" ? "To look on" : `Seat ${seat}`;
      const copy = button("Copy", async () => {
        await navigator.clipboard?.writeText(address).catch(() => field.select());
        copy.textContent = "Copied";
      }, { "aria-label": `Copy the link: ${label}` });
      const field = el("input", { type: "text", readonly: true, value: address, "aria-label": `${label}: link`, on: { focus: (event) => event.target.select() } });
      return el("li", {}, el("span", {}, label), field, copy);
    }),
  );
}
