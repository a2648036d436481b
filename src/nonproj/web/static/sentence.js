// The view of a sentence: the tree, what it is inside and outside of, and what changes when an arc is moved.

import { ask, isStatic } from "./api.js";
import { button, choice, h, say, show } from "./dom.js";
import { go, link, note } from "./route.js";
import { TreePicture, namer, room } from "./tree.js";

export async function draw(place, { library, values }) {
  const state = { boxes: (values.boxes || "").split(",").map(Number).filter(Boolean), past: [], pinned: values.class || "", features: values.features || "" };
  const asked = { treebank: values.treebank, number: values.number || 0, id: values.id, heads: values.heads, features: state.features, width: room() };
  let shown;
  try {
    shown = await ask("sentence", asked);
  } catch (error) {
    if (!values.heads) throw error;
    say(error.message);
    shown = await ask("sentence", { ...asked, heads: "" });
  }
  const original = shown.is_changed ? await ask("sentence", { ...asked, heads: "" }) : shown;

  const remember = () => note("sentence", {
    treebank: shown.treebank, number: shown.number, id: shown.id, boxes: state.boxes.join(","), class: state.pinned,
    heads: shown.is_changed ? shown.heads.join(".") : "", features: state.features,
  });
  const look = (heads) => ask("sentence", { treebank: shown.treebank, number: shown.number, id: shown.id, heads: heads.join("."), features: state.features, width: room() });
  const change = async (heads) => {
    try {
      const next = await look(heads);
      state.past.push(shown.heads);
      shown = next;
      say(difference(shown, original) || "no class changes");
      render();
    } catch (error) {
      say(error.message);
    }
  };
  const toggleFeatures = async () => {
    state.features = state.features ? "" : "yes";
    shown = await look(shown.heads);
    render("input[name=features]");
  };
  const move = (word, head) => change(shown.heads.map((old, at) => (at + 1 === word ? head : old)));
  const undo = () => {
    const heads = state.past.pop();
    if (heads) change(heads).then(() => { state.past.pop(); state.past.pop(); render(); });
  };

  const render = (focus) => {
    remember();
    const name = namer(shown.forms);
    const picture = new TreePicture(shown.scene, {
      blocks: shown.blocks,
      label: `Dependency tree of: ${shown.text}. ${shown.forms.length} words`,
      onHead: isStatic ? null : move,
      onWord: (word) => {
        state.boxes = state.boxes.includes(word) ? state.boxes.filter((other) => other !== word) : [...state.boxes, word];
        picture.box(state.boxes);
        remember();
        show(said, yieldText(shown, state.boxes, name));
      },
    });
    picture.box(state.boxes.filter((word) => word <= shown.forms.length));
    const said = h("p", { class: "yields", "aria-live": "polite" }, yieldText(shown, state.boxes, name));
    const light = (cls) => picture.highlight(cls ? cls.arcs : [], cls ? cls.words : []);
    const pinned = shown.classes.find((cls) => cls.class === state.pinned);
    light(pinned);
    show(place,
      h("section", { class: "intro" },
        h("nav", { class: "pager", "aria-label": "Sentences" },
          h("a", { class: "button", href: link("treebank", { treebank: shown.treebank }) }, "All sentences"),
          stepTo(shown, -1, "◀ previous"), stepTo(shown, 1, "next ▶"),
          h("a", { class: "button", href: link("steps", { treebank: shown.treebank, number: shown.number, id: shown.id, heads: shown.is_changed ? shown.heads.join(".") : "" }) }, "Step through it")),
        h("h1", { dir: "auto" }, shown.text),
        h("p", { class: "quiet" }, h("bdi", null, shown.id), ` · sentence ${shown.number + 1} of ${shown.count.toLocaleString("en")}`, shown.notes.map((one) => h("span", { class: "note" }, one)))),
      h("section", { class: "card picture" }, picture.element, said,
        h("p", { class: "quiet hint" }, isStatic ? "Click a word to frame its yield." : "Click a word to frame its yield; drag an arc to another head, or to the top to make it a root."),
        tools(shown, state),
        isStatic || !shown.has_features ? null : h("label", { class: "check" }, h("input", { type: "checkbox", name: "features", checked: Boolean(state.features), onchange: toggleFeatures }), " features under the words"),
        isStatic ? null : editor(shown, move, undo, state, original)),
      h("div", { class: "columns" },
        h("section", { class: "card" }, h("h2", null, "Classes"), changed(shown, original), classes(library, shown, original, state, light, () => { remember(); })),
        h("section", { class: "card" }, h("h2", null, "Measures"), h("dl", { class: "facts" }, shown.facts.map((fact) => [h("dt", null, fact.name), h("dd", null, fact.value)])),
          h("h2", null, "Crossing arcs"), crossings(shown, picture, name))));
    if (focus) place.querySelector(focus)?.focus();
  };
  render();
}

function stepTo(shown, way, text) {
  const number = shown.number + way;
  if (number < 0 || number >= shown.count) return h("span", { class: "button off" }, text);
  return h("a", { class: "button", href: link("sentence", { treebank: shown.treebank, number }) }, text);
}

function yieldText(shown, boxes, name) {
  if (!boxes.length) return "";
  return boxes.filter((word) => word <= shown.forms.length).map((word) => {
    const blocks = shown.blocks[word - 1];
    const spans = blocks.map(([first, last]) => (first === last ? first : `${first}–${last}`)).join(", ");
    const gaps = blocks.length - 1;
    return h("span", { class: "yield" }, h("b", null, name(word)), ` has the yield ${spans}: `, gaps ? `${gaps} gap${gaps > 1 ? "s" : ""}` : "no gap", ". ");
  });
}

function tools(shown, state) {
  const asked = (format) => ({ treebank: shown.treebank, number: shown.number, id: shown.id, format, heads: shown.is_changed ? shown.heads.join(".") : "", boxes: state.boxes.join(","), features: state.features, width: room() });
  const copy = (format) => async () => {
    try {
      const { text } = await ask("copy", asked(format));
      await toClipboard(text);
      say(`copied as ${format === "conllu" ? "CoNLL-U" : format === "latex" ? "LaTeX for tikz-dependency" : "SVG"}`);
    } catch (error) {
      say(`not copied: ${error.message}`);
    }
  };
  const png = async () => {
    try {
      const picture = ask("copy", asked("svg")).then(({ text }) => painted(text));
      say(await imageToClipboard(picture) ? "copied as PNG" : (save(await picture, `${shown.id}.png`), "saved as PNG: this browser does not let pages copy pictures"));
    } catch (error) {
      say(`no PNG: ${error.message}`);
    }
  };
  const address = async () => {
    const url = new URL(location.href);
    url.search = "";
    await toClipboard(url.href);
    say("the link is copied; it opens in this browser as long as the page is served");
  };
  return h("div", { class: "tools", role: "group", "aria-label": "Copy" },
    h("span", null, "Copy as"), button("CoNLL-U", copy("conllu")), button("SVG", copy("svg")), button("LaTeX", copy("latex")), button("PNG", png), button("Link", address));
}

async function toClipboard(text) {
  try {
    await navigator.clipboard.writeText(text);
  } catch {
    // Without the right to the clipboard: by way of a selection.
    const field = h("textarea", { class: "unseen" });
    field.value = text;
    document.body.append(field);
    field.select();
    document.execCommand("copy");
    field.remove();
  }
  document.documentElement.dataset.copied = text;
}

// Whether the picture came to the clipboard; the item is made at once, while the browser still sees the click.
async function imageToClipboard(picture) {
  try {
    await navigator.clipboard.write([new ClipboardItem({ "image/png": picture })]);
    return true;
  } catch {
    return false;
  }
}

function painted(text) {
  return new Promise((resolve, reject) => {
    const image = new Image();
    const address = URL.createObjectURL(new Blob([text], { type: "image/svg+xml" }));
    image.onload = () => {
      const canvas = h("canvas");
      [canvas.width, canvas.height] = [image.width * 2, image.height * 2];
      canvas.getContext("2d").drawImage(image, 0, 0, canvas.width, canvas.height);
      URL.revokeObjectURL(address);
      canvas.toBlob((blob) => (blob ? resolve(blob) : reject(new Error("the picture is too large"))), "image/png");
    };
    image.onerror = () => reject(new Error("the picture could not be painted"));
    image.src = address;
  });
}

function save(blob, name) {
  const a = h("a", { href: URL.createObjectURL(blob), download: name.replace(/[^\w.-]+/g, "_") });
  a.click();
  setTimeout(() => URL.revokeObjectURL(a.href), 1000);
}

function editor(shown, move, undo, state, original) {
  const name = namer(shown.forms);
  const words = shown.forms.map((form, at) => [String(at + 1), `${at + 1} ${form}`]);
  let word = state.word && state.word <= shown.forms.length ? state.word : 1;
  const head = h("select", { name: "head", onchange: () => { state.word = word; move(word, Number(head.value)); } });
  const fill = () => head.replaceChildren(...[["0", "0 root"], ...words].filter(([key]) => Number(key) !== word).map(([key, text]) => h("option", { value: key, selected: Number(key) === shown.heads[word - 1] }, text)));
  fill();
  return h("div", { class: "editor" },
    choice("Word", words, String(word), (value) => { word = Number(value); fill(); }, { name: "word" }),
    h("label", { class: "field" }, h("span", null, "Its head"), head),
    button("Undo", undo, { disabled: !state.past.length }),
    button("As it was", () => { state.past = []; go("sentence", { treebank: shown.treebank, number: shown.number, id: shown.id }); }, { disabled: !shown.is_changed }),
    shown.is_changed ? h("span", { class: "badge changed" }, `changed: ${shown.heads.flatMap((now, at) => (now === original.heads[at] ? [] : [`${name(at + 1)} now below ${name(now)}`])).join("; ")}`) : null);
}

function difference(now, before) {
  const inside = (judged) => new Set(judged.classes.filter((cls) => cls.inside).map((cls) => cls.class));
  const [old, fresh] = [inside(before), inside(now)];
  const entered = [...fresh].filter((cls) => !old.has(cls));
  const left = [...old].filter((cls) => !fresh.has(cls));
  return [entered.length ? `now inside ${entered.join(", ")}` : "", left.length ? `no longer inside ${left.join(", ")}` : ""].filter(Boolean).join("; ");
}

function changed(shown, original) {
  if (!shown.is_changed) return null;
  return h("p", { class: "difference" }, difference(shown, original) || "The change takes the tree into no class and out of none.");
}

function classes(library, shown, original, state, light, remember) {
  const info = Object.fromEntries(library.classes.map((cls) => [cls.name, cls]));
  const row = (cls) => {
    const is = cls.inside === null ? "unsettled" : cls.inside ? "inside" : "outside";
    const isPinned = state.pinned === cls.class;
    const item = h("li", { class: `judged ${is}${isPinned ? " pinned" : ""}` },
      h("button", {
        type: "button", class: "plain", "aria-pressed": String(isPinned), title: info[cls.class].definition,
        onmouseenter: () => light(cls), onmouseleave: () => light(shown.classes.find((one) => one.class === state.pinned)),
        onfocus: () => light(cls),
        onclick: (event) => {
          state.pinned = state.pinned === cls.class ? "" : cls.class;
          for (const one of event.currentTarget.closest("ul").children) {
            const isThis = one === item && Boolean(state.pinned);
            one.classList.toggle("pinned", isThis);
            one.querySelector("button").setAttribute("aria-pressed", String(isThis));
          }
          light(state.pinned ? cls : null);
          remember();
        },
      }, h("span", { class: "mark", "aria-hidden": "true" }, is === "inside" ? "✓" : is === "outside" ? "✗" : "?"), h("b", null, cls.class), h("span", { class: "unseen" }, ` ${is}: `), h("span", { class: "title" }, info[cls.class].title)),
      is === "inside" ? null : h("p", { class: "reason" }, cls.text));
    return item;
  };
  return h("ul", { class: "classes" }, shown.classes.map(row));
}

function crossings(shown, picture, name) {
  if (!shown.crossings.length) return h("p", { class: "quiet" }, "No two arcs cross.");
  const arc = ([head, word]) => `${name(head)} → ${name(word)}`;
  return h("ul", { class: "crossings" }, shown.crossings.slice(0, 50).map(([one, two]) => h("li", null,
    h("button", { type: "button", class: "plain", onmouseenter: () => picture.highlight([one, two], []), onfocus: () => picture.highlight([one, two], []), onmouseleave: () => picture.highlight([], []) }, arc(one), h("span", { class: "quiet" }, " crosses "), arc(two)))));
}
