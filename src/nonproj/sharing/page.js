// Tables are sorted by a click on a heading: numbers by size, the rest as text; a second click turns the order round.
"use strict";

function valueOf(row, column) {
  const text = row.cells[column].textContent.trim();
  const number = parseFloat(text.replace(/,/g, ""));
  return { text, number: /^[-+]?[\d.,]/.test(text) ? number : NaN };
}

function sort(table, column, falling) {
  const body = table.tBodies[0];
  const rows = Array.from(body.rows).map((row) => ({ row, ...valueOf(row, column) }));
  rows.sort((a, b) => {
    const hasA = !Number.isNaN(a.number), hasB = !Number.isNaN(b.number);
    if (hasA !== hasB) return hasA ? -1 : 1;  // what is no number comes last
    const order = hasA ? a.number - b.number : a.text.localeCompare(b.text);
    return falling ? -order : order;
  });
  body.append(...rows.map(({ row }) => row));
}

for (const button of document.querySelectorAll("th button")) {
  button.addEventListener("click", () => {
    const heading = button.closest("th"), table = button.closest("table");
    const falling = heading.getAttribute("aria-sort") === "ascending";
    for (const other of table.querySelectorAll("th")) other.removeAttribute("aria-sort");
    heading.setAttribute("aria-sort", falling ? "descending" : "ascending");
    sort(table, heading.cellIndex, falling);
  });
}
