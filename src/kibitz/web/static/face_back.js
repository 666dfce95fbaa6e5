// The back of every card: a lattice, and the eye of who looks over the players' shoulders.

import { svg } from "./dom.js";

export function backFace() {
  const lattice = [];
  for (let at = -340; at <= 580; at += 24) {
    lattice.push(`M${at} 0L${at + 336} 336M${at} 336L${at + 336} 0`);
  }
  return svg(
    "g",
    {},
    svg("rect", { x: 2, y: 2, width: 236, height: 332, rx: 20, class: "paper" }),
    svg("clipPath", { id: "back-window" }, svg("rect", { x: 16, y: 16, width: 208, height: 304, rx: 12 })),
    svg("rect", { x: 16, y: 16, width: 208, height: 304, rx: 12, class: "back-ground" }),
    svg("path", { d: lattice.join(""), class: "back-lattice", "clip-path": "url(#back-window)" }),
    svg("rect", { x: 25, y: 25, width: 190, height: 286, rx: 8, class: "back-rim" }),
    svg("ellipse", { cx: 120, cy: 168, rx: 72, ry: 56, class: "back-ground" }),
    svg("ellipse", { cx: 120, cy: 168, rx: 72, ry: 56, class: "back-rim" }),
    svg("path", { d: "M62 168C84 132 156 132 178 168C156 204 84 204 62 168Z", class: "back-eye" }),
    svg("circle", { cx: 120, cy: 168, r: 22, class: "back-iris" }),
    svg("path", { d: "M120 180C114 173 106 168 106 160C106 151 117 150 120 157C123 150 134 151 134 160C134 168 126 173 120 180Z", class: "back-eye" }),
  );
}
