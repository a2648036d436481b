// Where we are: "#/view?name=value", so that every state has a link.

export function here() {
  const [path, query] = location.hash.replace(/^#\/?/, "").split("?");
  return { view: path || "treebank", values: Object.fromEntries(new URLSearchParams(query || "")) };
}

export function link(view, values) {
  const kept = Object.entries(values || {}).filter(([, value]) => value !== "" && value !== null && value !== undefined);
  const query = new URLSearchParams(kept).toString();
  return `#/${view}${query ? `?${query}` : ""}`;
}

export function go(view, values) {
  location.hash = link(view, values);
}

// Changes the address without drawing the view again: it has drawn itself.
export function note(view, values) {
  history.replaceState(history.state, "", link(view, values));
}
