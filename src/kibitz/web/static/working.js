// A job of the server in a part of the page: how it stands, a button to stop it, its failure.

import { followJob, post } from "./api.js";
import { button, capitalized, el } from "./dom.js";

const shown = (parts) => [parts].flat(Infinity).filter(Boolean);

/** Start a job and show into `place` what `render(result)` makes of it. What a job knows already is
 * shown by `partial(so far)`; when it was stopped, `stopped()` says what stays. */
export async function work(place, folder, door, body, render, { partial = () => null, stopped = () => null } = {}) {
  const words = el("span", {}, "Working …");
  const soFar = el("div");
  const stopping = { asked: false, wake: () => {} };
  const stop = button("Stop", () => {
    stopping.asked = true;
    stopping.wake();
  }, { data: { act: "stop" } });
  place.replaceChildren(el("div", { class: "progress", role: "status" }, words, stop), soFar);
  try {
    const { job } = await post(`${folder}${door}`, body);
    const result = await followJob(folder, job, (now) => {
      const what = now.progress || (now.state === "waiting" ? "Waiting for its turn" : "Working");
      words.textContent = now.seconds >= 1 ? `${capitalized(what)} … ${Math.round(now.seconds)} s` : `${capitalized(what)} …`;
      if (now.partial) soFar.replaceChildren(...shown(partial(now.partial)));
    }, stopping);
    if (result === null) place.replaceChildren(el("p", { class: "quiet-text" }, "Stopped."), ...shown(stopped()));
    else place.replaceChildren(...shown(render(result)));
    return result;
  } catch (error) {
    const again = button("Try again", () => work(place, folder, door, body, render, { partial, stopped }));
    place.replaceChildren(el("p", { class: "failure", role: "alert" }, error.message), again, ...shown(stopped()));
    return null;
  }
}


