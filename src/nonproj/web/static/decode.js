// The view of decoding: scores, the best tree of each class, how it was found, and what else is likely.

import { ask, isStatic, send, upload } from "./api.js";
import { button, choice, h, s, say, show, working } from "./dom.js";
import { TreePicture, namer, room } from "./tree.js";

export async function draw(place, { library, values, reload }) {
  const example = await ask("scores", {});
  const state = { within: values.within || "1EC", k: 5, isSingle: false, words: example.words, tables: null };
  const scores = h("textarea", { name: "scores", rows: Math.min(20, example.scores.length + 1), spellcheck: "false", "aria-label": "Scores: a row a head, the root first; a column a word, column 0 is not used", value: written(example.scores) });
  const words = h("input", { type: "text", name: "words", value: example.words.join(" "), "aria-label": "Words" });
  const { model } = library;
  const text = h("textarea", { name: "text", class: "typed", rows: 2, dir: "auto", placeholder: model && model.takes_text ? "type text" : "type a sentence a line, with spaces between the words" });
  const out = h("div", { "aria-live": "polite" });

  let runs = 0;
  const run = async (request) => {
    const turn = ++runs;
    show(out, working("decoding …"));
    try {
      const found = await send("decode", { ...request, within: state.within, k: state.k, single_root: state.isSingle ? "1" : "", width: Math.min(room(0.85), 560) });
      if (turn !== runs) return; // something else was asked meanwhile
      if (found.source === "model") {
        scores.value = written(found.scores);
        words.value = found.words.join(" ");
      }
      show(out, ...results(library, found));
    } catch (error) {
      if (turn === runs) show(out, h("p", { class: "task", role: "alert" }, error.message));
    }
  };
  const open = async () => {
    try {
      const found = await send("parse", { text: text.value });
      await reload(found.treebank, found.sentences === 1 ? "sentence" : "treebank");
    } catch (error) {
      say(error.message);
    }
  };
  const decode = () => run({ scores: scores.value, words: words.value.split(/\s+/).filter(Boolean) });
  const file = h("input", { type: "file", accept: ".npz,.txt,.csv,.tsv,.json", "aria-label": "Scores from a file", onchange: async () => {
    const chosen = file.files[0];
    if (!chosen) return;
    try {
      if (chosen.name.endsWith(".npz")) {
        state.tables = (await upload("npz", chosen)).sentences;
        scores.value = written(state.tables[0].scores);
        say(`${state.tables.length} tables; the first, ${state.tables[0].name}, is shown`);
      } else scores.value = (await chosen.text()).slice(0, 4_000_000);
      words.value = "";
      decode();
    } catch (error) {
      say(error.message);
    }
  } });
  const classes = library.classes.map((cls) => [cls.name, `${cls.name} – ${cls.title}`]);
  show(place,
    h("section", { class: "intro" }, h("h1", null, "Decode"), h("p", null, "From the scores of arcs to the best tree within each class. Row h, column d has the score of the arc from head h to word d; row 0 is the root, -inf forbids an arc.")),
    h("section", { class: "card" },
      h("div", { class: "controls" }, h("label", { class: "field wide" }, h("span", null, "Words"), words), file, button("Example", () => { scores.value = written(example.scores); words.value = example.words.join(" "); decode(); })),
      scores,
      h("div", { class: "controls" },
        choice("Look closer at", classes, state.within, (within) => { state.within = within; decode(); }, { name: "within" }),
        h("label", { class: "field" }, h("span", null, "How many best trees"), h("input", { type: "number", min: 1, max: 50, value: state.k, onchange: (event) => { state.k = Number(event.target.value) || 5; } })),
        h("label", null, h("input", { type: "checkbox", onchange: (event) => { state.isSingle = event.target.checked; } }), " one root only"),
        isStatic ? null : button("Decode", decode, { class: "main" })),
      isStatic ? h("p", { class: "quiet" }, "An exported page shows one example; with 'nonproj serve' you can paste your own.") : null),
    model && !isStatic ? h("section", { class: "card" }, h("h2", null, "Or let the model score"),
      h("p", { class: "quiet" }, model.name),
      h("label", { class: "field wide" }, h("span", null, "Text"), text),
      h("div", { class: "controls" },
        button("Parse and open", open, { class: "main", name: "open" }),
        model.has_scores ? button("Scores of the first sentence", () => run({ text: text.value }), { name: "score" }) : null,
        model.has_scores && values.number !== undefined ? button("Scores of the sentence in view", () => run({ treebank: values.treebank, number: values.number, id: values.id })) : null)) : null,
    out);
  await decode();
}

function written(table) {
  return table.map((row) => row.map((value) => (value === null ? "-inf" : String(value)).padStart(5)).join(" ")).join("\n");
}

function number(value) {
  return value === null ? "-inf" : Number(value.toFixed(3)).toString();
}

function results(library, found) {
  const best = Math.max(...found.results.filter((one) => one.scene).map((one) => one.score));
  const info = Object.fromEntries(library.classes.map((cls) => [cls.name, cls]));
  return [
    h("section", null, h("h2", null, "The best tree of each class"), h("div", { class: "cards" }, found.results.map((one) => h("article", { class: "card result" },
      h("h3", null, one.class, h("span", { class: "quiet" }, info[one.class] ? info[one.class].title : "")),
      one.scene ? bestTree(one, best) : h("p", { class: "quiet" }, one.why))))),
    h("section", { class: "card" }, h("h2", null, `How relax and check finds it within ${found.within}`), searchTree(found)),
    h("div", { class: "columns" },
      h("section", { class: "card" }, h("h2", null, `How likely is each arc within ${found.within}?`), heat(found)),
      h("section", { class: "card" }, h("h2", null, found.unproven ? `The best trees of ${found.within}` : `The ${found.k_best.length} best trees of ${found.within}`), kBest(found))),
  ];
}

function bestTree(one, best) {
  return [
    h("p", null, h("b", null, number(one.score)), one.score < best ? h("span", { class: "quiet" }, ` (${number(one.score - best)})`) : "", " ",
      one.is_optimal ? h("span", { class: "badge good" }, "proven best") : h("span", { class: "badge bad" }, `not proven; no tree scores above ${number(one.bound)}`),
      h("span", { class: "quiet" }, ` ${(1000 * one.seconds).toFixed(2)} ms, ${one.strategy}, ${one.relaxations} spanning tree${one.relaxations === 1 ? "" : "s"}`)),
    new TreePicture(one.scene, { scale: 0.85, label: `best tree of ${one.class}` }).element,
  ];
}

function searchTree(found) {
  const name = namer(found.words);
  const arc = ([head, word]) => `${name(head)} → ${name(word)}`;
  const children = found.search.map(() => []);
  for (const node of found.search) if (node.parent !== null) children[node.parent].push(node.number);
  const place = [];
  let leaves = 0;
  const layout = (node, depth) => {
    const below = children[node].map((child) => layout(child, depth + 1));
    place[node] = { x: below.length ? (below[0] + below[below.length - 1]) / 2 : leaves++, depth };
    return place[node].x;
  };
  layout(0, 0);
  const [wide, high] = [64, 62];
  const x = (node) => 40 + place[node].x * wide;
  const y = (node) => 26 + place[node].depth * high;
  const told = h("div", { class: "task", "aria-live": "polite" });
  const depth = Math.max(...place.map((one) => one.depth));
  const svg = s("svg", { width: 80 + Math.max(0, leaves - 1) * wide, height: 60 + depth * high, role: "group", "aria-label": "Nodes of the search" });
  for (const node of found.search) if (node.parent !== null) svg.append(s("line", { x1: x(node.parent), y1: y(node.parent), x2: x(node.number), y2: y(node.number) }));
  const states = { branched: "its best tree is outside", best: "its best tree is the answer", open: "never looked at: its bound is no better", empty: "holds no tree" };
  const look = (node, group) => {
    for (const one of svg.querySelectorAll(".now")) one.classList.remove("now");
    group.classList.add("now");
    show(told, h("p", null, h("b", null, `Node ${node.number}: `), states[node.state], node.bound === null ? "" : `; no tree in it scores above ${number(node.bound)}`),
      node.forbidden.length ? h("p", null, `without ${node.forbidden.map(arc).join(", ")}`, node.required.length ? `; with ${node.required.map(arc).join(", ")}` : "") : h("p", null, "all trees"),
      node.why ? h("p", null, node.why.text) : null);
  };
  let first = null;
  for (const node of found.search) {
    const group = s("g", { class: `node ${node.state}`, tabindex: 0, role: "button", "aria-label": `node ${node.number}, ${states[node.state]}`, onclick: () => look(node, group), onfocus: () => look(node, group) },
      s("circle", { cx: x(node.number), cy: y(node.number), r: 15 }), s("text", { x: x(node.number), y: y(node.number) + 4 }, node.bound === null ? "–" : Number(node.bound.toFixed(1))));
    svg.append(group);
    if (!first) first = () => look(node, group);
  }
  first();
  return h("div", null, h("p", { class: "quiet" }, found.is_whole ? "A node is a set of trees, its number the score of the best spanning tree in it. Red: that tree is outside the class, so each child does without one of the arcs that break its rule. Green: it is inside, and nothing scores more." : "The search is cut off here: it has more nodes than are shown."),
    h("div", { class: "search" }, svg), told);
}

function heat(found) {
  if (!found.marginals) return h("p", { class: "quiet" }, found.no_marginals);
  const heads = found.results.find((one) => one.class === found.within)?.heads || found.k_best[0]?.heads || [];
  const name = namer(found.words);
  return h("div", { class: "scroll" }, h("table", { class: "heat" },
    h("thead", null, h("tr", null, h("th", null, h("span", { class: "unseen" }, "head")), found.words.map((word, at) => h("th", { scope: "col", title: word }, at + 1)))),
    h("tbody", null, found.marginals.map((row, head) => h("tr", null, h("th", { scope: "row" }, `${head} ${name(head)}`), row.slice(1).map((chance, at) => {
      const cell = h("td", { class: heads[at] === head ? "in" : "", title: `${name(head)} → ${name(at + 1)}: ${chance}` }, chance >= 0.005 ? chance.toFixed(2) : "");
      cell.style.backgroundColor = `color-mix(in srgb, var(--accent) ${Math.round(75 * chance)}%, var(--card))`;
      return cell;
    }))))), h("p", { class: "quiet hint" }, "Rows are heads, columns words; framed, the arcs of the best tree."));
}

function kBest(found) {
  const name = namer(found.words);
  const first = found.k_best[0];
  return [found.unproven ? h("p", { class: "quiet" }, found.unproven) : null, h("ol", { class: "kbest" }, found.k_best.map((one) => {
    const differs = one.heads.flatMap((head, at) => (head === first.heads[at] ? [] : [`${name(at + 1)} below ${name(head)}`]));
    return h("li", null, h("b", null, number(one.score)), " ", one === first ? "the best tree" : differs.join("; "), h("div", { class: "meta" }, `heads ${one.heads.join(" ")} · ${one.classes.includes("Pr") ? "projective" : `inside ${one.classes.slice(0, 5).join(", ") || "no class"}`}`));
  }))];
}
