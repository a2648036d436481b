// The view of steps: which algorithm, and one step after the other.

import { ask, isStatic } from "./api.js";
import { button, choice, h, show, working } from "./dom.js";
import { drawGrammar, drawLifting, drawSorting } from "./changes.js";
import { link, note } from "./route.js";
import { drawPlay, drawTransitions } from "./transitions.js";
import { drawSchema } from "./schema.js";
import { room } from "./tree.js";

const TABS = [
  ["transitions", "Transition systems"],
  ["schema", "Schemata and charts"],
  ["sorting", "Sorting"],
  ["lifting", "Lifting"],
  ["grammar", "Grammars"],
];

export async function draw(place, context) {
  const { library, values } = context;
  const state = {
    tab: values.tab || "transitions", system: values.system || "sort-parse", oracle: values.oracle || "", mode: values.mode || "oracle",
    schema: values.schema || "MH4", how: values.how || "smallest", grammar: values.grammar || "beans.gdg", words: values.words || "",
    at: Number(values.at || 0), done: values.done || "",
  };
  if (isStatic) state.mode = "oracle";
  const asked = { treebank: values.treebank, number: values.number || 0, id: values.id, heads: values.heads };
  const sentence = values.treebank ? await ask("sentence", { ...asked, width: room() }) : null;
  const body = h("div");
  let player = null;
  let renders = 0;

  const remember = (changes) => {
    Object.assign(state, changes);
    const own = { transitions: ["system", "oracle", "mode", "done"], schema: ["schema"], sorting: [], lifting: ["how"], grammar: ["grammar", "words"] }[state.tab];
    note("steps", { ...asked, tab: state.tab, ...Object.fromEntries(own.map((name) => [name, state[name]])), at: state.at || "" });
  };
  const render = async (changes) => {
    const turn = ++renders;
    if (player) player.end();
    player = null;
    remember(changes || {});
    for (const tab of tabs.children) tab.setAttribute("aria-selected", String(tab.dataset.tab === state.tab));
    // What is there so far, while the rest is worked out.
    const begin = (element) => {
      if (turn === renders) show(body, element);
    };
    const tools = { sentence, asked, library, state, remember, render, begin };
    if (changes && changes.tab) begin(working("working …"));
    try {
      const made = state.tab === "grammar" ? await drawGrammar(tools)
        : !sentence ? { element: h("p", null, "Open a treebank first.") }
          : state.tab === "schema" ? await drawSchema(tools)
            : state.tab === "sorting" ? await drawSorting(tools)
              : state.tab === "lifting" ? await drawLifting(tools)
                : state.mode === "play" ? await drawPlay(tools) : await drawTransitions(tools);
      if (turn !== renders) {
        if (made.player) made.player.end();
        return;
      }
      player = made.player || null;
      show(body, made.element);
      if (player) player.to(state.at);
    } catch (error) {
      if (turn !== renders) return;
      show(body, chooser(tools), h("p", { class: "task", role: "alert" }, error.message));
    }
  };
  const chooser = ({ state: now }) => (now.tab === "schema"
    ? choice("Schema", library.schemata.map((one) => [one.name, one.name]), now.schema, (schema) => render({ schema, at: 0 }))
    : now.tab === "transitions" ? choice("System", library.systems.map((one) => [one.name, one.name]), now.system, (system) => render({ system, oracle: "", at: 0, done: "" })) : null);
  const tabs = h("div", { class: "tabs", role: "tablist", "aria-label": "Algorithms" }, TABS.map(([tab, text]) => button(text, () => render({ tab, at: 0 }), { role: "tab", "data-tab": tab })));
  show(place,
    h("section", { class: "intro" }, h("h1", null, "Step by step"),
      sentence && h("p", null, h("a", { href: link("sentence", asked) }, h("bdi", null, sentence.id)), " ", h("bdi", null, sentence.text), sentence.is_changed ? h("span", { class: "badge changed" }, "changed") : null, " ",
        h("a", { class: "quiet", href: link("treebank", { treebank: values.treebank }) }, "choose another"))),
    tabs, body);
  await render();
  return () => {
    renders++;
    if (player) player.end();
  };
}
