// Schemata: the derivation of a tree, item by item, with the rule of each step.

import { ask } from "./api.js";
import { choice, h, show, working } from "./dom.js";
import { Player } from "./player.js";
import { TreePicture, namer } from "./tree.js";

export async function drawSchema(tools) {
  const { library, sentence, asked, state, render, remember, begin } = tools;
  const chosen = library.schemata.find((one) => one.name === state.schema);
  const element = h("div", null, h("div", { class: "controls" },
    choice("Schema", library.schemata.map((one) => [one.name, `${one.name} – ${one.title}`]), state.schema, (schema) => render({ schema, at: 0 }), { name: "schema" }),
    chosen && h("span", { class: "quiet" }, `${chosen.reference}; derives ${chosen.class}; ${chosen.cost}`)));
  const waiting = working(`deriving the tree by ${state.schema} …`);
  element.append(waiting);
  begin(element);
  let found;
  try {
    found = await ask("schema", { ...asked, schema: state.schema });
    waiting.remove();
  } catch (error) {
    waiting.replaceWith(h("p", { class: "task", role: "alert" }, error.message));
    return { element };
  }
  const byNumber = new Map(found.items.map((item) => [item.number, item]));
  const steps = (found.derived ? found.derivation : found.items.map((item) => item.number)).map((number) => byNumber.get(number));
  const picture = new TreePicture(sentence.scene, { label: "the words that the item has seen" });
  const name = namer(sentence.forms);
  const told = h("div");
  const list = h("ol", { class: "items", "aria-label": "Items" });
  const made = new Map();
  const settle = (item) => {
    if (!made.has(item.number)) made.set(item.number, new Map([...item.from.flatMap((below) => [...settle(byNumber.get(below))]), ...(item.arc ? [[item.arc[1], item.arc[0]]] : [])]));
    return made.get(item.number);
  };
  const entries = steps.map((item, at) => {
    const entry = h("li", null, h("span", { class: "n" }, item.number), h("button", { type: "button", class: "plain", onclick: () => player.to(at) }, item.item), h("span", { class: "step" }, item.step));
    list.append(entry);
    return entry;
  });
  const player = new Player(steps.length, state.at, (at) => {
    remember({ at });
    const item = steps[at];
    const heads = settle(item);
    picture.setHeads(sentence.heads.map((head, word) => (heads.has(word + 1) ? heads.get(word + 1) : null)));
    picture.strip(item.words, item.attached);
    picture.highlight(item.arc ? [item.arc] : [], []);
    entries.forEach((entry, place) => {
      entry.classList.toggle("now", place === at);
      entry.classList.toggle("used", item.from.includes(steps[place].number));
      if (place === at) entry.setAttribute("aria-current", "step");
      else entry.removeAttribute("aria-current");
    });
    list.scrollTop = Math.max(0, entries[at].offsetTop - list.offsetTop - 120);
    show(told,
      h("p", { class: "taken" }, h("b", null, item.item), " ", item.step === "hypothesis" ? "is there from the start" : ["by ", h("i", null, item.step), item.from.length ? [", from ", item.from.map((below, place) => [place ? " and " : "", h("code", null, byNumber.get(below).item)])] : null],
        item.arc ? `; it links ${name(item.arc[1])} to its head ${name(item.arc[0])}` : ""),
      item.step === "hypothesis" ? null : h("pre", { class: "rule" }, found.rules[item.step] || item.step));
  });
  element.append(
    found.derived ? "" : h("p", { class: "task" }, h("b", null, found.class ? `The tree is outside ${found.class}: ` : "Not derived: "), found.why),
    h("section", { class: "card" }, player.element, picture.element, h("p", { class: "quiet hint" }, "Under the words: filled, it has its head in this item; framed, it waits for its head; empty, the item has not seen it."), told),
    h("div", { class: "columns" },
      h("section", { class: "card" }, h("h2", null, found.derived ? `One derivation: ${steps.length} of ${found.count} items` : steps.length < found.count ? `The first ${steps.length} of ${found.count} items that follow` : `All ${found.count} items that follow`), list),
      h("section", { class: "card" }, h("h2", null, "What items mean"), h("ul", null, found.meanings.map((one) => h("li", null, h("code", null, one.item), " ", one.text))), wholeSchema(state.schema))));
  return { element, player };
}

function wholeSchema(schema) {
  const text = h("pre", { class: "rule" });
  const load = async () => {
    if (text.textContent) return;
    try {
      text.textContent = (await ask("schema_text", { schema })).text;
    } catch (error) {
      text.textContent = error.message;
    }
  };
  return h("details", { ontoggle: load }, h("summary", null, "The whole schema"), text);
}
