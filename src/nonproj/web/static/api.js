// Questions to the server; in an exported site, to files that hold the answers.

export const isStatic = document.documentElement.dataset.static === "yes";
const KEY = "nonproj-token";

function token() {
  const given = new URLSearchParams(location.search).get("token");
  try {
    if (given) localStorage.setItem(KEY, given);
    return given || localStorage.getItem(KEY) || "";
  } catch {
    return given || "";
  }
}

export class Failure extends Error {
  constructor(message, status) {
    super(message);
    this.status = status;
  }
}

async function answer(path, options) {
  let response;
  try {
    response = await fetch(path, { ...options, headers: { "x-nonproj-token": token(), ...(options || {}).headers } });
  } catch {
    throw new Failure("the server does not answer: has 'nonproj serve' ended?", 0);
  }
  let value;
  try {
    value = await response.json();
  } catch {
    throw new Failure(`the server answered with status ${response.status}`, response.status);
  }
  if (!response.ok) throw new Failure(value.error || `status ${response.status}`, response.status);
  return value;
}

export function ask(view, values) {
  if (isStatic) return stored(view, values || {});
  const kept = Object.entries(values || {}).filter(([, value]) => value !== "" && value !== null && value !== undefined);
  return answer(`api/${view}?${new URLSearchParams(kept)}`);
}

export function send(view, values) {
  if (isStatic) return stored(view, values);
  return answer(`api/${view}`, { method: "POST", body: JSON.stringify(values), headers: { "content-type": "application/json" } });
}

export function upload(view, file) {
  const name = new URLSearchParams({ name: file.name });
  return answer(`api/${view}?${name}`, { method: "POST", body: file, headers: { "content-type": "application/octet-stream" } });
}

// The exported site

const files = new Map();

function file(name) {
  if (!files.has(name)) {
    files.set(name, fetch(`data/${encodeURIComponent(name)}.json`).then((response) => {
      if (!response.ok) throw new Failure("this was not exported: start 'nonproj serve' for it", response.status);
      return response.json();
    }));
  }
  return files.get(name);
}

async function stored(view, values) {
  if (["library", "coverage", "scores", "decode"].includes(view)) return file(view);
  if (view === "sentences") return listed((await file("sentences")).rows, values);
  if (view === "schema_text") return file(`schema-${values.schema}`);
  if (view === "grammar") return file(`grammar-${values.grammar}`);
  if (values.heads) throw new Failure("changed trees need 'nonproj serve'", 0);
  const rows = (await file("sentences")).rows;
  const found = values.id ? rows.find((row) => row.id === values.id) : rows[Number(values.number || 0)];
  if (!found) throw new Failure("there is no such sentence", 404);
  const all = await file(`sentence-${found.number}`);
  const key = { transitions: "system", schema: "schema", lifting: "how", copy: "format" }[view];
  const value = key ? all[view] && all[view][values[key]] : all[view];
  if (!value) throw new Failure("this was not exported: start 'nonproj serve' for it", 0);
  if (value.error) throw new Failure(value.error, 422);
  return value;
}

function listed(rows, values) {
  const outside = (values.outside || "").split(",").filter(Boolean);
  const inside = (values.inside || "").split(",").filter(Boolean);
  const kept = rows.filter((row) => outside.every((name) => row.outside.includes(name))
    && !inside.some((name) => row.outside.includes(name))
    && row.words >= Number(values.least || 0) && row.words <= Number(values.most || 1e9)
    && (!values.search || `${row.id} ${row.text}`.includes(values.search)));
  const order = values.order || "number";
  const key = order.replace("-", "");
  const value = (row) => (key === "classes" ? row.outside.length : row[key]);
  kept.sort((one, two) => (order.startsWith("-") ? value(two) - value(one) : value(one) - value(two)));
  const size = Number(values.size || 25);
  const page = Number(values.page || 0);
  return { total: kept.length, page, size, rows: kept.slice(page * size, (page + 1) * size) };
}
