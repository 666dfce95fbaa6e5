// One tab stop for a group of cards or squares; the arrow keys go through it.

const STEPS = { ArrowLeft: -1, ArrowRight: 1 };

/** Make a group. `above` and `below` give the groups that arrow up and down lead to. */
export function roving(group, selector, { above = () => null, below = () => null } = {}) {
  const members = () => [...group.querySelectorAll(selector)];
  const stop = (chosen) => members().forEach((one) => (one.tabIndex = one === chosen ? 0 : -1));
  stop(members()[0]);
  group.addEventListener("focusin", (event) => {
    const member = event.target.closest(selector);
    if (member) stop(member);
  });
  group.addEventListener("keydown", (event) => {
    const all = members();
    const at = all.indexOf(event.target.closest(selector));
    if (at < 0 || event.altKey || event.ctrlKey || event.metaKey) return;
    let next;
    if (event.key in STEPS) next = all[(at + STEPS[event.key] + all.length) % all.length];
    else if (event.key === "Home") next = all[0];
    else if (event.key === "End") next = all.at(-1);
    else if (event.key === "ArrowUp") next = above();
    else if (event.key === "ArrowDown") next = below();
    if (!next) return;
    event.preventDefault();
    next.focus();
  });
}
