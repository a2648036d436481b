// Elements without HTML: text of a treebank only ever becomes the text of a node.

const SVG = "http://www.w3.org/2000/svg";

function fill(element, attributes, children) {
  for (const [name, value] of Object.entries(attributes || {})) {
    if (value === null || value === undefined || value === false) continue;
    if (name.startsWith("on")) element.addEventListener(name.slice(2), value);
    else if (name === "class") element.setAttribute("class", value);
    else if (name === "value") element.value = value;
    else if (name === "checked" || name === "disabled" || name === "selected") element[name] = true;
    else element.setAttribute(name, value === true ? "" : String(value));
  }
  for (const child of children.flat(Infinity)) {
    if (child === null || child === undefined || child === false) continue;
    element.append(child instanceof Node ? child : document.createTextNode(String(child)));
  }
  return element;
}

export function h(tag, attributes, ...children) {
  return fill(document.createElement(tag), attributes, children);
}

export function s(tag, attributes, ...children) {
  return fill(document.createElementNS(SVG, tag), attributes, children);
}

export function show(parent, ...children) {
  parent.replaceChildren(...children.flat(Infinity).filter((child) => child));
}

// A line for the place of an answer that is not there yet.
export function working(text) {
  return h("p", { class: "quiet working", role: "status" }, text);
}

export function say(text) {
  const status = document.getElementById("status");
  status.textContent = text;
  status.classList.toggle("shown", Boolean(text));
  clearTimeout(say.timer);
  if (text) say.timer = setTimeout(() => say(""), 6000);
}

export function choice(label, options, value, changed, attributes) {
  const select = h("select", { ...attributes, onchange: () => changed(select.value) },
    options.map(([key, text]) => h("option", { value: key, selected: key === value }, text)));
  return h("label", { class: "field" }, h("span", null, label), select);
}

export function button(text, pressed, attributes) {
  return h("button", { type: "button", onclick: pressed, ...attributes }, text);
}

export function percent(share) {
  if (share === null || share === undefined) return "–";
  return share === 0 ? "0" : share < 0.0001 ? "<0.01" : (100 * share).toFixed(2);
}
