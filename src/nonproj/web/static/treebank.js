// The view of a treebank: coverage of every class, a plot, filters, sentences page by page.

import { ask, isStatic } from "./api.js";
import { button, choice, h, percent, show } from "./dom.js";
import { plot } from "./plot.js";
import { link, note } from "./route.js";

const FILTERS = ["outside", "inside", "least", "most", "relation", "search", "order", "page"];

export async function draw(place, { library, values, isCurrent }) {
  if (!values.treebank) {
    show(place, h("section", { class: "card" }, h("h1", null, "No treebank yet"), h("p", null, "Drop a CoNLL-U or CoNLL-X file on this page; it stays on this machine."), opener()));
    return;
  }
  const coverage = await ask("coverage", { treebank: values.treebank });
  const filters = Object.fromEntries(FILTERS.map((name) => [name, values[name] || ""]));
  const list = h("div", { class: "list" });
  const form = h("div", { class: "filters" });
  const table = h("div", { class: "scroll" });
  const sorting = { by: "cost", falling: false };

  const look = async () => {
    note("treebank", { treebank: values.treebank, ...filters });
    const found = await ask("sentences", { treebank: values.treebank, ...filters });
    if (isCurrent()) show(list, ...sentences(found, values.treebank, filters, turn));
  };
  const change = (name) => (value) => {
    filters[name] = value;
    filters.page = "";
    drawFilters();
    look();
  };
  const turn = (page) => {
    filters.page = page ? String(page) : "";
    look();
  };
  const drawFilters = () => show(form, ...fields(library, coverage, filters, change));
  const choose = (name) => {
    filters.inside = "";
    change("outside")(filters.outside === name ? "" : name);
    drawTable();
    list.scrollIntoView({ block: "nearest" });
  };
  const drawTable = () => show(table, classTable(library, coverage, sorting, filters.outside, choose, drawTable));
  drawTable();
  drawFilters();
  show(place,
    h("section", { class: "intro" },
      h("h1", null, coverage.name),
      h("p", null, `${coverage.trees.toLocaleString("en")} trees. A class of trees that leaves few of them outside, and that has a quick exact parser, is what a parser for this treebank wants.`, coverage.skipped ? ` ${coverage.skipped} sentences are not valid and left out.` : ""),
      coverage.problems.length ? h("details", null, h("summary", null, "What is wrong with them"), h("ul", { class: "problems" }, coverage.problems.map((one) => h("li", null, one)))) : null,
      isStatic ? null : opener()),
    h("div", { class: "columns" },
      h("section", { class: "card" }, h("h2", null, "Trees outside each class"), table, h("p", { class: "quiet hint" }, "★ No class with a parser as quick leaves fewer trees outside. A class lists the sentences outside it below.")),
      h("section", { class: "card" }, h("h2", null, "Coverage against cost"), plot(library.classes, coverage, choose))),
    h("section", { class: "card" }, h("h2", { id: "sentences" }, "Sentences"), form, list));
  await look();
}

function opener() {
  const input = h("input", { type: "file", id: "file", accept: ".conllu,.conll,.conllx,.txt,.gz,.bz2,.xz", onchange: () => {
    dispatchEvent(new CustomEvent("nonproj-open", { detail: [...input.files] }));
  } });
  return h("p", { class: "opener" }, h("label", { for: "file" }, "Open a file, or drop one anywhere on the page: "), input);
}

function classTable(library, coverage, sorting, chosen, choose, again) {
  const rows = library.classes.filter((cls) => cls.name in coverage.outside).map((cls, place) => ({
    cls, place, count: coverage.outside[cls.name], share: coverage.loss[cls.name], unsettled: coverage.unsettled[cls.name],
  }));
  const keys = { class: (row) => row.cls.name, trees: (row) => row.cls.title, outside: (row) => row.count, cost: (row) => row.place };
  const key = keys[sorting.by];
  rows.sort((one, two) => {
    const [a, b] = [key(one), key(two)];
    const way = typeof a === "string" ? a.localeCompare(b, "en", { numeric: true }) : a - b;
    return sorting.falling ? -way : way;
  });
  const heading = (name, text, type) => h("th", { scope: "col", class: type, "aria-sort": sorting.by === name ? (sorting.falling ? "descending" : "ascending") : "none" },
    button([text, h("span", { class: "arrow", "aria-hidden": "true" }, sorting.by === name ? (sorting.falling ? " ▼" : " ▲") : "")], () => {
      sorting.falling = sorting.by === name ? !sorting.falling : false;
      sorting.by = name;
      again();
      document.querySelector(`th button[data-key="${name}"]`)?.focus();
    }, { class: "plain", "data-key": name }));
  const most = Math.max(0.0001, ...rows.map((row) => row.share || 0));
  return h("table", { class: "coverage" },
    h("thead", null, h("tr", null, heading("class", "Class"), heading("trees", "Trees", "wide"), heading("outside", "Outside", "number"), h("th", { scope: "col", class: "number" }, "%"), heading("cost", "Exact parser"))),
    h("tbody", null, rows.map((row) => {
      const bar = h("span", { class: "bar", "aria-hidden": "true" });
      bar.style.width = `${(100 * (row.share || 0)) / most}%`;
      const isBest = coverage.best.includes(row.cls.name);
      return h("tr", { class: `${isBest ? "best" : ""} ${chosen === row.cls.name ? "chosen" : ""}` },
        h("th", { scope: "row" }, button(row.cls.name, () => choose(row.cls.name), { class: "plain link", title: `sentences outside ${row.cls.name}`, "aria-pressed": String(chosen === row.cls.name) }), isBest ? h("span", { class: "star", title: "no class of the same or a smaller cost covers more" }, " ★", h("span", { class: "unseen" }, " best of its cost")) : null),
        h("td", { class: "wide", title: row.cls.definition }, row.cls.title),
        h("td", { class: "number" }, row.count, row.unsettled ? h("span", { title: "could not be settled" }, ` +${row.unsettled}?`) : null),
        h("td", { class: "number bars" }, bar, h("span", null, percent(row.share))),
        h("td", null, cost(row.cls)));
    })));
}

export function cost(cls) {
  return cls.exponent ? h("span", null, "O(n", h("sup", null, cls.exponent), ")") : "none known";
}

function fields(library, coverage, filters, change) {
  const classes = [["", "any"], ...library.classes.filter((cls) => cls.name in coverage.outside).map((cls) => [cls.name, cls.name])];
  const input = (label, name, attributes) => {
    const field = h("input", { ...attributes, name, value: filters[name], onchange: () => change(name)(field.value) });
    return h("label", { class: "field" }, h("span", null, label), field);
  };
  return [
    choice("Outside", classes, filters.outside, change("outside"), { name: "outside" }),
    choice("Inside", classes, filters.inside, change("inside"), { name: "inside" }),
    input("Words from", "least", { type: "number", min: 0, max: 100000, placeholder: 1 }),
    input("to", "most", { type: "number", min: 0, max: 100000, placeholder: coverage.longest }),
    isStatic ? null : input("Relation", "relation", { type: "text", list: "relations", placeholder: "any" }),
    isStatic ? null : h("datalist", { id: "relations" }, coverage.relations.map((name) => h("option", { value: name }))),
    input("Contains", "search", { type: "search", placeholder: "text, id, lemma …" }),
    choice("Order", [["", "as in the file"], ["-classes", "outside most classes"], ["-crossings", "most crossings"], ["words", "shortest"], ["-words", "longest"]], filters.order, change("order"), { name: "order" }),
  ];
}

function sentences(found, treebank, filters, turn) {
  const last = Math.max(0, Math.ceil(found.total / found.size) - 1);
  const pager = h("nav", { class: "pager", "aria-label": "Pages of sentences" },
    button("◀", () => turn(found.page - 1), { disabled: found.page <= 0, "aria-label": "previous page" }),
    h("span", { class: "total" }, `${found.total.toLocaleString("en")} sentences, page ${found.page + 1} of ${(last + 1).toLocaleString("en")}`),
    button("▶", () => turn(found.page + 1), { disabled: found.page >= last, "aria-label": "next page" }));
  if (!found.total) return [h("p", { class: "quiet" }, "No sentence passes these filters.")];
  return [
    pager,
    h("ol", { class: "sentences", "aria-labelledby": "sentences" }, found.rows.map((row) => h("li", null,
      h("a", { href: link("sentence", { treebank, number: row.number, id: row.id }) }, h("bdi", { class: "id" }, row.id), h("bdi", { class: "text" }, row.text)),
      h("span", { class: "meta" }, `${row.words} words · ${row.crossings} crossing${row.crossings === 1 ? "" : "s"}`, row.outside.length ? ` · outside ${row.outside.slice(0, 6).join(", ")}${row.outside.length > 6 ? ` and ${row.outside.length - 6} more` : ""}` : " · projective")))),
    last > 0 ? pagerBelow(found, last, turn) : null,
  ];
}

function pagerBelow(found, last, turn) {
  return h("nav", { class: "pager", "aria-label": "Pages of sentences, below" },
    button("◀", () => turn(found.page - 1), { disabled: found.page <= 0, "aria-label": "previous page" }),
    button("▶", () => turn(found.page + 1), { disabled: found.page >= last, "aria-label": "next page" }));
}
