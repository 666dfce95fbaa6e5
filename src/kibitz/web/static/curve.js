// The course of a game as a curve: a point for each decision of one seat.

import { svg } from "./dom.js";

const WIDTH = 320;
const HEIGHT = 120;
const EDGE = 14;

/** `points`: `{at, value, verdict, label}`; `onPick(index)` is called for a clicked one. */
export function curve(points, { least, most, zero = null, format }, onPick) {
  const x = (i) => EDGE + 22 + (i * (WIDTH - 2 * EDGE - 22)) / Math.max(1, points.length - 1);
  const y = (value) => HEIGHT - EDGE - ((value - least) / (most - least || 1)) * (HEIGHT - 2 * EDGE);
  const way = points.map(({ value }, i) => `${i ? "L" : "M"}${x(i).toFixed(1)} ${y(value).toFixed(1)}`).join("");
  return svg(
    "svg",
    { class: "curve", viewBox: `0 0 ${WIDTH} ${HEIGHT}`, role: "img", "aria-label": `The course of the game, from ${format(points[0].value)} to ${format(points.at(-1).value)}` },
    [least, most].map((value) => svg("line", { x1: EDGE + 18, x2: WIDTH - EDGE, y1: y(value), y2: y(value), class: "axis" })),
    zero === null ? null : svg("line", { x1: EDGE + 18, x2: WIDTH - EDGE, y1: y(zero), y2: y(zero), class: "zero" }),
    [least, most].map((value) => svg("text", { x: EDGE + 14, y: y(value) + 3, "text-anchor": "end" }, format(value))),
    svg("path", { d: way, class: "way" }),
    points.map(({ value, verdict, label }, i) =>
      svg("circle", { cx: x(i), cy: y(value), r: ["inaccuracy", "mistake", "blunder"].includes(verdict) ? 5.5 : 3.5, class: verdict, on: { click: () => onPick(i) } }, svg("title", {}, label))),
  );
}
