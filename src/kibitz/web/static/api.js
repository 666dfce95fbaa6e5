// Requests to the server: JSON up and down, and errors as one line that a person can read.

export class RequestFailed extends Error {
  constructor(status, { error, rule } = {}) {
    super(error ?? `the server answered ${status}`);
    this.status = status;
    this.rule = rule;
  }
}

async function request(method, path, body) {
  const options = { method, headers: { Accept: "application/json" }, cache: "no-store" };
  if (body !== undefined) {
    options.body = JSON.stringify(body);
    options.headers["Content-Type"] = "application/json";
  }
  let response;
  try {
    response = await fetch(path, options);
  } catch {
    throw new RequestFailed(0, { error: "The server does not answer. Is kibitz serve still running?" });
  }
  if (response.status === 204) return null;
  const answer = await response.json().catch(() => ({}));
  if (!response.ok) throw new RequestFailed(response.status, answer);
  return answer;
}

export const get = (path) => request("GET", path);
export const post = (path, body = {}) => request("POST", path, body);
export const remove = (path) => request("DELETE", path);

const ASK_AGAIN = 300;

/** Follow a job to its end: its result, or null where it was stopped. `onProgress` is told how it
 * stands; `folder` is the path that `jobs/` lies below; `stopping.asked` says that nobody wants it
 * any more, and `stopping.wake` is there to be called then. */
export async function followJob(folder, job, onProgress, stopping = {}) {
  for (;;) {
    if (stopping.asked) {
      await remove(`${folder}jobs/${job}`);
      return null;
    }
    const now = await get(`${folder}jobs/${job}`);
    if (now.state === "done") return now.result;
    if (now.state === "failed") throw new RequestFailed(500, { error: now.error });
    if (now.state === "cancelled") return null;
    onProgress(now);
    await new Promise((wake) => {
      stopping.wake = wake;
      setTimeout(wake, ASK_AGAIN);
    });
  }
}
