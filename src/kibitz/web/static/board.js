// A board of squares, from `scene.board`: tic-tac-toe, connect four and whatever has one. Pieces lie
// in a layer of their own, so that they can fall behind the front of the board.

import { el, svg } from "./dom.js";

const MARKS = {
  x: () => svg("path", { d: "M24 24L76 76M76 24L24 76", class: "mark-x" }),
  o: () => svg("circle", { cx: 50, cy: 50, r: 29, class: "mark-o" }),
};
const HOLE = "M0 0H100V100H0ZM50 10A40 40 0 1 0 50 90A40 40 0 1 0 50 10Z";

const drawing = (...parts) => svg("svg", { viewBox: "0 0 100 100", "aria-hidden": "true" }, parts);

function disc(mark) {
  return [
    svg("circle", { cx: 50, cy: 50, r: 45, class: `disc-${mark}` }),
    svg("circle", { cx: 50, cy: 50, r: 30, class: "disc-rim" }),
    svg("path", { d: "M50 35L54 46L65 46L56 53L59 64L50 57L41 64L44 53L35 46L46 46Z", class: "disc-star" }),
  ];
}

function piece(mark, falls, row, column) {
  const drawn = falls ? disc(mark) : (MARKS[mark]?.() ?? svg("text", { x: 50, y: 66, "text-anchor": "middle", "font-size": 50 }, mark));
  return el("span", { class: "piece", data: { piece: `${row}-${column}` }, vars: { row: row + 1, column: column + 1 } }, drawing(drawn));
}

/** The board; a square with a legal play is a button that carries it. */
export function boardElement(scene) {
  const { board } = scene;
  const won = new Set(board.line.map(([row, column]) => `${row},${column}`));
  const mine = scene.seats[scene.turn - 1]?.mark ?? "x";
  const pieces = [];
  const squares = board.cells.flatMap((cells, row) =>
    cells.map((mark, column) => {
      if (mark) pieces.push(piece(mark, board.falls, row, column));
      const lands = !board.falls || (!mark && (row + 1 === board.cells.length || board.cells[row + 1][column]));
      const play = lands ? board.plays[row]?.[column] : null;
      const where = `${board.columns[column]}${board.rows[row] ?? ""}`;
      const label = `${board.falls ? "column" : "square"} ${where}${mark ? `: ${mark}` : ": free"}`;
      const attributes = { class: `square${won.has(`${row},${column}`) ? " line" : ""}`, data: { play, key: `square-${row}-${column}`, column: board.columns[column] }, "aria-label": label };
      const front = board.falls ? drawing(svg("path", { d: HOLE, class: "front", "fill-rule": "evenodd" }), svg("circle", { cx: 50, cy: 50, r: 41, class: "rim" })) : null;
      if (play === null || play === undefined) return el("div", { ...attributes, role: "img" }, front);
      const ghost = drawing(board.falls ? disc(mine) : MARKS[mine]?.());
      ghost.classList.add("ghost");
      return el("button", { type: "button", ...attributes }, ghost, front);
    }),
  );
  const element = el(
    "div",
    { class: `board${board.falls ? " falls" : ""}`, vars: { columns: board.columns.length }, role: "group", "aria-label": "The board" },
    el("div", { class: "pieces", "aria-hidden": "true" }, pieces),
    el("div", { class: "squares" }, squares),
  );
  if (board.falls) aimAtColumns(element);
  return element;
}

/** The square of a column that a piece would fall to. */
export const landing = (board, square) => board.querySelector(`button.square[data-column="${square.dataset.column}"]`);

/** All of a column shows where a piece would land. */
function aimAtColumns(board) {
  const aim = (square) => {
    for (const one of board.querySelectorAll(".aim")) one.classList.remove("aim");
    if (square) landing(board, square)?.classList.add("aim");
  };
  board.addEventListener("pointerover", (event) => aim(event.target.closest(".square")));
  board.addEventListener("pointerleave", () => aim(null));
}
