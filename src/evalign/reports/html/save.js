// Saving: figures as SVG files that stand alone, tables as CSV that no spreadsheet takes for formulas.
"use strict";
window.evalign = window.evalign || {};
(() => {
  const SVG = "http://www.w3.org/2000/svg";
  // What the style sheet may say of a figure. Written into the figure, it looks the same without the sheet.
  const LOOK = [
    "fill", "fill-opacity", "stroke", "stroke-width", "stroke-opacity", "stroke-dasharray", "stroke-linecap",
    "stroke-linejoin", "opacity", "font-family", "font-size", "font-weight", "font-style", "text-anchor",
    "dominant-baseline", "visibility", "vector-effect", "direction", "text-decoration-line",
  ];
  // What an element has if nobody says anything need not be said.
  const DEFAULTS = {
    "fill-opacity": "1", "stroke": "none", "stroke-width": "1px", "stroke-opacity": "1", "stroke-dasharray": "none",
    "stroke-linecap": "butt", "stroke-linejoin": "miter", "opacity": "1", "font-weight": "400",
    "font-style": "normal", "text-anchor": "start", "dominant-baseline": "auto", "visibility": "visible",
    "vector-effect": "none", "direction": "ltr", "text-decoration-line": "none",
  };

  function dress(original, copy) {
    const look = getComputedStyle(original);
    const isText = original.localName === "text" || original.localName === "tspan";
    for (const property of LOOK) {
      if (property.startsWith("font") && !isText) continue;
      const value = look.getPropertyValue(property);
      if (value && value !== DEFAULTS[property]) copy.setAttribute(property, value);
    }
    if (look.display === "none") copy.setAttribute("display", "none");
    copy.removeAttribute("class");
    copy.removeAttribute("style");
    copy.removeAttribute("tabindex");
    for (let k = 0; k < original.children.length; k += 1) dress(original.children[k], copy.children[k]);
  }

  /** A figure as text that any program can show: colours and letters inside, on the ground it has in the page. */
  function standalone(figure) {
    const copy = figure.cloneNode(true);
    dress(figure, copy);
    const box = figure.viewBox.baseVal;
    const [width, height] = box && box.width ? [box.width, box.height] : [figure.clientWidth, figure.clientHeight];
    const margin = 12;
    const left = (box ? box.x : 0) - margin;
    const top = (box ? box.y : 0) - margin;
    copy.setAttribute("xmlns", SVG);
    copy.setAttribute("viewBox", `${left} ${top} ${width + 2 * margin} ${height + 2 * margin}`);
    copy.setAttribute("width", width + 2 * margin);
    copy.setAttribute("height", height + 2 * margin);
    const ground = document.createElementNS(SVG, "rect");
    const color = getComputedStyle(document.documentElement).getPropertyValue("--panel").trim() || "#fff";
    for (const [name, value] of Object.entries({ x: left, y: top, width: "100%", height: "100%", fill: color }))
      ground.setAttribute(name, value);
    copy.prepend(ground);
    return `<?xml version="1.0" encoding="UTF-8"?>\n${new XMLSerializer().serializeToString(copy)}\n`;
  }

  function download(text, type, filename) {
    const address = URL.createObjectURL(new Blob([text], { type }));
    const link = document.createElement("a");
    link.href = address;
    link.download = filename;
    document.body.append(link);
    link.click();
    link.remove();
    setTimeout(() => URL.revokeObjectURL(address), 10000);
  }

  /** A name that every file system takes. */
  function safeName(name, ending) {
    const stem = String(name).normalize("NFC").replace(/\.(svg|csv)$/i, "");
    const safe = stem.replace(/[^\p{L}\p{N}._-]+/gu, "-").replace(/^[-.]+|[-.]+$/g, "").slice(0, 100);
    return `${safe || "evalign"}.${ending}`;
  }

  // A spreadsheet takes what begins so for a formula; a number is none.
  const FORMULA = /^[=+\-@\t\r\n＝＋－＠]/;
  const NUMBER = /^[+-]?(\d+|\d{1,3}(,\d{3})+)(\.\d+)?(e[+-]?\d+)?%?$/i;

  /** A cell of a CSV file: guarded, and quoted where it has to be. */
  function csvCell(value) {
    let text = value === null || value === undefined ? "" : String(value);
    if (FORMULA.test(text) && !NUMBER.test(text)) text = `'${text}`;
    return /[",\n\r]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
  }

  function csvText(rows) {
    return rows.map((row) => `${row.map(csvCell).join(",")}\r\n`).join("");
  }

  /** What a table says, cell by cell; numbers without the marks that people read them by. */
  function tableRows(table) {
    if (table.rowsToSave) return table.rowsToSave(); // more than is drawn
    const named = table.dataset.rows;
    const given = named && document.querySelector(`script.rows[data-for="${CSS.escape(named)}"]`);
    if (given) return JSON.parse(given.textContent);
    return [...table.rows].map((row) => [...row.cells].map(cellText));
  }

  function cellText(cell) {
    const text = cell.innerText.replace(/\s+/g, " ").trim().replace(/−(?=\d)/g, "-");
    return /^\d{1,3}(,\d{3})+$/.test(text) ? text.replaceAll(",", "") : text;
  }

  window.evalign.saveSvg = (figure, filename) =>
    download(standalone(figure), "image/svg+xml", safeName(filename, "svg"));
  window.evalign.saveCsv = (rows, filename) =>
    // The mark at the start tells a spreadsheet that it is UTF-8.
    download(`\ufeff${csvText(rows)}`, "text/csv;charset=utf-8", safeName(filename, "csv"));

  /** A small button below a figure or table; several stand side by side. */
  function addButton(holder, text, label, act) {
    const button = document.createElement("button");
    button.type = "button";
    button.className = "save";
    button.textContent = text;
    button.setAttribute("aria-label", label);
    button.addEventListener("click", act);
    let row = holder.querySelector(":scope > .save-row");
    if (!row) {
      row = document.createElement("div");
      row.className = "save-row no-print";
      holder.append(row);
    }
    row.append(button);
  }

  window.evalign.addSaveButton = addButton;

  for (const holder of document.querySelectorAll("figure[data-save]")) {
    const name = holder.dataset.save;
    addButton(holder, "Save SVG", `Save ${name} as SVG`, () =>
      window.evalign.saveSvg(holder.querySelector("svg"), name));
  }
  for (const table of document.querySelectorAll("table[data-save]")) {
    const name = table.dataset.save;
    const box = table.closest(".scroll") || table;
    const holder = document.createElement("div");
    holder.className = "save-box";
    box.after(holder);
    addButton(holder, "Save CSV", `Save ${name} as CSV`, () => window.evalign.saveCsv(tableRows(table), name));
  }
})();
