// The frame around the views: which one is shown, and which treebank.

import { ask, isStatic, upload } from "./api.js";
import { button, h, say, show } from "./dom.js";
import { go, here, link } from "./route.js";
import * as decode from "./decode.js";
import * as learn from "./learn.js";
import * as sentence from "./sentence.js";
import * as steps from "./steps.js";
import * as treebank from "./treebank.js";

const VIEWS = { treebank, sentence, steps, decode, learn };
const main = document.getElementById("main");
const picker = document.getElementById("treebank");
let library = null;
let drawn = 0;
let leave = null;
const scrolled = new Map(); // how far down each entry of the history was when it was left
let entry = entryHere(); // the one that is on the screen

async function open() {
  if (!library) library = await ask("library");
  const names = library.treebanks.map((one) => one.name);
  const { view, values } = here();
  // The sample is always there for the tour, whatever else is open.
  const isTour = values.treebank === "sample" && !names.includes("sample");
  if (!isTour && !names.includes(values.treebank)) values.treebank = names[names.length - 1] || "";
  picker.replaceChildren(...(isTour ? [h("option", { value: "sample", selected: true }, "sample")] : []), ...library.treebanks.map((one) => h("option", { value: one.name, selected: one.name === values.treebank }, `${one.name} (${one.sentences})`)));
  for (const a of document.querySelectorAll("#views a")) {
    const name = a.getAttribute("href").replace(/^#\//, "").split("?")[0];
    a.toggleAttribute("aria-current", name === view);
    if (name === view) a.setAttribute("aria-current", "page");
    const kept = name === "sentence" || name === "steps" ? { treebank: values.treebank, number: values.number, id: values.id, heads: values.heads } : { treebank: values.treebank };
    a.setAttribute("href", link(name, kept));
  }
  return { view, values };
}

// The number of an entry of the history, which it keeps when one goes back to it.
function entryHere() {
  if (!history.state?.entry) history.replaceState({ entry: Date.now() + Math.random() }, "");
  return history.state.entry;
}

// A new view is read from its top; one that is gone back to, from where it was left.
function arrive() {
  if (entry === entryHere()) return;
  entry = entryHere();
  scrollTo(0, scrolled.get(entry) || 0);
}

async function draw() {
  const turn = ++drawn;
  try {
    const { view, values } = await open();
    const shown = VIEWS[view] || treebank;
    const place = h("div", { class: `view ${view}` });
    const ended = await shown.draw(place, { library, values, isCurrent: () => turn === drawn, reload });
    if (turn !== drawn) return;
    if (leave) leave();
    leave = ended || null;
    document.title = `${view[0].toUpperCase()}${view.slice(1)} – nonproj`;
    show(main, place);
  } catch (error) {
    if (turn !== drawn) return;
    show(main, failure(error));
  }
  arrive();
}

function failure(error) {
  const isToken = error.status === 401;
  return h("section", { class: "card problem view", role: "alert" },
    h("h1", null, isToken ? "Which page is this?" : "That did not work"),
    h("p", null, error.message),
    isToken ? null : h("p", null, button("Try again", draw), " ", h("a", { href: link("treebank") }, "To the treebank")));
}

async function reload(name, view = "treebank") {
  library = await ask("library");
  go(view, { treebank: name });
}

async function take(files) {
  for (const file of files) {
    say(`reading ${file.name} …`);
    try {
      const found = await upload("drop", file);
      const left = found.skipped.length ? `; left out: ${found.skipped[0]}${found.skipped.length > 1 ? " and more" : ""}` : "";
      say(`${found.treebank}: ${found.sentences} sentences${left}`);
      await reload(found.treebank);
    } catch (error) {
      say(error.message);
    }
  }
}

function listen() {
  history.scrollRestoration = "manual";
  addEventListener("hashchange", () => {
    scrolled.set(entry, scrollY);
    draw();
  });
  picker.addEventListener("change", () => go(here().view === "learn" ? "treebank" : here().view, { treebank: picker.value }));
  document.getElementById("skip").addEventListener("click", () => main.focus());
  addEventListener("nonproj-open", (event) => take(event.detail));
  if (isStatic) return;
  addEventListener("dragover", (event) => {
    if (![...event.dataTransfer.types].includes("Files")) return;
    event.preventDefault();
    document.body.classList.add("dropping");
  });
  addEventListener("dragleave", (event) => {
    if (!event.relatedTarget) document.body.classList.remove("dropping");
  });
  addEventListener("drop", (event) => {
    document.body.classList.remove("dropping");
    if (!event.dataTransfer.files.length) return;
    event.preventDefault();
    take([...event.dataTransfer.files]);
  });
}

listen();
draw();
