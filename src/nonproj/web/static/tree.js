// A tree drawn from a scene: words, arcs, labels, frames around yields; hovering, choosing words, dragging arcs.

import { h, s } from "./dom.js";

export class TreePicture {
  // options: blocks (yields of words), heads (those to show; null for an arc that is not there yet), onHead(word, head),
  // onWord(word), scale, label, numbers (shown under the words in place of their places).
  constructor(scene, options) {
    this.scene = scene;
    this.options = options || {};
    this.boxed = [];
    this.element = h("div", { class: "tree", dir: "ltr" });
    this.draw();
  }

  line(word) {
    return this.scene.lines[word.line];
  }

  draw() {
    const { scene, options } = this;
    const scale = options.scale || 1.25;
    const root = s("svg", {
      viewBox: `0 0 ${scene.width} ${scene.height}`,
      width: scene.width * scale,
      height: scene.height * scale,
      direction: scene.is_right_to_left ? "rtl" : "ltr",
      role: options.onWord || options.onHead ? "group" : "img",
      "aria-label": options.label || scene.words.map((word) => word.text).join(" "),
    });
    this.frames = s("g", { class: "frames" });
    this.arcs = scene.arcs.map((arc, at) => this.arc(arc, at + 1));
    this.words = scene.words.map((word, at) => this.word(word, at + 1));
    root.append(
      this.frames,
      s("g", null, this.arcs.map((arc) => arc.line)),
      s("g", null, this.arcs.map((arc) => arc.label)),
      s("g", null, scene.nodes.map((node) => this.node(node)), scene.tokens.map((token) => this.token(token))),
      s("g", null, this.words.map((word) => word.group)),
      s("g", { class: "hits" }, this.arcs.map((arc) => arc.hit)),
    );
    this.drag = s("line", { class: "drag", visibility: "hidden" });
    this.rootZone = s("text", { class: "rootzone", x: scene.width / 2, y: 12, visibility: "hidden" }, "drop here to make it a root");
    root.append(this.drag, this.rootZone);
    this.svg = root;
    this.element.replaceChildren(root);
    this.setHeads(options.heads);
  }

  arc(arc, word) {
    const colour = arc.plane ? ` plane-${1 + ((arc.plane - 1) % 5)}` : "";
    const line = s("g", { class: `arc${colour}`, "data-word": word, "data-head": arc.head },
      s("path", { class: "line", d: arc.path }), s("path", { class: "tip", d: arc.tip }));
    const label = s("text", { class: `label${colour}`, x: arc.label.x, y: arc.label.y }, arc.label.text);
    const hit = s("path", { class: "hit", d: arc.path, "data-word": word });
    hit.addEventListener("pointerenter", () => this.lightArc(word));
    hit.addEventListener("pointerleave", () => this.lightNothing());
    if (this.options.onHead) {
      hit.classList.add("movable");
      hit.append(s("title", null, "drag to another head"));
      hit.addEventListener("pointerdown", (event) => this.startDrag(event, word));
    }
    return { line, label, hit };
  }

  // What stands in a column: the form, and below it the tag, the features and the number.
  column(word, number) {
    const line = this.line(word);
    const first = line.top + (word.tag ? 30 : 17);
    return [
      s("text", { class: "form", x: word.x, y: line.top + 16 }, word.text),
      word.tag && s("text", { class: "tag", x: word.x, y: line.top + 30 }, word.tag),
      word.features.map((feature, at) => s("text", { class: "feature", x: word.x, y: first + 12 * (at + 1) }, feature)),
      s("text", { class: "number", x: word.x, y: line.number }, number),
    ];
  }

  node(node) {
    return s("g", { class: "empty" }, s("title", null, "an empty node of the enhanced graph"), this.column(node, node.number));
  }

  token(token) {
    const middle = token.pieces.reduce((one, two) => (two.right - two.left > one.right - one.left ? two : one));
    return s("g", { class: "token" }, s("title", null, "one token of the text, several words"),
      token.pieces.map(({ left, right, y }) => s("path", { d: `M${left} ${y}V${y + 4}H${right}V${y}` })),
      s("text", { x: (middle.left + middle.right) / 2, y: middle.y + 16 }, token.text));
  }

  word(word, number) {
    const { options } = this;
    const line = this.line(word);
    const group = s("g", { class: "word", "data-word": number },
      s("rect", { class: "ground", x: word.left - 4, y: line.top - 2, width: word.width + 8, height: line.bottom - line.top + 4, rx: 4 }),
      this.column(word, options.numbers ? options.numbers[number - 1] : number));
    group.addEventListener("pointerenter", () => this.lightWord(number));
    group.addEventListener("pointerleave", () => this.lightNothing());
    if (options.onWord) {
      group.setAttribute("tabindex", number === 1 ? "0" : "-1");
      group.setAttribute("role", "button");
      group.setAttribute("aria-pressed", "false");
      group.setAttribute("aria-label", this.spoken(number));
      group.addEventListener("click", () => options.onWord(number));
      group.addEventListener("focus", () => this.lightWord(number));
      group.addEventListener("blur", () => this.lightNothing());
      group.addEventListener("keydown", (event) => this.key(event, number));
    }
    return { group };
  }

  spoken(number) {
    const arc = this.scene.arcs[number - 1];
    const word = this.scene.words[number - 1].text;
    const head = arc.head ? `depends on ${this.scene.words[arc.head - 1].text}, word ${arc.head}` : "is a root";
    return `${word}, word ${number}, ${head}${arc.label.text ? `, as ${arc.label.text}` : ""}; press to frame its yield`;
  }

  key(event, number) {
    const forward = this.scene.is_right_to_left ? "ArrowLeft" : "ArrowRight";
    const to = event.key === forward ? number + 1 : event.key.startsWith("Arrow") && /Left|Right/.test(event.key) ? number - 1
      : event.key === "Home" ? 1 : event.key === "End" ? this.words.length : 0;
    if (event.key === "Enter" || event.key === " ") {
      event.preventDefault();
      this.options.onWord(number);
    } else if (to >= 1 && to <= this.words.length) {
      event.preventDefault();
      event.stopPropagation();
      this.focusWord(to);
    }
  }

  focusWord(number) {
    for (const word of this.words) word.group.setAttribute("tabindex", "-1");
    this.words[number - 1].group.setAttribute("tabindex", "0");
    this.words[number - 1].group.focus();
  }

  // Light

  lightNothing() {
    this.svg.classList.remove("dimmed");
    for (const element of this.svg.querySelectorAll(".lit, .crossed")) element.classList.remove("lit", "crossed");
  }

  lightArc(word) {
    this.lightNothing();
    this.svg.classList.add("dimmed");
    this.light([word], [word, this.scene.arcs[word - 1].head]);
    for (const other of this.crossing(word)) this.mark(other, "crossed");
  }

  lightWord(number) {
    this.lightNothing();
    this.svg.classList.add("dimmed");
    const arcs = this.scene.arcs.flatMap((arc, at) => (arc.head === number || at + 1 === number ? [at + 1] : []));
    this.light(arcs, [number, ...arcs, ...arcs.map((word) => this.scene.arcs[word - 1].head)]);
  }

  light(arcs, words) {
    for (const arc of arcs) this.mark(arc, "lit");
    for (const word of words) if (word > 0) this.words[word - 1].group.classList.add("lit");
  }

  mark(arc, name) {
    this.arcs[arc - 1].line.classList.add(name);
    this.arcs[arc - 1].label.classList.add(name);
  }

  crossing(word) {
    const end = (at) => [Math.min(at, this.scene.arcs[at - 1].head), Math.max(at, this.scene.arcs[at - 1].head)];
    const [a, b] = end(word);
    return this.scene.arcs.map((_, at) => at + 1).filter((other) => {
      const [c, d] = end(other);
      return (a < c && c < b && b < d) || (c < a && a < d && d < b);
    });
  }

  // What stays lit until something else is shown: arcs [head, word] and words.
  highlight(arcs, words) {
    for (const element of this.svg.querySelectorAll(".shown")) element.classList.remove("shown");
    for (const [head, word] of arcs || []) if (word && this.scene.arcs[word - 1].head === head) this.mark(word, "shown");
    for (const word of words || []) if (word > 0 && word <= this.words.length) this.words[word - 1].group.classList.add("shown");
  }

  // Frames

  box(words) {
    this.boxed = words;
    const blocks = this.options.blocks || [];
    const size = (word) => blocks[word - 1].reduce((sum, [first, last]) => sum + last - first + 1, 0);
    const inner = (word) => words.filter((other) => other !== word && blocks[word - 1].some(([first, last]) => first <= other && other <= last));
    const depth = (word) => Math.max(-1, ...inner(word).filter((other) => size(other) < size(word)).map(depth)) + 1;
    this.frames.replaceChildren(...words.flatMap((word, index) => {
      const reach = 4 + 4 * Math.min(2, depth(word));
      return blocks[word - 1].flatMap(([first, last]) => this.stretches(first, last)).map(({ line, left, right }) => s("rect", {
        class: `frame box-${1 + (index % 5)}`, x: left - reach, y: line.top - reach, width: right - left + 2 * reach, height: line.bottom - line.top + 2 * reach, rx: 5,
      }));
    }));
    this.words.forEach((word, at) => {
      if (this.options.onWord) word.group.setAttribute("aria-pressed", String(words.includes(at + 1)));
      word.group.classList.toggle("boxed", words.includes(at + 1));
    });
  }

  // Where the words from one to another stand, line by line.
  stretches(first, last) {
    const words = this.scene.words.slice(first - 1, last);
    return [...new Set(words.map((word) => word.line))].map((at) => {
      const here = words.filter((word) => word.line === at);
      return { line: this.scene.lines[at], left: Math.min(...here.map((word) => word.left)), right: Math.max(...here.map((word) => word.left + word.width)) };
    });
  }

  // Arcs that are not made yet are faint.
  setHeads(heads) {
    this.arcs.forEach((arc, at) => {
      const isThere = !heads || heads[at] === this.scene.arcs[at].head;
      arc.line.classList.toggle("waiting", !isThere);
      arc.label.classList.toggle("waiting", !isThere);
    });
  }

  // Cells under the words: which of them an item has seen, and which have their head in it.
  strip(words, attached) {
    const seen = new Set(words);
    const done = new Set(attached);
    if (this.cells) this.cells.remove();
    this.svg.setAttribute("viewBox", `0 0 ${this.scene.width} ${this.scene.height + 18}`);
    this.svg.setAttribute("height", (this.scene.height + 18) * (this.options.scale || 1.25));
    this.cells = s("g", { class: "cells" }, this.scene.words.map((word, at) => s("rect", {
      class: done.has(at + 1) ? "cell attached" : seen.has(at + 1) ? "cell open" : "cell",
      x: word.x - Math.max(10, word.width / 2), y: this.line(word).end + 1, width: Math.max(20, word.width), height: 12, rx: 3,
    })));
    this.svg.append(this.cells);
  }

  // Dragging

  place(event) {
    const box = this.svg.getBoundingClientRect();
    const view = this.svg.viewBox.baseVal;
    return [((event.clientX - box.left) / box.width) * view.width, ((event.clientY - box.top) / box.height) * view.height];
  }

  nearest(x, y) {
    const { lines, words } = this.scene;
    const line = Math.max(0, lines.findIndex((one, at) => y <= one.end || at === lines.length - 1));
    const distance = (word) => (word.line === line ? Math.abs(word.x - x) - word.width / 2 : Infinity);
    let best = 0;
    words.forEach((word, at) => {
      if (distance(word) < distance(words[best])) best = at;
    });
    return best + 1;
  }

  startDrag(event, word) {
    event.preventDefault();
    const target = event.target;
    target.setPointerCapture(event.pointerId);
    const from = this.scene.words[word - 1];
    let head = null;
    this.rootZone.setAttribute("visibility", "visible");
    this.svg.classList.add("dragging");
    const move = (moved) => {
      const [x, y] = this.place(moved);
      head = y < 18 ? 0 : this.nearest(x, y);
      this.drag.setAttribute("visibility", "visible");
      for (const [name, value] of Object.entries({ x1: from.x, y1: this.line(from).top, x2: x, y2: y })) this.drag.setAttribute(name, value);
      this.lightNothing();
      this.light([word], [word, head]);
    };
    const end = (ended, isMeant) => {
      target.removeEventListener("pointermove", move);
      target.removeEventListener("pointerup", up);
      target.removeEventListener("pointercancel", cancel);
      this.drag.setAttribute("visibility", "hidden");
      this.rootZone.setAttribute("visibility", "hidden");
      this.svg.classList.remove("dragging");
      this.lightNothing();
      if (isMeant && head !== null && head !== word && head !== this.scene.arcs[word - 1].head) this.options.onHead(word, head);
    };
    const up = (ended) => end(ended, true);
    const cancel = (ended) => end(ended, false);
    target.addEventListener("pointermove", move);
    target.addEventListener("pointerup", up);
    target.addEventListener("pointercancel", cancel);
  }
}

export function namer(forms) {
  return (word) => (word === 0 ? "root" : forms[word - 1] || String(word));
}

// How wide a picture may be at the given scale to fit into a card of the page without scrolling.
export function room(scale = 1.25) {
  const main = document.getElementById("main");
  const padding = parseFloat(getComputedStyle(main).paddingLeft) || 0;
  return Math.max(240, Math.floor((main.clientWidth - 2 * padding - 40) / scale));
}
