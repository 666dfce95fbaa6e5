// The sheet beside the table: tabs. On a phone it comes up from below when a tab is asked for.

import { button, el } from "./dom.js";

const narrow = () => matchMedia("(max-width: 820px)").matches;

export class Sheet {
  constructor(root, tools) {
    this.root = root;
    this.toolbar = tools;
    this.pages = new Map();
    this.tabs = el("div", { class: "tabs", role: "tablist" });
    this.body = el("div", { class: "sheet", tabindex: "0", role: "tabpanel", id: "sheet" });
    this.tabs.addEventListener("keydown", (event) => this.#arrow(event));
    const closer = button("✕", () => this.close(), { class: "close-sheet", "aria-label": "Close" });
    root.append(el("div", { class: "head" }, this.tabs, closer), this.body);
    root.addEventListener("keydown", (event) => event.key === "Escape" && this.close());
  }

  /** A page with its tab; `onShow` is called whenever it is shown. */
  add(name, label, element, onShow = () => {}) {
    if (this.pages.has(name)) return;
    const tab = button(label, () => this.show(name), { role: "tab", "aria-selected": "false", "aria-controls": "sheet", id: `tab-${name}` });
    this.pages.set(name, { tab, element, onShow });
    this.tabs.append(tab);
    if (this.pages.size === 1) this.show(name);
  }

  drop(name) {
    const page = this.pages.get(name);
    if (!page) return;
    page.tab.remove();
    this.pages.delete(name);
    if (this.shown === name) this.show([...this.pages.keys()][0]);
  }

  show(name) {
    this.shown = name;
    this.root.dataset.shown = name;
    for (const [one, { tab }] of this.pages) {
      tab.setAttribute("aria-selected", String(one === name));
      tab.tabIndex = one === name ? 0 : -1;
    }
    this.body.setAttribute("aria-labelledby", `tab-${name}`);
    const { element, onShow } = this.pages.get(name);
    this.body.replaceChildren(element);
    this.body.scrollTop = 0;
    onShow();
  }

  /** Show a page, and on a phone the sheet too. */
  open(name = this.shown) {
    this.show(name);
    this.root.classList.add("open");
    if (narrow()) this.body.focus();
  }

  close() {
    this.root.classList.remove("open");
    if (this.root.contains(document.activeElement)) this.toolbar.querySelector("button")?.focus();
  }

  /** A page for one answer: the place to put it. */
  details(title) {
    const place = el("div");
    this.drop("details");
    this.add("details", "Reasons", el("div", {}, el("h2", {}, title), place));
    this.open("details");
    return place;
  }

  /** The buttons of the bar above the table. */
  tools(controls) {
    const had = this.toolbar.contains(document.activeElement) ? document.activeElement.dataset.act : null;
    const more = button("Log", () => this.open("log"), { class: "narrow-only", data: { act: "log" } });
    this.toolbar.replaceChildren(...controls.filter(Boolean), more);
    if (had) (this.toolbar.querySelector(`[data-act="${had}"]`) ?? this.toolbar.querySelector("button"))?.focus();
  }

  #arrow(event) {
    const step = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
    if (!step) return;
    const names = [...this.pages.keys()];
    const next = names[(names.indexOf(this.shown) + step + names.length) % names.length];
    this.show(next);
    this.pages.get(next).tab.focus();
    event.preventDefault();
    event.stopPropagation();
  }
}
