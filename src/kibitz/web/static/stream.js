// The server's events. A browser opens six connections to a host at most, so a stream is closed
// while its tab is hidden and when the server has nothing more to say, and opened again later.
// Of tabs that are all in sight, in windows side by side, the one used longest ago rests.

const FIRST_WAIT = 500;
const LONGEST_WAIT = 8000;
/** Streams at a time: one connection is left for whatever else a page asks for. */
const MOST = 5;

export class Stream {
  /** `handlers`: by event name, called with its data; `onBroken` and `onResting` are told true and
   * false, and `onRefused` that this browser has no key to it. */
  constructor(path, handlers, { onBroken = () => {}, onResting = () => {}, onRefused = () => {} } = {}) {
    Object.assign(this, { path, handlers, onBroken, onResting, onRefused });
    this.id = crypto.getRandomValues(new Uint32Array(2)).join("-");
    this.newer = new Set(); // the other tabs' streams that were opened after this one
    this.tabs = new BroadcastChannel("kibitz-streams");
    this.tabs.onmessage = ({ data }) => this.#other(data);
    this.wait = FIRST_WAIT;
    this.wanted = false;
    document.addEventListener("visibilitychange", () => this.#adjust());
    // A page that the browser keeps to come back to has lost its stream.
    addEventListener("pagehide", () => this.#close());
    addEventListener("pageshow", (event) => event.persisted && this.#adjust());
    for (const sign of ["focus", "pointerdown", "keydown"]) addEventListener(sign, () => this.resting && this.#adjust());
  }

  /** Another tab has opened its stream, or closed it. */
  #other({ id, open }) {
    if (!open) this.newer.delete(id);
    else if (this.source) this.newer.add(id);
    if (this.newer.size < MOST) return;
    this.#close();
    this.resting = true;
    this.onResting(true);
  }

  open(path = this.path) {
    this.#close();
    this.path = path;
    this.wanted = true;
    this.#adjust();
  }

  close() {
    this.wanted = false;
    this.#close();
  }

  #adjust() {
    if (document.hidden) this.#close();
    else if (this.wanted && !this.source) this.#connect();
  }

  #close() {
    clearTimeout(this.timer);
    if (this.source) this.tabs.postMessage({ id: this.id, open: false });
    this.source?.close();
    this.source = null;
    this.newer.clear();
  }

  #connect() {
    const source = new EventSource(this.path);
    this.source = source;
    this.tabs.postMessage({ id: this.id, open: true });
    if (this.resting) this.onResting(false);
    this.resting = false;
    source.onopen = () => {
      this.wait = FIRST_WAIT;
      this.onBroken(false);
    };
    source.onerror = () => {
      // The browser's own attempts end at the first answer that is no stream: try on by ourselves.
      this.#close();
      if (this.wanted && !document.hidden) this.#later();
    };
    for (const [name, handler] of Object.entries(this.handlers)) {
      source.addEventListener(name, (event) => {
        if (this.source === source) handler(JSON.parse(event.data));
      });
    }
  }

  /** Why it broke a stream does not tell: ask, and try again if there is any use. */
  async #later() {
    const asked = new AbortController();
    const status = await fetch(this.path, { signal: asked.signal, cache: "no-store" }).then((answer) => answer.status, () => 0);
    asked.abort();
    if ([401, 403, 404].includes(status)) {
      this.wanted = false;
      this.onRefused(status);
      return;
    }
    this.onBroken(true);
    this.timer = setTimeout(() => this.#adjust(), this.wait);
    this.wait = Math.min(this.wait * 2, LONGEST_WAIT);
  }
}
