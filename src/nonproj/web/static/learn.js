// A guided tour of six stops through the sample treebank.

import { ask, isStatic } from "./api.js";
import { button, h, say, show } from "./dom.js";
import { link, note } from "./route.js";
import { TreePicture, room } from "./tree.js";

const inside = (tree, name) => tree.classes.find((cls) => cls.class === name).inside;

const STOPS = [
  {
    title: "Projective",
    id: "en-present",
    boxes: [6],
    text: [
      "An arc goes from a head to its dependent. A word together with everything below it is its yield. Here the yield of “present” is framed: “a small present”, words that stand side by side.",
      "When every yield is one unbroken stretch of the sentence, the tree is projective. No arc crosses another, and the best such tree is found in O(n³) (Eisner 1996).",
    ],
    task: "Break it: drag the arc of “small” to “gave”. The yield of “present” falls apart, and arcs cross.",
    is: (tree) => !inside(tree, "Pr"),
    done: "Two arcs cross now, and “small” stands in the middle of a yield that it is no part of.",
  },
  {
    title: "Gap",
    id: "en-whales",
    boxes: [4],
    text: [
      "“We saw a film yesterday about whales.” The phrase “about whales” belongs to “film”, but “yesterday” stands between them. The yield of “film” has a gap.",
      "The gap degree of a tree is the largest number of gaps in any yield: here 1. Most trees of most treebanks get by with 1, and languages with freer word order need it often.",
    ],
    task: "Close the gap: drag the arc of “whales” to “saw”, as if the seeing were about whales.",
    is: (tree) => inside(tree, "Pr"),
    done: "Every yield is whole again, and the tree is projective. What it says is another matter.",
  },
  {
    title: "Well-nested",
    id: "en-hearing",
    boxes: [2, 4],
    class: "WG1",
    text: [
      "“A hearing is scheduled on the issue today.” Look at the two frames. The yield of “hearing” is 1–2 and 5–7, that of “scheduled” is 4 and 8. They interleave: a word of the one, a word of the other, a word of the one, a word of the other.",
      "Trees in which no two such yields interleave are well-nested. With at most one gap they are the class WG1, which has an exact parser in O(n⁷). This tree is outside it.",
    ],
    task: "Make it well-nested: hang “today” from “is” instead of “scheduled”.",
    is: (tree) => inside(tree, "WG1"),
    done: "Now the yield of “scheduled” is a single word, and nothing interleaves.",
  },
  {
    title: "Planes",
    id: "nl-cross-serial-3",
    class: "2-P",
    text: [
      "Dutch verbs come in a row, and each has its own object further left: “… that Tom saw Eva let the children wash the dog”. The arcs cross like the strands of a braid.",
      "Sheets of glass, a plane each: can all arcs be drawn so that no two on one sheet cross? The arcs are coloured by sheet. With two the tree would be in 2-P. Here arcs cross one another in a ring of odd length, and two sheets are not enough.",
    ],
    task: "Which arcs make the ring? They are lit in red. Take one away: give “Eva” another head, such as “dog”’s verb “wassen”.",
    is: (tree) => inside(tree, "2-P"),
    done: "The ring is broken, and two planes will do.",
  },
  {
    title: "1EC",
    id: "en-hearing",
    class: "1EC",
    text: [
      "1-endpoint-crossing trees look at one arc at a time: all the arcs that cross it must share an end. One crossing point may be busy, but only one. That rule covers nearly all trees of most treebanks, and has an exact parser in O(n⁴) (Pitler, Kannan & Marcus 2013).",
      "Now en-hearing. The arc from “hearing” to “on” is crossed three times: by the arc from the root to “is”, by the arc from “is” to the full stop, and by the arc from “scheduled” to “today”. The first two meet at “is”. But the third touches neither “is” nor the root nor the full stop: there is no one end that all three share. So the tree is outside 1EC. (Arcs from the root count: think of the root as a point left of all words.)",
    ],
    task: "Bring it into 1EC: change one head so that all the arcs that cross hearing → on meet at one word, or so that it is not crossed at all. Hovering over an arc shows what crosses it.",
    is: (tree) => inside(tree, "1EC"),
    done: "All arcs that cross an arc now share an end. Undo it and try another way: there are several.",
  },
  {
    title: "MH_k",
    id: "en-hearing",
    class: "MH4",
    text: [
      "Multi-headed trees look at how a tree is built rather than at its shape. An item is a few words that are still needed; all others between them have their heads. Items that share an end are combined, and a word inside an item is linked to another of its words and dropped.",
      "With items of at most k words you get MH_k, in O(n^k). MH_3 is exactly the projective trees. Our sentence is ill-nested and outside 1EC, yet inside MH_4, which costs the same as 1EC: items of four words are enough.",
    ],
    steps: { tab: "schema", schema: "MH4" },
    task: "See it happen: step through its derivation with MH4, and watch where four words are held at once.",
    done: "",
  },
];

export async function draw(place, { values }) {
  const solved = new Set();
  let at = Math.min(Math.max(0, Number(values.stop || 1) - 1), STOPS.length - 1);

  const render = async () => {
    note("learn", { stop: at + 1 });
    const stop = STOPS[at];
    const original = await ask("sentence", { treebank: "sample", id: stop.id, width: room() });
    let tree = original;
    const frame = h("div");
    const task = h("div", { class: "task", role: "status" });
    const reason = h("p", { class: "reason" });
    const paint = () => {
      const cls = stop.class && tree.classes.find((one) => one.class === stop.class);
      const boxes = [...(stop.boxes || [])];
      const picture = new TreePicture(tree.scene, {
        blocks: tree.blocks,
        label: tree.text,
        onHead: isStatic ? null : (word, head) => change(tree.heads.map((old, place_) => (place_ + 1 === word ? head : old))),
        onWord: (word) => {
          if (boxes.includes(word)) boxes.splice(boxes.indexOf(word), 1);
          else boxes.push(word);
          picture.box([...boxes]);
        },
      });
      picture.box([...boxes]);
      if (cls) picture.highlight(cls.arcs, cls.words);
      show(frame, picture.element);
      show(reason, cls ? `${cls.class}: ${cls.text}` : "");
      const isSolved = Boolean(stop.is && tree !== original && stop.is(tree));
      if (isSolved) solved.add(at);
      task.classList.toggle("solved", isSolved);
      show(task, h("b", null, isSolved ? "Yes. " : "Try: "), isSolved ? stop.done : stop.task, " ",
        stop.steps ? h("a", { class: "button", href: link("steps", { treebank: "sample", number: original.number, id: stop.id, ...stop.steps }), onclick: () => solved.add(at) }, "Step through it") : null,
        tree !== original ? button("As it was", () => { tree = original; paint(); }) : null,
        isStatic && !stop.steps ? h("span", { class: "quiet" }, " (dragging needs ‘nonproj serve’)") : null);
      drawStops();
    };
    const change = async (heads) => {
      try {
        tree = await ask("sentence", { treebank: "sample", id: stop.id, number: original.number, heads: heads.join("."), width: room() });
        paint();
      } catch (error) {
        say(error.message);
      }
    };
    const stops = h("ol", { class: "stops" });
    const drawStops = () => show(stops, STOPS.map((one, number) => h("li", null, button(`${number + 1} ${one.title}`, () => { at = number; render(); }, { "aria-current": number === at ? "step" : null, class: solved.has(number) ? "done" : "" }))));
    show(place,
      h("h1", null, "Six stops from projective to MH_k"),
      stops,
      h("section", { class: "card lesson" },
        h("h2", null, `${at + 1}. ${stop.title}`),
        stop.text.map((paragraph) => h("p", null, paragraph)),
        frame, reason, task,
        h("div", { class: "tools" },
          button("◀ back", () => { at -= 1; render(); }, { disabled: at === 0 }),
          at + 1 < STOPS.length ? button("Next stop ▶", () => { at += 1; render(); }, { class: "main" }) : h("a", { class: "button", href: link("treebank", {}) }, "Now a treebank"),
          h("a", { class: "button", href: link("sentence", { treebank: "sample", number: original.number, id: stop.id }) }, "See all classes of this tree"))));
    paint();
  };
  await render();
}
