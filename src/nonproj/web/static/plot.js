// Coverage against cost: a point a class, the best of each cost joined by a line.

import { h, percent, s } from "./dom.js";

const WIDTH = 520;
const HEIGHT = 340;
const LEFT = 52;
const RIGHT = 24;
const TOP = 14;
const BOTTOM = 40;

export function plot(classes, coverage, choose) {
  const shown = classes.filter((cls) => coverage.loss[cls.name] !== undefined && coverage.loss[cls.name] !== null);
  if (!shown.length) return h("p", { class: "quiet" }, "There are no trees to plot.");
  const positive = shown.map((cls) => coverage.loss[cls.name]).filter((share) => share > 0);
  const floor = positive.length ? Math.min(...positive) / 3 : 0.001;
  const ceiling = Math.max(floor * 10, ...positive);
  const exponents = [...new Set(shown.map((cls) => cls.exponent).filter(Boolean))].sort((a, b) => a - b);
  const columns = [...exponents, ...(shown.some((cls) => !cls.exponent) ? [null] : [])];
  const x = (exponent) => LEFT + 20 + (columns.indexOf(exponent || null) * (WIDTH - LEFT - RIGHT - 60)) / Math.max(1, columns.length - 1);
  const y = (share) => {
    const height = (Math.log(ceiling) - Math.log(Math.max(share, floor))) / (Math.log(ceiling) - Math.log(floor) || 1);
    return TOP + 8 + height * (HEIGHT - TOP - BOTTOM - 16);
  };
  const ticks = [1, 0.5, 0.2, 0.1, 0.05, 0.02, 0.01, 0.005, 0.002, 0.001, 0.0001].filter((tick) => tick <= ceiling * 1.05 && tick >= floor);
  const svg = s("svg", { viewBox: `0 0 ${WIDTH} ${HEIGHT}`, class: "plot", role: "group", "aria-label": "Trees outside each class in percent, against the exponent of the exact parser" });
  for (const tick of ticks) {
    svg.append(s("line", { class: "grid", x1: LEFT, x2: WIDTH - RIGHT, y1: y(tick), y2: y(tick) }), s("text", { class: "tick right", x: LEFT - 6, y: y(tick) + 4 }, `${Number((100 * tick).toPrecision(2))}%`));
  }
  if (shown.some((cls) => coverage.loss[cls.name] === 0)) svg.append(s("line", { class: "grid", x1: LEFT, x2: WIDTH - RIGHT, y1: y(0), y2: y(0) }), s("text", { class: "tick right", x: LEFT - 6, y: y(0) + 4 }, "none"));
  for (const exponent of columns) svg.append(s("text", { class: "tick", x: x(exponent), y: HEIGHT - BOTTOM + 20 }, exponent ? `n^${exponent}` : "no exact"), exponent ? "" : s("text", { class: "tick", x: x(null), y: HEIGHT - BOTTOM + 33 }, "parser"));
  svg.append(s("text", { class: "tick", x: (LEFT + WIDTH - 60) / 2, y: HEIGHT - 4 }, "time of the exact parser"));
  const front = shown.filter((cls) => coverage.best.includes(cls.name)).sort((a, b) => a.exponent - b.exponent);
  if (front.length) {
    let path = `M${x(front[0].exponent)} ${y(coverage.loss[front[0].name])}`;
    for (const cls of front.slice(1)) path += `H${x(cls.exponent)}V${y(coverage.loss[cls.name])}`;
    svg.append(s("path", { class: "front", d: `${path}H${x(exponents[exponents.length - 1])}` }));
  }
  const points = new Map();
  for (const cls of shown) {
    const key = `${cls.exponent}:${coverage.loss[cls.name]}`;
    points.set(key, [...(points.get(key) || []), cls]);
  }
  const lowest = new Map();
  const sorted = [...points.values()].sort((a, b) => y(coverage.loss[a[0].name]) - y(coverage.loss[b[0].name]));
  for (const [cls, ...others] of sorted) {
    const share = coverage.loss[cls.name];
    const isBest = [cls, ...others].some((one) => coverage.best.includes(one.name));
    // Labels of one column are pushed down where they would overlap.
    const at = Math.max(y(share) + 4, (lowest.get(cls.exponent) || 0) + 13);
    lowest.set(cls.exponent, at);
    const names = [cls, ...others].map((one) => one.name).join(", ");
    const group = s("g", { class: `point${isBest ? " best" : ""}`, tabindex: 0, role: "button", "aria-label": `${names}: ${percent(share)} percent outside${isBest ? ", best of its cost" : ""}`, onclick: () => choose(cls.name), onkeydown: (event) => {
      if (event.key === "Enter" || event.key === " ") {
        event.preventDefault();
        choose(cls.name);
      }
    } },
    s("circle", { cx: x(cls.exponent), cy: y(share), r: isBest ? 5 : 4 }),
    s("text", { x: x(cls.exponent) + 8, y: at }, names),
    s("title", null, `${names}: ${percent(share)}% outside`));
    svg.append(group);
  }
  return svg;
}
