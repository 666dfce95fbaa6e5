// Numbers as a person reads them. A chance to win is a share of one; all else is points.

const minus = (text) => text.replace("-", "−");

/** `53.2%`, or `−1.40`; with its sign if it is a change. */
export function figure(value, chance, signed = false) {
  const shown = chance ? (100 * value).toFixed(1) : value.toFixed(2);
  const text = Number(shown) === 0 ? shown.replace("-", "") : shown;
  return minus(`${signed && Number(text) > 0 ? "+" : ""}${text}${chance ? "%" : ""}`);
}

/** With its interval: `4.93 (3.89 … 5.97)`; what is exact stands alone. */
export function amount(value, [low, high], chance, signed = false) {
  const text = figure(value, chance, signed);
  return low === high ? text : `${text} (${figure(low, chance)} … ${figure(high, chance)})`;
}

/** Whole numbers as such: `+2`, `−3`, `0`. */
export const points = (value) => minus(`${value > 0 ? "+" : ""}${Number.isInteger(value) ? value : value.toFixed(2)}`);
