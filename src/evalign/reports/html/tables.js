// Heads of tables sort: once, the other way round, and back to the order the table had.
"use strict";
window.evalign = window.evalign || {};
(() => {
  const NUMBER = /[+-]?\d[\d,]*(\.\d+)?/;

  /**
   * Makes buttons of the heads that `act` can sort by. It gets the number of a column and "ascending", "descending" or ""
   * for the order there was. Numbers begin with the largest, text with the first. Gives a function that forgets the order.
   */
  function makeHeads(table, act) {
    const heads = [...table.tHead.rows[0].cells];
    const forget = () => heads.forEach((head) => head.removeAttribute("aria-sort"));
    heads.forEach((head, column) => {
      if (!head.textContent.trim() || head.dataset.sort === "none") return;
      const button = document.createElement("button");
      button.type = "button";
      button.className = "sort";
      // A head that is a link stays one, with the button beside it.
      const link = head.querySelector("a");
      if (link) {
        button.setAttribute("aria-label", `Sort by ${link.textContent.trim()}`);
        link.after(button);
      } else {
        button.append(...head.childNodes);
        head.append(button);
      }
      const ways = isNumeric(head) ? ["descending", "ascending"] : ["ascending", "descending"];
      button.addEventListener("click", () => {
        const way = [...ways, ""][ways.indexOf(head.getAttribute("aria-sort")) + 1];
        forget();
        if (way) head.setAttribute("aria-sort", way);
        act(column, way);
      });
    });
    return forget;
  }

  const isNumeric = (head) => head.matches(".number, .turned");

  /** What a cell is sorted by: a number, or text; null where it has none, which is last either way. */
  function keyOf(cell, numeric) {
    const text = ((cell && cell.querySelector(".value, bdi")) || cell || { textContent: "" }).textContent.trim();
    if (!numeric) return text === "" || text === "-" ? null : text;
    const match = NUMBER.exec(text.replaceAll("−", "-"));
    return match ? Number(match[0].replaceAll(",", "")) : null;
  }

  function compare(a, b, way) {
    if (a === null || b === null) return (a === null) - (b === null);
    const order = typeof a === "number" ? a - b : a.localeCompare(b, "en", { numeric: true });
    return way === "descending" ? -order : order;
  }

  function sortRows(table) {
    const [body] = table.tBodies;
    const heads = table.tHead.rows[0].cells;
    const first = [...body.rows];
    // Averages stay below what they are of.
    const averages = first.filter((row) => row.matches(".average"));
    const others = first.filter((row) => !row.matches(".average"));
    makeHeads(table, (column, way) => {
      if (!way) return body.append(...first);
      const keys = new Map(others.map((row) => [row, keyOf(row.cells[column], isNumeric(heads[column]))]));
      const sorted = [...others].sort((a, b) => compare(keys.get(a), keys.get(b), way));
      return body.append(...sorted, ...averages);
    });
  }

  // Documents are sorted by their own script: not all of them are in the table.
  for (const table of document.querySelectorAll("main table:not(.barcodes)"))
    if (table.tHead && table.tBodies.length && table.tBodies[0].rows.length > 1) sortRows(table);

  window.evalign.tables = { makeHeads, compare };
})();
