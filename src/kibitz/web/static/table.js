// The page of a table: it keeps the newest state, draws it, and sends what the person chooses.

import { post } from "./api.js";
import { cardElement } from "./cards.js";
import { choiceFor } from "./choose.js";
import { Coach } from "./coach.js";
import { button, byId, calm, capitalized, el, seconds } from "./dom.js";
import { Hint } from "./hint.js";
import { Log } from "./log.js";
import { LookBack } from "./look_back.js";
import { arrive, capture, deal, snapshot } from "./motion.js";
import { Review } from "./review.js";
import { roving } from "./roving.js";
import { Rules } from "./rules.js";
import { drawTable, named, seatName } from "./scene.js";
import { Sheet } from "./sheet.js";
import { Stream } from "./stream.js";
import { WatchBar } from "./watch.js";

const FOLDER = location.pathname.replace(/[^/]*$/, "");
const felt = byId("felt");
const status = byId("status");
const narrow = matchMedia("(max-width: 820px)");

class Table {
  constructor() {
    this.waiting = [];
    this.state = null;
    this.log = new Log(byId("spoken"));
    this.hint = new Hint(FOLDER, (parts) => this.#showHint(parts));
    this.review = new Review(FOLDER, (scene, words, play) => this.#glance(scene, words, play));
    this.sheet = new Sheet(byId("side"), byId("tools"));
    this.sheet.add("log", "Game", this.log.element);
    this.rules = new Rules(FOLDER);
    this.sheet.add("rules", "Rules", this.rules.element, () => this.rules.load());
    this.coach = new Coach(() => this.#draw(), () => this.choice?.demonstrate(), () => this.sheet.open("rules"));
    this.lookBack = new LookBack(FOLDER, {
      show: (scene, names, bar, stop) => this.#showPast(scene, names, bar, stop),
      leave: () => this.#leavePast(),
      details: (title) => this.sheet.details(title),
    });
    this.watch = new WatchBar(FOLDER, (look) => this.stream.open(`${FOLDER}events?look=${look}`));
    this.stream = new Stream(
      `${FOLDER}events`,
      {
        state: (state) => this.#receive(state),
        compiling: (what) => this.#compiling(what),
        failed: ({ error }) => this.#tell(`A player failed: ${error}`),
        gone: (why) => this.#gone(why),
      },
      {
        onBroken: (broken) => this.#broken(broken),
        onResting: (rests) => this.#tell(rests ? "Many tables are open in this browser: this one rests until you click on it." : ""),
        onRefused: (status) => this.#refused(status),
      },
    );
    document.addEventListener("keydown", (event) => this.#key(event));
    felt.addEventListener("click", (event) => this.#openPile(event));
    narrow.addEventListener("change", () => this.state && !this.past && this.#draw());
    this.stream.open();
  }

  // -- what the server says ----------------------------------------------------------------

  #receive(state) {
    this.#tell("");
    this.waiting.push(state);
    if (!this.drawing) this.#work();
  }

  /** Draw what has come, one state after the other, so that every play is seen. */
  async #work() {
    this.drawing = true;
    while (this.waiting.length) {
      if (this.waiting.length > 4 || calm() || document.hidden) this.waiting.splice(0, this.waiting.length - 1);
      await this.#advance(this.waiting.shift());
    }
    this.drawing = false;
  }

  async #advance(state) {
    const old = this.state;
    this.state = state;
    if (this.past) return this.#panels();
    const goesOn = old && old.game === state.game && old.scene.seat === state.scene.seat;
    const before = goesOn ? snapshot(felt) : null;
    const known = new Set(goesOn ? old.happened.map((item) => `${item.turn}/${item.words}`) : []);
    const fresh = state.happened.filter((item) => item.seat && !known.has(`${item.turn}/${item.words}`));
    if (before && state.scene.log.length >= old.scene.log.length) {
      const taken = fresh.filter((item) => item.parts?.captures?.length).at(-1);
      if (taken) await capture(felt, { seat: taken.seat, ...taken.parts });
    }
    this.#draw();
    if (before) await arrive(felt, before, fresh);
    else if (!state.scene.log.length && !state.happened.length) await deal(felt);
    return undefined;
  }

  /** What is compiled in the background nobody waits for. */
  #compiling({ seconds: soFar, expected, done, where }) {
    if (where === "background") return;
    this.#tell(done ? "" : `Preparing, ${seconds(soFar, expected)}. Only the first time.`);
  }

  #gone({ why }) {
    this.stream.close();
    if (why === "removed") this.#tell("This table has been removed.");
    if (why === "replaced") this.#tell("This table has been opened elsewhere. Reload to come back.");
  }

  #broken(broken) {
    if (broken) this.#tell("The connection is broken. Trying again …");
    else if (status.textContent.startsWith("The connection")) this.#tell("");
  }

  #refused(status) {
    const words = status === 404 ? "There is no such table." : "This is somebody's seat. Open the link to yours.";
    felt.replaceChildren(el("p", { class: "waiting", role: "alert" }, words));
  }

  #tell(words) {
    if (status.textContent !== words) status.textContent = words;
  }

  // -- what the person does ----------------------------------------------------------------

  async #send(door, body) {
    if (this.sending) return;
    this.sending = true;
    felt.classList.remove("choosing");
    try {
      await post(`${FOLDER}${door}`, { version: this.state.version, ...body });
      if (!this.stream.wanted) this.stream.open();
    } catch (error) {
      this.#refuse(error);
    } finally {
      this.sending = false;
    }
  }

  #refuse(error) {
    felt.classList.add("choosing");
    const bar = felt.querySelector(".choice");
    bar?.querySelector(".refusal")?.remove();
    bar?.append(el("p", { class: "refusal", role: "alert" }, error.rule ? [this.#ruleLink(error.rule), ": "] : null, error.message));
  }

  #ruleLink(number) {
    const open = () => {
      this.sheet.open("rules");
      this.rules.find(number);
    };
    return button(`Rule ${number}`, open, { class: "link plain-button" });
  }

  #key(event) {
    if (event.altKey || event.ctrlKey || event.metaKey || event.target.matches("input:not([type=checkbox]), select, textarea")) return;
    if (document.querySelector("dialog[open]")) return;
    const key = event.key.length === 1 ? event.key.toLowerCase() : event.key;
    if (this.past) {
      if (key === "Escape") this.#leavePast();
      else if (this.lookBack.onKey(key)) event.preventDefault();
      return;
    }
    if (key === "Escape" && this.choice) this.choice.restart();
    else if (this.choice?.onKey(key)) event.preventDefault();
    else if (key === "u" && this.state?.can.undo) this.#send("undo");
    else if (key === "h" && this.state?.can.hint) this.#askHint();
  }

  #askHint() {
    this.sheet.open("hint");
    this.hint.request();
  }

  /** What a hint said is chosen at the table; the person has only to confirm it. */
  #showHint(parts) {
    if (this.past) this.#leavePast();
    this.sheet.close();
    this.choice?.demonstrate(parts);
  }

  /** Captured cards may be looked through by everybody. */
  #openPile(event) {
    const pile = event.target.closest(".pile");
    if (!pile) return;
    const cards = JSON.parse(pile.dataset.cards);
    const dialog = el(
      "dialog",
      { "aria-label": pile.getAttribute("aria-label"), on: { close: () => dialog.remove() } },
      el("h2", {}, pile.getAttribute("aria-label").replace("Look through ", "")),
      el("div", { class: "cards" }, cards.map((card) => cardElement(card, { small: true }))),
      button("Close", () => dialog.close(), { class: "primary" }),
    );
    document.body.append(dialog);
    dialog.showModal();
  }

  // -- drawing -----------------------------------------------------------------------------

  #draw() {
    const { state } = this;
    const { scene } = state;
    const focused = document.activeElement.closest(".felt, .coach") ? document.activeElement.dataset.key ?? "bar" : null;
    const Choice = choiceFor(scene);
    const mine = state.can.play;
    const bar = el("div", { class: "choice" });
    this.#lay(drawTable(state, { choosable: (zone) => mine && Choice.choosable(zone, scene) }), bar, scene);
    felt.classList.toggle("choosing", mine);
    this.choice = null;
    if (mine) {
      this.choice = new Choice({ scene, names: state.names, root: felt, bar, send: (play) => this.#send("play", play) });
      this.choice.begin();
    } else if (scene.over) this.#end(bar);
    else if (state.can.step) this.watch.fill(bar, state);
    else bar.append(el("p", { class: "prompt" }, this.#waitingFor()));
    this.#coach(bar);
    this.#groups();
    if (focused) this.#focus(focused);
    this.#panels();
  }

  #lay({ opponents, middle, own }, bar, scene) {
    felt.className = `felt ${scene.game.split(":")[0]}`;
    felt.dataset.players = scene.seats.length;
    felt.dataset.version = this.state.version;
    felt.replaceChildren(opponents, middle, bar, own);
  }

  /** Above the bar on a phone, else beside the table. */
  #coach(bar) {
    const { scene } = this.state;
    for (const old of document.querySelectorAll("aside.coach")) old.remove();
    if (!scene.seats.some((one) => one.you)) return;
    if (scene.over) {
      this.coach.played(scene);
      return;
    }
    const words = this.coach.element(scene, this.choice?.hasExample(), narrow.matches);
    if (!words) return;
    if (narrow.matches) felt.insertBefore(words, bar);
    else byId("side").prepend(words);
  }

  #groups() {
    const hand = () => felt.querySelector('.seat.own .hand button.card[tabindex="0"]');
    const spread = () => felt.querySelector('.spread button.card[tabindex="0"]');
    for (const group of felt.querySelectorAll(".seat.own .hand .cards")) roving(group, "button.card", { above: spread });
    for (const group of felt.querySelectorAll(".spread .cards")) roving(group, "button.card", { below: hand });
    for (const group of felt.querySelectorAll(".board")) roving(group, "button.square");
  }

  #focus(key) {
    const same = key !== "bar" && felt.querySelector(`button[data-key="${CSS.escape(key)}"]`);
    const first = felt.querySelector('.seat.own .hand button.card[tabindex="0"], button.square[tabindex="0"], .choice button');
    (same || first)?.focus({ preventScroll: true });
  }

  #waitingFor() {
    const { state } = this;
    if (state.scene.chance) return "The cards decide …";
    const { turn } = state.scene;
    if (state.thinking || !turn) return turn ? `${seatName(state.scene, state.names, turn)} is thinking …` : "…";
    return `It is the turn of ${seatName(state.scene, state.names, turn).toLowerCase()}.`;
  }

  #end(bar) {
    const { state } = this;
    bar.classList.add("end");
    if (state.scene.seats.some((one) => one.you && one.won)) bar.classList.add("yours");
    const { can } = state;
    bar.append(
      el("h2", { class: "prompt" }, capitalized(named(state.result?.words || state.scene.outcome || "The end", state.scene, state.names))),
      el(
        "div",
        { class: "controls" },
        can.next ? button(`Next ${state.scene.unit}`, () => this.#send("next"), { class: "primary", data: { act: "next" } }) : null,
        can.review ? button("Where did I go wrong?", () => this.sheet.open("review"), { data: { act: "review" } }) : null,
        can.turns ? button("Step through it", () => this.#lookBack(), { data: { act: "turns" } }) : null,
        can.record ? el("a", { class: "button", href: `${FOLDER}record`, download: true }, "Download the record") : null,
        state.finished ? el("a", { class: "button", href: "/" }, "Another game") : null,
      ),
    );
  }

  #panels() {
    const { state } = this;
    const { scene, can } = state;
    const name = scene.title.split(":")[0];
    byId("title").textContent = name;
    document.title = state.your_turn ? `Your turn: ${name}` : `${name}: Kibitz`;
    const { match } = scene;
    byId("match").textContent = match ? `${capitalized(scene.unit)} ${match.number} · to ${match.target}: ${this.#score(match)}` : "";
    this.log.show(state);
    this.hint.show(state);
    if (scene.seats.some((one) => one.you) && !state.finished) this.sheet.add("hint", "Hint", this.hint.element);
    if (can.review) {
      this.review.show(state);
      this.sheet.add("review", "Review", this.review.element);
    } else this.sheet.drop("review");
    this.sheet.tools([
      can.undo ? button("Undo", () => this.#send("undo"), { title: "Key U", data: { act: "undo" } }) : null,
      can.hint ? button("Hint", () => this.#askHint(), { title: "Key H", data: { act: "hint" } }) : null,
    ]);
  }

  /** Partners have one score together. */
  #score({ score }) {
    const { scene, names } = this.state;
    const own = scene.seat;
    if (scene.seats.some((one) => one.partner)) {
      return `your side ${score[own - 1]} – the others ${score[own % scene.seats.length]}`;
    }
    const short = narrow.matches && scene.seats.length > 2;
    const name = (one) => (short && !one.you ? `${one.seat}:` : seatName(scene, names, one.seat));
    return scene.seats.map((one) => `${name(one)} ${score[one.seat - 1]}`).join(" – ");
  }

  // -- tables of earlier turns -------------------------------------------------------------

  #lookBack() {
    this.lookBack.begin(this.state.can.thoughts).catch((error) => this.#refuse(error));
  }

  #showPast(scene, names, bar, stop) {
    const before = this.past ? snapshot(felt) : null;
    const past = { scene, names, levels: this.state.levels, happened: [] };
    this.past = true;
    this.choice = null;
    if (bar.parentNode === felt) {
      const { opponents, middle, own } = drawTable(past, { quiet: true });
      felt.querySelector(".opponents").replaceWith(opponents);
      felt.querySelector(".middle").replaceWith(middle);
      felt.querySelector(".seat.own").replaceWith(own);
    } else {
      this.#lay(drawTable(past, { quiet: true }), bar, scene);
    }
    for (const text of [stop?.parts?.card, ...(stop?.parts?.captures ?? [])]) {
      if (text) felt.querySelector(`.spread [data-card="${text}"], [data-zone="hand-${stop.seat}"] [data-card="${text}"]`)?.classList.add("taken");
    }
    if (before) arrive(felt, before, stop ? [stop] : []);
  }

  #glance(scene, words, play) {
    const bar = el("div", { class: "choice" }, el("p", { class: "prompt" }, capitalized(words)), el("div", { class: "controls" }, button("Back to the end", () => this.#leavePast())));
    this.#showPast(scene, this.state.names, bar, null);
    const [card, ...taken] = (play ?? "").match(/\w+/g) ?? [];
    const marked = [`.seat.own .hand [data-card="${card}"]`, ...taken.map((one) => `.spread [data-card="${one}"]`)];
    for (const one of marked) felt.querySelector(one)?.classList.add("taken");
    if (narrow.matches) this.sheet.close();
  }

  #leavePast() {
    this.past = false;
    this.#draw();
  }
}

new Table();
