// What was measured and solved: stores with their runs, pages, graphs, the solved rounds.

import { get } from "./api.js";
import { byId, button, capitalized, count, el } from "./dom.js";
import { GraphForm } from "./graph_form.js";
import { work } from "./working.js";

const LOOK_AGAIN = 2000;
const LOOK_AGAIN_LATER = 6000;
const percent = (value) => `${(100 * value).toFixed(1)}%`;

const ROWS = 15;

function shown(content) {
  if (content === null || content === undefined) return "–";
  return typeof content === "number" && !Number.isInteger(content) ? content.toFixed(4) : String(content);
}

function table(columns, rows) {
  const isNumber = (cell) => typeof cell === "number" || /^[-+±–\d.,% ]+$/.test(String(cell));
  const numeric = columns.map((_, i) => rows.length > 0 && rows.every((row) => isNumber(row[i])));
  const cell = (tag, i, content) => el(tag, { class: numeric[i] ? "number" : "", scope: tag === "th" ? "col" : null }, shown(content));
  return el(
    "div",
    { class: "scroll", tabindex: "0", role: "region", "aria-label": "Table" },
    el("table", {}, el("thead", {}, el("tr", {}, columns.map((name, i) => cell("th", i, name)))), el("tbody", {}, rows.map((row) => el("tr", {}, row.map((content, i) => cell("td", i, content)))))),
  );
}

const date = (seconds) => new Date(seconds * 1000).toLocaleDateString();

// -- comparisons -----------------------------------------------------------------------------

/** The stores with their runs, looked at again and again; one run is shown. */
class Comparisons {
  constructor() {
    this.list = byId("store-list");
    this.place = byId("run");
    this.pictures = el("div", { class: "pictures" });
  }

  show(stores) {
    const told = JSON.stringify(stores);
    if (told === this.told) return;
    this.told = told;
    const focused = document.activeElement?.dataset.run;
    this.list.replaceChildren(
      ...(stores.length ? stores.map((store) => this.#store(store)) : [el("p", { class: "quiet-text" }, "None yet: kibitz compare … --store FILE writes one.")]),
    );
    if (focused) this.list.querySelector(`[data-run="${CSS.escape(focused)}"]`)?.focus();
    if (this.shown) this.#figures();
  }

  #store(store) {
    return el("div", {}, el("h3", {}, store.name), el("div", { class: "run-list" }, store.runs.map((run) => this.#run(store, run))));
  }

  #run(store, run) {
    const path = `/api/results/${store.id}/${run.run}`;
    const pairs = Math.max(0, ...run.pairs);
    return button(
      [
        el("span", {}, el("strong", {}, run.game), ` ${run.players.join(", ")}`),
        el("span", { class: run.going_on ? "live" : "quiet-text" }, run.going_on ? `going on: ${count(pairs, "pair")}` : count(pairs, "pair")),
      ],
      () => this.#open(path, run),
      { "aria-pressed": String(path === this.shown), data: { run: path } },
    );
  }

  #open(path, run) {
    this.shown = path;
    for (const other of this.list.querySelectorAll("button")) other.setAttribute("aria-pressed", String(other.dataset.run === path));
    this.figures = el("div");
    this.place.replaceChildren(el("h3", {}, `${run.game}: ${run.players.join(", ")}, seed ${run.seed}`), this.figures, this.pictures);
    const drawn = ({ pictures }) => pictures.map(({ name, href }) => el("figure", {}, el("img", { src: href, alt: `${name}: a picture` })));
    this.pictures.replaceChildren(button("Draw the pictures", () => work(this.pictures, "/api/", `${path.slice("/api/".length)}/pictures`, {}, drawn), { data: { act: "pictures" } }));
    this.#figures().then(() => this.place.scrollIntoView({ block: "nearest" }));
  }

  async #figures() {
    const path = this.shown;
    try {
      const found = await get(path);
      if (path === this.shown) this.figures.replaceChildren(...figuresOf(found));
    } catch (error) {
      if (path === this.shown) this.figures.replaceChildren(el("p", { class: "failure" }, error.message));
    }
  }
}

/** A score between nothing and everything, with its interval and a mark at even. */
function scoreBar(label, score, [low, high], even, more) {
  return el(
    "li",
    { class: "bar-row score-row", vars: { share: score, low, high, even } },
    el("span", {}, label),
    el("span", { class: "number" }, `${percent(score)} (${percent(low)} – ${percent(high)})`),
    el("span", { class: "track", "aria-hidden": "true" }, el("span", { class: "even" }), el("span", { class: "range" }), el("span", { class: "at" })),
    more ? el("span", { class: "quiet-text more" }, more) : null,
  );
}

function matchBar(match) {
  const elo = Number.isFinite(match.elo) ? `, Elo ${match.elo > 0 ? "+" : ""}${Math.round(match.elo)}` : "";
  return scoreBar(
    el("span", {}, el("strong", {}, match.a), ` against ${match.b}`),
    match.score,
    match.ci95 ?? [0, 1],
    0.5,
    `${count(match.pairs, "pair")}: ${match.wins} won, ${match.draws} drawn, ${match.losses} lost${elo}`,
  );
}

function tableBars(table) {
  const names = table.players;
  return [
    el("h4", {}, `${names.join(", ")}: ${count(table.games, "game")}`),
    el("ul", { class: "bars" }, [...new Set(names)].map((name) => scoreBar(el("strong", {}, name), table.score[name], table.ci95[name], 1 / names.length, `${table.wins[name]} won`))),
  ];
}

function verdict({ a, b, decided, clear, better, pairs, limit }) {
  if (!decided) return `${a} – ${b}: until it is clear who is better, up to ${count(limit, "pair")}; not yet.`;
  return clear ? `${better} is clearly better than ${better === a ? b : a}, after ${count(pairs, "pair")}.` : `${a} – ${b}: no clear difference after ${count(pairs, "pair")}.`;
}

function figuresOf(found) {
  const matches = found.matches.filter((one) => one.pairs);
  const tables = (found.tables ?? []).filter((one) => one.pairs);
  const thought = ({ seconds, decisions }) => (decisions ? `${(seconds * 1e6 / decisions).toFixed(seconds / decisions < 1e-5 ? 2 : 0)} µs` : "–");
  return [
    found.going_on ? el("p", { class: "live", role: "status" }, `Going on: ${count(Math.max(...found.done), "pair")} so far.`) : "",
    matches.length ? el("ul", { class: "bars" }, matches.map(matchBar)) : "",
    ...tables.flatMap(tableBars),
    matches.length || tables.length ? "" : el("p", { class: "quiet-text" }, "Nothing is stored of it yet."),
    ...found.until_clear.map((one) => el("p", {}, verdict(one))),
    table(["player", "knows", "decisions", "a decision takes"], found.players.map((one) => [one.name, one.knows, one.decisions, thought(one)])),
  ];
}

// -- pages, solved rounds --------------------------------------------------------------------

let pagesTold;

function showPages(pages) {
  if (pagesTold === JSON.stringify(pages)) return;
  pagesTold = JSON.stringify(pages);
  byId("page-list").replaceChildren(
    pages.length
      ? el("ul", { class: "page-list" }, pages.map((page) => el("li", {}, el("a", { href: page.href, target: "_blank", rel: "noopener" }, page.title || page.name), el("span", { class: "quiet-text" }, `${page.name}, ${date(page.changed)}`))))
      : el("p", { class: "quiet-text" }, "None yet: kibitz study and kibitz compare --report write some."),
  );
}

function showSolved({ columns, rows, about }) {
  const named = rows.map(([cards, ...figures]) => [cards.split(" ").map(capitalized).join(", "), ...figures]);
  let all = false;
  const search = el("input", { type: "search", id: "find-solved", placeholder: "such as Guard, Priest" });
  const place = el("div");
  const show = () => {
    const words = search.value.toLowerCase().split(/[\s,]+/).filter(Boolean);
    const fitting = named.filter(([cards]) => words.every((word) => cards.toLowerCase().includes(word)));
    const few = !all && fitting.length > ROWS;
    const more = () => {
      all = true;
      show();
    };
    place.replaceChildren(
      el("p", { class: "quiet-text" }, `${fitting.length} of ${rows.length}${few ? `, the first ${ROWS}:` : ""}`),
      table(columns, few ? fitting.slice(0, ROWS) : fitting),
      few ? button(`Show all ${fitting.length}`, more, { data: { act: "all-solved" } }) : "",
    );
  };
  search.addEventListener("input", show);
  byId("solved-table").replaceChildren(el("p", {}, about), el("label", { for: "find-solved" }, "Find"), search, place);
  show();
}

const failed = (id) => (error) => byId(id).replaceChildren(el("p", { class: "failure", role: "alert" }, error.status === 401 ? "Open the address that kibitz serve has printed: it lets this browser in." : error.message));

const comparisons = new Comparisons();

/** Looks again: soon where something is going on. */
async function look() {
  let wait = LOOK_AGAIN_LATER;
  if (!document.hidden) {
    try {
      const { stores, pages } = await get("/api/results");
      comparisons.show(stores);
      showPages(pages);
      if (stores.some((store) => store.runs.some((run) => run.going_on))) wait = LOOK_AGAIN;
    } catch (error) {
      if (!comparisons.told) failed("store-list")(error);
      if (error.status === 401) return;
    }
  }
  setTimeout(look, wait);
}

look();
get("/api/solved").then(showSolved, failed("solved-table"));
get("/api/catalogue").then(({ games }) => new GraphForm(byId("graph-form"), byId("graph-answer"), games), failed("graph-form"));
