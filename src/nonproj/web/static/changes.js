// Steps that change the tree itself: sorting, lifting; and derivations of grammars.

import { ask, isStatic } from "./api.js";
import { button, choice, h, show } from "./dom.js";
import { Player } from "./player.js";
import { TreePicture, namer, room } from "./tree.js";

const counted = (crossings) => `${crossings} crossing${crossings === 1 ? "" : "s"}`;

export async function drawSorting({ asked, state, remember }) {
  const found = await ask("sorting", { ...asked, width: room() });
  const name = namer(found.forms);
  const frame = h("div");
  const told = h("p", { class: "taken" });
  const player = new Player(found.steps.length, state.at, (at) => {
    remember({ at });
    const step = found.steps[at];
    const picture = new TreePicture(step.scene, { label: `the tree with ${counted(step.crossings)}`, numbers: step.order });
    if (step.swapped) picture.highlight([], step.swapped.map((word) => step.order.indexOf(word) + 1));
    show(frame, picture.element);
    show(told, step.swapped ? [h("b", null, "SWAP "), `${name(step.swapped[0])} goes before ${name(step.swapped[1])}; `] : "The words as they stand in the sentence; ", `${counted(step.crossings)} left.`);
  });
  const element = h("section", { class: "card" },
    h("p", null, "Every tree is projective in some order of its words: the order of its inorder traversal. Swaps of neighbours take the words there, and with every crossing gone a projective parser could go on (Nivre 2009)."),
    found.steps.length === 1 ? h("p", { class: "task solved" }, "The words stand in projective order already.") : null,
    player.element, frame, told);
  return { element, player };
}

const LIFTS = [["smallest", "the smallest projective lift"], ["structural", "structural, once"], ["iterated", "structural, until projective"]];

export async function drawLifting({ asked, state, remember, render }) {
  const found = await ask("lifting", { ...asked, how: state.how, width: room() });
  const name = namer(found.forms);
  const frame = h("div");
  const told = h("p", { class: "taken" });
  const player = new Player(found.steps.length, state.at, (at) => {
    remember({ at });
    const step = found.steps[at];
    const picture = new TreePicture(step.scene, { label: `the tree with ${counted(step.crossings)}` });
    if (step.word) picture.highlight([[step.to, step.word]], [step.word]);
    show(frame, picture.element);
    show(told, step.word ? [h("b", null, name(step.word)), ` is lifted from ${name(step.from)} to ${name(step.to)}`, step.path.length ? `, through ${step.path.map(name).join(", ")}` : "", ", by the rule ", h("code", null, step.rule), `; ${counted(step.crossings)} left.`] : `The tree as it is: ${counted(step.crossings)}.`);
  });
  const element = h("section", { class: "card" },
    h("div", { class: "controls" }, choice("Which lift", LIFTS, state.how, (how) => render({ how, at: 0 }), { name: "how" })),
    h("p", null, "Lifting hangs a word from an ancestor of its head, so that the arcs stop crossing; its label can remember where it came from (Kahane, Nasr & Rambow 1998)."),
    found.steps.length === 1 ? h("p", { class: "task solved" }, "There is nothing to lift.") : null,
    found.is_projective ? null : h("p", { class: "task" }, "After these lifts the tree is still not projective."),
    player.element, frame, told);
  return { element, player };
}

export async function drawGrammar({ library, state, remember, render }) {
  const known = library.grammars.find((one) => one.name === state.grammar) || library.grammars[0];
  const input = h("input", { type: "text", name: "words", class: "words", value: state.words || known.words, disabled: isStatic, onkeydown: (event) => event.key === "Enter" && parse() });
  const parse = () => render({ words: input.value, at: 0 });
  const element = h("div", null, h("div", { class: "controls" },
    choice("Grammar", library.grammars.map((one) => [one.name, `${one.name} – ${one.title}`]), known.name, (grammar) => render({ grammar, words: "", at: 0 }), { name: "grammar" }),
    h("label", { class: "field wide" }, h("span", null, "Words"), input), isStatic ? null : button("Parse", parse, { class: "main" })));
  const found = await ask("grammar", { grammar: known.name, words: state.words || known.words });
  if (!found.analyses.length) {
    element.append(h("p", { class: "task" }, h("b", null, "No analysis. "), found.why));
    return { element };
  }
  let analysis = found.analyses[0];
  const lines = h("ol", { class: "lines", "aria-label": "The derivation" });
  const image = h("img", { class: "picture-image", alt: "Syntactic governors above the words, linear governors below" });
  const isDark = matchMedia("(prefers-color-scheme: dark)").matches;
  const player = new Player(analysis.lines.length, state.at, (at) => {
    remember({ at });
    [...lines.children].forEach((line, place) => {
      line.classList.toggle("now", place === at);
      line.classList.toggle("later", place > at);
    });
  });
  const pick = (number, at) => {
    analysis = found.analyses[number];
    show(lines, analysis.lines.map((line) => h("li", null, line)));
    image.src = `data:image/svg+xml;charset=utf-8,${encodeURIComponent(analysis.svg[isDark ? 1 : 0])}`;
    player.count = analysis.lines.length;
    player.slider.max = String(analysis.lines.length - 1);
    player.to(at);
  };
  element.append(
    h("section", { class: "card" },
      found.count > 1 ? choice(`Analysis, of ${found.count}`, found.analyses.map((_, at) => [String(at), String(at + 1)]), "0", (value) => pick(Number(value), 0)) : null,
      h("div", { class: "scroll" }, image), player.element, lines,
      h("p", { class: "quiet hint" }, "Each line rewrites categories of the one before. In braces: the lifting conditions that pass across a category, with a dot where they have come to.")),
    h("section", { class: "card" }, h("h2", null, `The chart: ${found.chart.items.length} items of analyses`), chart(found.chart, found.words)));
  pick(0, state.at);
  return { element, player };
}

function chart(found, words) {
  return h("div", { class: "scroll" }, h("table", null,
    h("thead", null, h("tr", null, ["#", "words", "category", "kind", "lifting", "made from"].map((text) => h("th", { scope: "col" }, text)))),
    h("tbody", null, found.items.map((item) => h("tr", { class: found.goals.includes(item.number) ? "best" : "" },
      h("th", { scope: "row" }, item.number), h("td", null, words.slice(item.words[0] - 1, item.words[1]).join(" ")), h("td", null, item.category), h("td", null, item.kind), h("td", null, item.lifting.join(", ")), h("td", null, item.ways.map((way) => (way.length ? way.join("+") : "a word")).join(" or ")))))));
}
