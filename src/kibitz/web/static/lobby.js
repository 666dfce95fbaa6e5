// The lobby: a new table, the tables that there are, a record from a file.

import { get, post, remove } from "./api.js";
import { cardElement } from "./cards.js";
import { button, byId, count, el, seconds } from "./dom.js";
import { linkList, NewTable } from "./new_table.js";
import { Stream } from "./stream.js";

const FAN = ["Kh", "princess", "As", "king", "Qd"];
const LOOK_AGAIN = 5000;
const FEW = 5;

function titleOf(catalogue, game) {
  const [name, options] = game.split(":");
  const title = catalogue.games.find((one) => one.name === name)?.title.split(":")[0] ?? name;
  return options ? `${title} (${options.replaceAll(",", ", ").replaceAll("=", " ").replaceAll("_", " ")})` : title;
}

/** `seat 2 wins` with who sits there: `you win` for the only person. */
function withNames({ result, names }) {
  const persons = names.filter((name) => name === "person").length;
  if (persons === 1 && result === `seat ${names.indexOf("person") + 1} wins`) return "you won";
  return result.replace(/^seat (\d+) wins$/, (all, seat) => (names[seat - 1] === "person" ? all : `${names[seat - 1].split(":")[0]} won`));
}

const shown = (name) => (name === "person" ? "a person" : name);

function howItStands(table, unit) {
  if (table.result && table.finished) return withNames(table);
  if (table.your_turn) return "your turn";
  if (table.over || (!table.plays && table.games)) return `after ${count(table.games, unit)}`;
  return `after ${count(table.plays ?? 0, "play")}`;
}

class Lobby {
  constructor(catalogue) {
    this.catalogue = catalogue;
    new NewTable(byId("new-table"), catalogue, (answer) => this.#links(answer));
    const file = byId("file");
    file.addEventListener("change", () => this.#open(file));
    file.disabled = false; // until now a chosen file would have been lost
    this.list();
    setInterval(() => !document.hidden && this.list(), LOOK_AGAIN);
    addEventListener("pageshow", () => this.list());
    new Stream("/api/compiling", { compiling: (what) => this.#compiling(what) }).open();
  }

  async list() {
    let tables;
    try {
      ({ tables } = await get("/api/tables"));
    } catch {
      return;
    }
    const key = JSON.stringify(tables);
    if (key === this.listed) return;
    this.listed = key;
    const waiting = tables.find((table) => table.your_turn);
    byId("resume").replaceChildren(waiting ? el("a", { class: "button primary", href: waiting.href }, `Go on with ${titleOf(this.catalogue, waiting.game.split(":")[0])}: your turn`) : "");
    byId("tables").replaceChildren(
      ...(tables.length
        ? [
            el("ul", { class: "tables" }, tables.slice(0, FEW).map((table) => this.#row(table))),
            tables.length > FEW ? el("details", {}, el("summary", {}, `${tables.length - FEW} more`), el("ul", { class: "tables" }, tables.slice(FEW).map((table) => this.#row(table)))) : "",
          ]
        : [el("p", { class: "quiet-text" }, "None yet. A game that you leave stays here.")]),
    );
  }

  #row(table) {
    const title = titleOf(this.catalogue, table.game);
    const unit = this.catalogue.games.find((one) => one.name === table.game.split(":")[0])?.unit ?? "game";
    const others = !table.finished && Object.keys(table.links ?? {}).length > 0;
    return el(
      "li",
      { class: table.your_turn ? "yours" : "" },
      el(
        "div",
        { class: "what" },
        el("strong", {}, title),
        el("span", {}, table.names.map(shown).join(", ")),
        el("span", { class: "quiet-text" }, `${howItStands(table, unit)} · ${new Date(table.changed * 1000).toLocaleString([], { dateStyle: "medium", timeStyle: "short" })}`),
      ),
      el(
        "div",
        { class: "acts" },
        el("a", { class: `button${table.finished ? "" : " primary"}`, href: table.href }, table.finished ? "Look" : "Go on"),
        button("✕", () => this.#remove(table), { class: "remove", title: "Remove", "aria-label": `Remove ${title}` }),
      ),
      others ? el("details", {}, el("summary", {}, "Links for others"), linkList(table.links)) : null,
    );
  }

  async #remove(table) {
    if (!table.finished && !confirm("Remove this table? The game cannot be brought back.")) return;
    await remove(`/api/tables/${table.id}`).catch(() => {});
    this.list();
  }

  #links({ href, links }) {
    const dialog = el(
      "dialog",
      { "aria-label": "Links for the others", on: { close: () => dialog.remove() } },
      el("h2", {}, "Send these links"),
      el("p", {}, "Whoever opens one sits in that seat."),
      this.catalogue.shared ? null : el("p", { class: "quiet-text" }, "They work on this computer only. Start kibitz serve --share to let other devices in."),
      linkList(links),
      el("div", { class: "acts" }, el("a", { class: "button primary", href }, "Sit down"), button("Later", () => dialog.close())),
    );
    document.body.append(dialog);
    dialog.showModal();
    this.list();
  }

  async #open(input) {
    const failure = byId("record-failure");
    failure.textContent = "";
    const [file] = input.files;
    if (!file) return;
    try {
      const { href } = await post("/api/tables/open", { record: await file.text() });
      location.href = href;
    } catch (error) {
      failure.textContent = error.message;
      input.value = "";
    }
  }

  #compiling({ seconds: soFar, expected, done }) {
    byId("compiling").textContent = done ? "" : `Preparing the strategies, ${seconds(soFar, expected)}. You can sit down already.`;
  }
}

for (const text of FAN) byId("fan").append(cardElement({ text, label: text }, { small: true }));
get("/api/catalogue").then(
  (catalogue) => new Lobby(catalogue),
  (error) => {
    const words = error.status === 401 ? "Open the address that kibitz serve has printed: it lets this browser in." : error.message;
    byId("new-table").replaceChildren(el("p", { class: "failure", role: "alert" }, words));
  },
);
