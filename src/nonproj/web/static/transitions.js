// Transition systems: the oracle's sequence for a tree, or one's own.

import { ask, isStatic } from "./api.js";
import { button, choice, h, show } from "./dom.js";
import { Player } from "./player.js";
import { TreePicture, namer } from "./tree.js";

const ROOT = "R";

function chooser({ library, state, render }, current) {
  const system = library.systems.find((one) => one.name === state.system) || { oracles: [] };
  return h("div", { class: "controls" },
    choice("System", library.systems.map((one) => [one.name, `${one.name} – ${one.title}`]), state.system, (value) => render({ system: value, oracle: "", at: 0, done: "" }), { name: "system" }),
    system.oracles.length ? choice("Oracle", system.oracles.map((name) => [name, name]), state.oracle || system.oracles[0], (oracle) => render({ oracle, at: 0 }), { name: "oracle" }) : null,
    isStatic ? null : choice("Who moves", [["oracle", "the oracle"], ["play", "I do"]], state.mode, (mode) => render({ mode, at: 0, done: "" }), { name: "mode" }),
    system.title ? h("span", { class: "quiet" }, `${system.reference}; derives ${system.class === "spanning" ? "every tree" : system.class}${system.has_cost ? "; costs are known" : ""}`) : null);
}

export async function drawTransitions(tools) {
  const { sentence, asked, state, remember } = tools;
  const first = await ask("transitions", { ...asked, system: state.system, oracle: state.oracle });
  const element = h("div", null, chooser(tools));
  if (!first.derived) {
    element.append(h("section", { class: "card" }, h("p", { class: "task" }, h("b", null, "Not derived. "), first.why),
      h("p", { class: "quiet" }, isStatic ? "Choose another system." : "Choose another system, or see what breaks when you play it yourself.")));
    return { element };
  }
  const windows = new Map([[0, first.steps]]);
  const size = 200;
  const stepAt = async (at) => {
    const start = Math.floor(at / size) * size;
    if (!windows.has(start)) windows.set(start, (await ask("transitions", { ...asked, system: state.system, oracle: state.oracle, first: start })).steps);
    return windows.get(start)[at - start];
  };
  const picture = new TreePicture(sentence.scene, { label: "the arcs made so far" });
  const told = h("div", { class: "told" });
  const player = new Player(first.total, state.at, async (at) => {
    const step = await stepAt(at);
    if (player.at !== at || !step) return;
    remember({ at });
    const next = at + 1 < first.total ? await stepAt(at + 1) : null;
    if (step.heads.length) picture.setHeads(step.heads);
    picture.highlight(step.arc ? [[step.arc[0], step.arc[2]]] : [], []);
    show(told, taken(step, at), configuration(step, first.headings, sentence.forms),
      h("h3", null, "What could come next"), listed(step.choices, next && next.transition, null));
  });
  element.append(h("section", { class: "card" }, player.element, picture.element, told));
  return { element, player };
}

export async function drawPlay(tools) {
  const { sentence, asked, state, remember } = tools;
  const element = h("div", null, chooser(tools));
  const picture = new TreePicture(sentence.scene, { label: "the arcs made so far" });
  const told = h("div", { class: "told" });
  const step = async (done) => {
    const found = await ask("play", { ...asked, system: state.system, oracle: state.oracle, done: done.join(".") });
    remember({ done: done.join(".") });
    if (found.step.heads.length) picture.setHeads(found.step.heads);
    picture.highlight(found.step.arc ? [[found.step.arc[0], found.step.arc[2]]] : [], []);
    const name = namer(sentence.forms);
    const wrong = found.lost.map(([head, word]) => `${name(head)} → ${name(word)}`);
    show(told,
      h("div", { class: "controls" }, button("◀ take back", () => step(done.slice(0, -1)), { disabled: !done.length }), button("from the start", () => step([]), { disabled: !done.length }),
        h("span", { class: "count" }, `${done.length} transitions, ${found.right} of ${sentence.forms.length} arcs right`)),
      found.is_final ? h("p", { class: `task${wrong.length ? "" : " solved"}`, role: "status" }, wrong.length ? `This is a whole tree, but ${wrong.length} arcs are not those of the treebank.` : "The tree of the treebank. Well done.") : null,
      wrong.length ? h("p", { class: "task", role: "status" }, h("b", null, "Broken: "), `${wrong.join(", ")} can no longer be made.`) : null,
      taken(found.step, done.length),
      configuration(found.step, found.headings, sentence.forms),
      h("h3", null, "Your move"),
      found.step.choices.length ? listed(found.step.choices, null, (chosen) => step([...done, chosen])) : h("p", { class: "quiet" }, found.is_final ? "Nothing is left to do." : "No transition is legal here."),
      found.illegal.length ? h("details", null, h("summary", null, "Why not the others"), h("ul", null, found.illegal.map((one) => h("li", null, h("code", null, one.transition), ": ", one.text)))) : null);
  };
  element.append(h("section", { class: "card" }, picture.element, told));
  await step(state.done ? state.done.split(".") : []);
  return { element };
}

function taken(step, at) {
  if (!step.transition) return h("p", { class: "taken" }, at ? "" : "The beginning: nothing is done yet.");
  return h("p", { class: "taken" }, h("b", null, step.transition, step.label ? ` ${step.label}` : ""), " ", step.why);
}

function configuration(step, headings, forms) {
  return h("dl", { class: "parts" }, headings.map((heading) => {
    const part = step.parts[heading];
    return [h("dt", null, heading === "m" ? "place m in the list" : heading), h("dd", { dir: "auto" }, shownPart(heading, part, step, forms))];
  }));
}

function shownPart(heading, part, step, forms) {
  if (part === null || part === undefined) return h("span", { class: "quiet" }, "empty");
  const fresh = step.arc ? new Set([step.arc[0], step.arc[2]]) : new Set();
  const chip = (word, kind) => h("span", { class: `chip ${kind}${fresh.has(word) ? " new" : ""}` }, word === 0 ? ROOT : word > forms.length ? "end" : h("bdi", null, forms[word - 1]), h("sub", null, word));
  if (!Array.isArray(part)) return ["m", "active", "lo", "F", "bar"].includes(heading) ? h("span", { class: "chip" }, part) : chip(part, "");
  if (!part.length) return h("span", { class: "quiet" }, "empty");
  if (Array.isArray(part[0])) return part.map((item) => h("span", { class: "item" }, item.map((word) => chip(word, ""))));
  const marked = step.marked[heading];
  const isBuffer = heading === "buffer" || heading === "λ2";
  const most = 40;
  const shown = part.length <= most ? part : isBuffer ? part.slice(0, most) : part.slice(-most);
  const offset = part.length - shown.length;
  const chips = shown.map((word, at) => {
    const place = isBuffer ? at : at + offset;
    const isTop = marked === undefined ? (isBuffer ? at === 0 : at === shown.length - 1) : place === marked;
    return chip(word, isTop ? "current" : "");
  });
  const more = offset ? h("span", { class: "quiet" }, `… ${offset} more`) : null;
  return isBuffer ? [chips, more] : [more, chips];
}

function listed(choices, next, press) {
  return h("ul", { class: "choices" }, choices.map((one) => h("li", { class: `${one.breaks.length || !one.is_right ? "wrong" : ""} ${one.transition === next ? "taken-one" : ""}` },
    press ? button(one.transition, () => press(one.transition)) : h("code", null, one.transition),
    one.cost === null ? null : h("span", { class: `badge ${one.cost ? "bad" : "good"}`, title: "arcs of the tree that can no longer be made after it" }, `cost ${one.cost}`),
    one.transition === next ? h("span", { class: "badge good" }, "taken") : null,
    h("span", { class: "text" }, one.text))));
}
