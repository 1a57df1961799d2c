// Documents: a barcode of errors each, for the system and metric chosen, drawn some hundred at a time.
"use strict";
window.evalign = window.evalign || {};
(() => {
  const { make, choice } = window.evalign.controls;
  const { address, showMetric } = window.evalign;
  const { makeHeads, compare } = window.evalign.tables;
  const SVG = "http://www.w3.org/2000/svg";
  // As in figures/barcode.py, which draws the first ones for readers without scripts.
  const WIDTH = 600;
  const HEIGHT = 18;
  const SHAPES = {
    split: (x) => `M${x} 9v9`,
    merge: (x) => `M${x} 0v9`,
    shifted: (x) => `M${x} 0l3 6l-3 6l3 6`,
    missing: (x) => `M${x} 5h4v8h-4z`,
    inserted: (x) => `M${x} 0v3m0 3v3m0 3v3m0 3v3`,
    rewritten: (x) => `M${x} 4l5 10m0 -10l-5 10`,
    confused: (x) => `M${x} 3v12`,
    label: (x) => `M${x} 0v9`,
    head: (x) => `M${x} 9v9`,
    both: (x) => `M${x} 0v18`,
    crossing: (x) => `M${x} 4l5 10m0 -10l-5 10`,
  };
  const WORDS = { both: "head and label", confused: "another label", label: "another label", head: "another head" };

  // What the rows can be sorted by: what is said of it, the value of a row, and which way it begins.
  const ORDERS = {
    genre: { title: "genre, then error rate", key: (row) => row.genre, way: "ascending" },
    rate: { title: "error rate", key: (row) => row.rate, way: "descending" },
    errors: { title: "errors", key: (row) => row.errors, way: "descending" },
    name: { title: "name", key: (row) => row.name, way: "ascending" },
    text: { title: "order in the text", key: (row) => row.start, way: "ascending" },
  };
  const COLUMNS = ["name", "genre", "errors", "rate"];

  function svg(name, attributes) {
    const element = document.createElementNS(SVG, name);
    for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value);
    return element;
  }

  /** Control characters as pictures: a name is shown, not obeyed. */
  function visible(text) {
    return text.replace(/[\u0000-\u001f]/g, (c) => String.fromCharCode(0x2400 + c.charCodeAt(0)))
      .replace(/[\u007f-\u009f\u00ad\u061c\u180e\u200b\u200e\u200f\u2028-\u202e\u2060-\u206f\ufeff]/g,
        (c) => `\\u${c.charCodeAt(0).toString(16).padStart(4, "0")}`);
  }

  /** Marks as places, ascending, and how many errors come before each: a pair is a place and so many errors. */
  function unfold(marks) {
    const places = marks.map((mark) => (Array.isArray(mark) ? mark[0] : mark));
    const before = [0];
    for (const mark of marks) before.push(before[before.length - 1] + (Array.isArray(mark) ? mark[1] : 1));
    return { places, before };
  }

  /** The first place in an ascending list that is not below a value. */
  function firstFrom(list, value) {
    let low = 0;
    let high = list.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (list[middle] < value) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  function placeOf(offset, length) {
    return Math.min(WIDTH - 6, Math.max(1, Math.floor(1 + ((WIDTH - 7) * offset) / Math.max(1, length))));
  }

  function barcode(kinds, row) {
    const picture = svg("svg", {
      class: "barcode", viewBox: `0 0 ${WIDTH} ${HEIGHT}`, width: WIDTH, height: HEIGHT, preserveAspectRatio: "none",
      role: "img", "aria-label": `${row.errors} errors`,
    });
    picture.append(svg("rect", { class: "fig-ground", x: 0, y: 0, width: WIDTH, height: HEIGHT }));
    for (const [kind, { places }] of Object.entries(kinds)) {
      const from = firstFrom(places, row.start);
      const to = firstFrom(places, row.start + row.length);
      const shape = SHAPES[kind] || SHAPES.confused;
      const drawn = new Set();
      for (let k = from; k < to; k += 1) drawn.add(placeOf(places[k] - row.start, row.length));
      if (drawn.size) picture.append(svg("path", { class: `tick tick-${kind}`, d: [...drawn].map(shape).join("") }));
    }
    return picture;
  }

  function legend(kinds) {
    const list = make("ul", { className: "legend" });
    for (const [kind, { before }] of Object.entries(kinds)) {
      const errors = before[before.length - 1];
      if (!errors) continue;
      const sample = svg("svg", { viewBox: "0 0 14 18", width: 14, height: 18, "aria-hidden": "true" });
      sample.append(svg("path", { class: `tick tick-${kind}`, d: (SHAPES[kind] || SHAPES.confused)(5) }));
      list.append(make("li", {}, sample, `${WORDS[kind] || kind} ${errors.toLocaleString("en")}`));
    }
    return list;
  }

  /** Everything there is to say of one run's documents, and its choices. */
  class Documents {
    constructor(holder, data, systems) {
      Object.assign(this, { holder, systems, run: Number(holder.dataset.run), most: data.most });
      this.rows = data.rows.map(([name, genre, start, length, units]) => ({ name, genre, start, length, units }));
      this.system = data.system;
      this.metric = data.metric;
      this.first = { system: this.system, metric: this.metric };
      this.orders = Object.keys(ORDERS).filter((order) => order !== "genre" || this.rows.some((row) => row.genre));
      [this.order] = this.orders;
      this.way = ORDERS[this.order].way;
      this.parsed = new Map();
      this.hasPassages = Boolean(document.querySelector(`script.passages[data-run="${this.run}"]`));
      this.body = holder.querySelector("tbody");
      this.note = holder.querySelector(".chosen");
      this.table = holder.querySelector("table");
      this.addControls();
      this.show();
      address.add({
        view: "documents",
        run: this.run,
        read: () => ({ system: this.systems[this.system], metric: this.metric }),
        apply: (values) => {
          const system = this.systems.indexOf(values.get("system"));
          this.system = system >= 0 ? system : this.first.system;
          const metric = values.get("metric");
          this.metric = Object.hasOwn(this.of(this.system).marks, metric) ? metric : this.first.metric;
          this.show();
        },
      });
    }

    /** Marks and rates of a system: parsed when first looked at. */
    of(system) {
      if (!this.parsed.has(system)) {
        const script = document.querySelector(`script.marks[data-run="${this.run}"][data-system="${system}"]`);
        this.parsed.set(system, script ? JSON.parse(script.textContent) : { marks: {}, rates: {} });
      }
      return this.parsed.get(system);
    }

    addControls() {
      this.bar = make("div", { className: "controls no-print" });
      this.legend = make("div");
      this.more = make("button", { type: "button", className: "more" });
      this.more.addEventListener("click", () => this.draw());
      this.holder.prepend(this.bar, this.legend);
      this.holder.append(this.more);
      this.table.rowsToSave = () => [
        ["document", "genre", "errors", this.holder.dataset.rate],
        ...this.sorted.map((row) => [row.name, row.genre, row.errors, row.rate]),
      ];
      this.forgetHead = makeHeads(this.table, (column, way) => {
        this.order = way ? COLUMNS[column] : this.orders[0];
        this.way = way || ORDERS[this.order].way;
        this.show();
      });
      // Beside the button that saves the table.
      const saves = this.holder.querySelector(".save-box") || this.holder;
      window.evalign.addSaveButton(saves, "Save SVG", "Save the barcodes that are drawn as SVG", () => this.save());
    }

    fillControls() {
      const metrics = Object.keys(this.of(this.system).marks);
      if (!metrics.includes(this.metric) && metrics.length) [this.metric] = metrics;
      const again = (change) => (k) => {
        change(k);
        const focused = [...this.bar.querySelectorAll("select")].indexOf(document.activeElement);
        this.show();
        const select = this.bar.querySelectorAll("select")[focused];
        if (select) select.focus();
      };
      const againElsewhere = (change) => again((k) => {
        change(k);
        address.write("documents", { system: this.systems[this.system], metric: this.metric });
      });
      const titles = this.orders.map((order) =>
        this.holder.dataset.rate === "error rate" ? ORDERS[order].title : ORDERS[order].title.replace("error rate", this.holder.dataset.rate));
      const parts = [];
      if (this.systems.length > 1)
        parts.push(choice("System", this.systems, againElsewhere((k) => { this.system = k; }), this.system));
      if (metrics.length > 1)
        parts.push(choice("Metric", metrics.map(showMetric), againElsewhere((k) => { this.metric = metrics[k]; }), metrics.indexOf(this.metric)));
      const sort = again((k) => {
        this.order = this.orders[k];
        this.way = ORDERS[this.order].way;
        this.forgetHead();
      });
      parts.push(choice("Sort by", titles, sort, this.orders.indexOf(this.order)));
      this.bar.replaceChildren(...parts.map((part) => part.label));
    }

    show() {
      this.fillControls();
      const { marks, rates } = this.of(this.system);
      this.kinds = Object.fromEntries(
        Object.entries(marks[this.metric] || {}).map(([kind, found]) => [kind, unfold(found)]),
      );
      const rate = rates[this.metric] || [];
      const lists = Object.values(this.kinds);
      this.sorted = this.rows.map((row, k) => ({
        ...row,
        rate: rate[k] ?? null,
        errors: lists.reduce((n, { places, before }) =>
          n + before[firstFrom(places, row.start + row.length)] - before[firstFrom(places, row.start)], 0),
      }));
      this.worst = Math.max(1e-9, ...this.sorted.map((row) => row.rate ?? 0));
      // Equal ones by their rate, then by their errors, the worst first.
      const { key } = ORDERS[this.order];
      this.sorted.sort((a, b) =>
        compare(key(a), key(b), this.way) || compare(a.rate, b.rate, "descending") || b.errors - a.errors);
      this.table.classList.toggle("by-genre", this.order === "genre");
      this.drawn = 0;
      this.genre = null;
      this.body.replaceChildren();
      this.legend.replaceChildren(legend(this.kinds));
      this.draw();
    }

    draw() {
      const next = this.sorted.slice(this.drawn, this.drawn + this.most);
      const pieces = document.createDocumentFragment();
      for (const row of next) {
        if (this.order === "genre" && row.genre !== this.genre) {
          this.genre = row.genre;
          pieces.append(this.heading(row.genre));
        }
        pieces.append(this.line(row));
      }
      this.body.append(pieces);
      this.drawn += next.length;
      const left = this.sorted.length - this.drawn;
      this.more.hidden = !left;
      this.more.textContent =
        left > this.most ? `Show ${this.most} more of ${left.toLocaleString("en")}` : `Show the other ${left}`;
      const shown = left ? `${this.drawn} of ${this.sorted.length.toLocaleString("en")} shown` : `all ${this.drawn}`;
      this.note.textContent = `${this.systems[this.system]}, ${showMetric(this.metric)}: ${shown}.`;
    }

    heading(genre) {
      const same = this.sorted.filter((row) => row.genre === genre);
      const errors = same.reduce((n, row) => n + row.errors, 0);
      const title = make("bdi", { textContent: visible(genre) || "no genre" });
      // By genre, the column of genres is hidden: four are left.
      const head = make("th", { colSpan: 4, scope: "rowgroup" }, title,
        make("small", { textContent: `  ${same.length} rows, ${errors.toLocaleString("en")} errors` }));
      return make("tr", { className: "genre" }, head);
    }

    line(row) {
      const name = visible(row.name) || "(no name)";
      const shown = make("bdi", { textContent: name });
      const where = make("td", { className: "where" }, barcode(this.kinds, row));
      let open = shown;
      // A piece of a unit has no number that its passages could be found by.
      if (this.hasPassages && row.units[1] > row.units[0]) {
        open = make("button", { type: "button", className: "open", title: name }, shown);
        open.addEventListener("click", () => this.open(row));
        where.classList.add("opens");
        where.addEventListener("click", () => this.open(row));
      }
      return make("tr", {},
        make("th", { scope: "row" }, open),
        make("td", {}, make("bdi", { textContent: visible(row.genre) })),
        make("td", { className: "number", textContent: row.errors.toLocaleString("en") }),
        make("td", { className: "number", textContent: row.rate === null ? "-" : row.rate.toFixed(2) }),
        where);
    }

    /** The rows that are drawn as one figure; it has to be in the page to get its colours. */
    save() {
      const rows = this.sorted.slice(0, this.drawn);
      const left = 330;
      const step = HEIGHT + 6;
      const figure = svg("svg", { width: left + WIDTH, height: step * rows.length, viewBox: `0 0 ${left + WIDTH} ${step * rows.length}` });
      rows.forEach((row, k) => {
        const name = svg("text", { x: 0, y: step * k + 14 });
        const rate = svg("text", { x: left - 12, y: step * k + 14, class: "end" });
        name.textContent = [...visible(row.name)].slice(0, 34).join("");
        rate.textContent = row.rate === null ? "-" : row.rate.toFixed(2);
        const ticks = svg("g", { transform: `translate(${left} ${step * k})` });
        ticks.append(...barcode(this.kinds, row).childNodes);
        figure.append(name, rate, ticks);
      });
      this.holder.append(figure);
      window.evalign.saveSvg(figure, `barcodes-${this.systems[this.system]}-${this.metric}`);
      figure.remove();
    }

    open(row) {
      window.evalign.openPassages({ run: this.run, system: this.system, metric: this.metric, units: row.units });
    }
  }

  for (const holder of document.querySelectorAll(".documents")) {
    const run = Number(holder.dataset.run);
    const data = document.querySelector(`script.documents-data[data-run="${run}"]`);
    const systems = window.evalign.facts.runs[run].systems.map((system) => system.short);
    // The table is there already: what scripts add to it can wait until the page stands.
    const begin = () => new Documents(holder, JSON.parse(data.textContent), systems);
    if (data && window.requestIdleCallback) requestIdleCallback(begin, { timeout: 1000 });
    else if (data) begin();
  }
})();
