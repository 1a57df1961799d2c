// The passages of the report: filters above, a list of passages below, each with its figures.
"use strict";
window.evalign = window.evalign || {};
(() => {
  const { html, measure } = window.evalign.drawing;
  const { index, apply, matching, prepare, textOf } = window.evalign.filters;
  const { Toolbar, VirtualList, address, passage: view } = window.evalign;

  // Of labels "" is one, so that any of them is null.
  const EMPTY = {
    metric: "",
    kind: "",
    trigger: "",
    gold: null,
    system: null,
    unit: "",
    units: null,
    text: "",
    fields: {},
  };
  const PRINTED = 50;
  const VIEW = "passages"; // in the address

  const root = document.getElementById("passages-root");
  const number = (value) => value.toLocaleString("en");

  // ---- data ----------------------------------------------------------------------------------

  const readJson = (element) => JSON.parse(element.textContent);
  const noUnit = { kind: "", names: [], fields: {} };

  /** Runs with the systems that have passages: {name, unit, systems: [{number, name, element}]}. */
  function readRuns() {
    const facts = document.getElementById("run");
    const known = facts ? readJson(facts).runs || [] : [];
    const runs = new Map();
    for (const element of document.querySelectorAll("script.passages")) {
      const [run, system] = [Number(element.dataset.run), Number(element.dataset.system)];
      const fact = known[run] || {};
      if (!runs.has(run))
        runs.set(run, {
          number: run,
          name: fact.name || `run ${run + 1}`,
          unit: { ...noUnit, ...fact.unit },
          systems: [],
        });
      const named = (fact.systems || [])[system] || {};
      runs
        .get(run)
        .systems.push({ number: system, name: named.short || named.name || `system ${system + 1}`, element });
    }
    return [...runs.values()];
  }

  // The JSON of a system is read when it is first looked at, and its index kept.
  const indexes = new Map();
  function indexOf(system) {
    if (!indexes.has(system)) {
      const made = index(readJson(system.element));
      indexes.set(system, made);
      whenIdle(() => prepare(made, 2000));
    }
    return indexes.get(system);
  }

  /** Calls again and again, when the browser has nothing to do, until told that it is done. */
  function whenIdle(step) {
    const later = window.requestIdleCallback || ((act) => setTimeout(act, 50));
    later(() => step() || whenIdle(step));
  }

  // ---- the view ------------------------------------------------------------------------------

  function keys() {
    const said = [
      "j",
      " and ",
      "k",
      " next and previous passage, ",
      "Enter",
      " details, ",
      "/",
      " text, ",
      "Esc",
      " clear, ",
      "?",
      " all keys",
    ];
    return html(
      "p",
      { class: "pv-keys" },
      "Keys: ",
      ...said.map((part, i) => (i % 2 ? part : html("kbd", {}, part))),
    );
  }

  // A unit is given by its name, by its number or, several, as from and to. A name is what one can read and
  // change, so it stands for a number where it is the only one of its kind.
  function unitFilter(names, unit, units) {
    if (!units && typeof unit !== "number") return { unit, units: null };
    const [from, to] = units || [unit, unit + 1];
    const name = to - from === 1 ? names[from] || "" : "";
    const isOnly = name !== "" && names.indexOf(name) === names.lastIndexOf(name);
    return isOnly ? { unit: name, units: null } : { unit: "", units: [from, to] };
  }

  function setTabs(row, isActive) {
    for (const each of [row, ...row.querySelectorAll("button, [tabindex]")]) {
      each.setAttribute("tabindex", isActive ? "0" : "-1");
    }
  }

  class Passages {
    constructor() {
      this.runs = readRuns();
      this.state = { ...EMPTY, fields: {} };
      this.opened = new Map(); // per passage what the reader opened in it
      this.show = { figures: true, shared: true };
      this.found = { rows: [], errors: 0 };
      this.active = 0;
      this.passage = null; // the one last gone to, as the address has it: where it begins in the text
      this.build();
      this.isSilent = true; // what the reader did not ask for does not change the address
      this.choose(this.runs[0], this.runs[0].systems[0]);
      this.isSilent = false;
      this.watchWidth();
      for (const run of this.runs)
        address.add({
          view: VIEW,
          run: run.number,
          read: () => this.describe(),
          apply: (values) => this.restore(run, values),
        });
    }

    // ---- building --------------------------------------------------------------------------

    build() {
      root.classList.add("pv");
      this.toolbar = new Toolbar(this.runs, {
        change: (filters) => this.set(filters),
        run: (run) => this.showRun(run),
        system: (system) => this.choose(this.run, system),
        show: (name, isOn) => {
          this.show[name] = isOn;
          this.list.redrawAll();
        },
        clear: () => this.reset(),
        csv: () => this.saveCsv(),
      });
      this.problem = html("p", { class: "pv-problem", role: "alert" });
      this.count = html("p", { class: "pv-count", role: "status", "aria-live": "polite" });
      this.legend = html("div", { class: "pv-legend", role: "group", "aria-label": "Legend" });
      this.empty = html(
        "p",
        { class: "pv-empty", hidden: true },
        "No passage has all of this. Clear a filter.",
      );
      this.scroller = html("div", {
        class: "pv-list",
        role: "feed",
        "aria-label": "Passages with errors",
        tabindex: -1,
      });
      this.printed = html("div", { class: "pv-printed" });
      const status = html("div", { class: "pv-status" }, this.count, this.toolbar.switches);
      root.replaceChildren(
        this.toolbar.element,
        status,
        this.problem,
        this.legend,
        this.empty,
        this.scroller,
        this.printed,
        keys(),
      );
      this.list = new VirtualList(this.scroller, (i) => this.makeRow(i));
      this.listen();
    }

    listen() {
      window.addEventListener("beforeprint", () => this.print());
      window.addEventListener("afterprint", () => this.printed.replaceChildren());
      document.addEventListener("keydown", (event) => this.onKey(event));
      document.addEventListener("evalign:run", (event) => {
        const run = this.runs.find((each) => each.number === event.detail.run);
        if (!run || run === this.run) return;
        this.isSilent = true;
        this.choose(run, run.systems[0]);
        this.isSilent = false;
      });
      this.scroller.addEventListener("focusin", (event) => {
        const row = event.target.closest(".pv-row");
        if (row) this.activate(Number(row.dataset.at));
      });
    }

    // Lines are broken anew when the width changes; the scroll bar coming and going does not count.
    watchWidth() {
      let width = 0;
      new ResizeObserver(() => {
        const now = this.scroller.clientWidth;
        if (now && Math.abs(now - width) > 2) {
          if (width) this.list.redrawAll();
          width = now;
        }
      }).observe(this.scroller);
    }

    // ---- choosing and filtering ------------------------------------------------------------

    /** Shows a system, with the filters as they are where they make sense for it. */
    choose(run, system, change = {}) {
      if (run !== this.run) {
        this.run = run;
        this.toolbar.setRun(run);
        this.state = { ...this.state, unit: "", units: null, fields: {} };
      }
      this.system = system;
      this.index = indexOf(system);
      this.opened.clear();
      this.toolbar.setSystem(system, this.index);
      this.legend.replaceChildren(...view.legend(this.index));
      const kept = { ...this.state, ...change };
      const { vocabularies } = this.index;
      for (const name of ["metric", "kind", "trigger", "gold", "system"]) {
        const isNew = change[name] !== undefined;
        if (!isNew && !vocabularies[name].numbers.has(kept[name])) kept[name] = EMPTY[name];
      }
      this.set(kept);
    }

    /** Of several runs the page shows one at a time; it is told, and tells everybody. */
    showRun(run) {
      if (window.evalign.showRun) window.evalign.showRun(run.number);
      if (run !== this.run) this.choose(run, run.systems[0]);
    }

    set(change) {
      this.state = { ...this.state, ...change };
      this.problem.textContent = "";
      try {
        this.found = apply(this.index, this.state, this.run.unit);
      } catch (error) {
        if (!(error instanceof SyntaxError)) throw error;
        this.problem.textContent = `The pattern is not one: ${error.message}. The list is as it was.`;
        return;
      }
      this.active = 0;
      this.passage = null;
      // Typing is one change, however many letters it has.
      if (!this.isSilent) address.write(VIEW, this.describe(), "text" in change && Object.keys(change).length === 1);
      this.toolbar.show(this.state, this.found);
      this.showCount();
      this.empty.hidden = this.found.rows.length > 0;
      this.scroller.hidden = this.found.rows.length === 0;
      this.list.reset(this.estimates());
    }

    reset() {
      this.set({ ...EMPTY, fields: {} });
    }

    // ---- the address -----------------------------------------------------------------------

    /** What is looked at, by name; what is any is left out. */
    describe() {
      const { metric, kind, trigger, gold, system, unit, units, text, fields } = this.state;
      const values = Object.entries(fields).map(([name, value]) => [`of-${name}`, value]);
      return Object.fromEntries([
        ["system", this.run.systems.length > 1 ? this.system.name : null],
        ...Object.entries({ metric, kind, trigger, unit, text }).map(([name, value]) => [name, value || null]),
        ["gold", gold],
        ["predicted", system],
        ["units", units && units.join("-")],
        ...values.map(([name, value]) => [name, value || null]),
        ["passage", this.passage],
      ]);
    }

    /** Shows what an address says; what no passage has is any. */
    restore(run, values) {
      const system = run.systems.find((each) => each.name === values.get("system")) || run.systems[0];
      const { vocabularies } = indexOf(system);
      const known = (name) => (vocabularies[name].numbers.has(values.get(name)) ? values.get(name) : "");
      const units = /^(\d{1,9})-(\d{1,9})$/.exec(values.get("units") || "");
      const fields = Object.keys(run.unit.fields).filter((name) => values.get(`of-${name}`));
      this.choose(run, system, {
        metric: known("metric"),
        kind: known("kind"),
        trigger: known("trigger"),
        gold: values.get("gold"),
        system: values.get("predicted"),
        unit: values.get("unit") || "",
        units: units && [Number(units[1]), Number(units[2])],
        text: values.get("text") || "",
        fields: Object.fromEntries(fields.map((name) => [name, values.get(`of-${name}`)])),
      });
      const start = Number(values.get("passage") || NaN);
      const at = this.found.rows.findIndex((p) => this.index.list[p].start === start);
      if (at < 0) return;
      document.getElementById(VIEW).scrollIntoView({ block: "start", behavior: "instant" });
      this.goTo(at);
    }

    // ---- what is said of it ----------------------------------------------------------------

    showCount() {
      const { found } = this;
      const { kept, total } = this.index;
      const all = found.rows.length === kept ? "" : `${number(found.rows.length)} of `;
      const choice = kept < total ? ` (chosen over the kinds of errors from ${number(total)})` : "";
      const part = this.state.units
        ? `, only ${this.run.unit.kind || "unit"} ${this.state.units[0] + 1} to ${this.state.units[1]}`
        : "";
      this.count.textContent =
        `${all}${number(kept)} ${kept === 1 ? "passage" : "passages"}${choice}, ` +
        `${number(found.errors)} ${found.errors === 1 ? "error" : "errors"}${part}`;
    }

    // ---- rows ------------------------------------------------------------------------------

    width() {
      return Math.max(200, (this.scroller.clientWidth || root.clientWidth || 800) - 42);
    }

    /** Heights from the lengths of texts, near enough for the scroll bar. */
    estimates() {
      const perLine = this.width() / (measure("n") * 1.25);
      const tree = this.show.figures && (this.index.hasTree || this.index.hasBrackets) ? 260 : 0;
      return Float64Array.from(
        this.found.rows,
        (p) => 64 + 62 * Math.min(20, Math.ceil(this.index.lengths[p] / perLine)) + tree,
      );
    }

    makeRow(at) {
      const p = this.found.rows[at];
      if (!this.opened.has(p)) this.opened.set(p, {});
      const row = view.make(this.index.list[p], {
        at,
        count: this.found.rows.length,
        unit: this.run.unit,
        width: this.width(),
        show: this.show,
        matched: this.isFiltered() ? matching(this.index, this.state, p) : null,
        opened: this.opened.get(p),
        again: () => this.list.redraw(at),
      });
      row.dataset.at = at;
      setTabs(row, at === this.active);
      return row;
    }

    isFiltered() {
      const { metric, kind, trigger, gold, system } = this.state;
      return Boolean(metric || kind || trigger || gold !== null || system !== null);
    }

    /** The row that was last looked at takes part in the order of tabs, with what is in it; the others do not. */
    activate(at) {
      this.passage = String(this.index.list[this.found.rows[at]].start);
      address.write(VIEW, this.describe(), true);
      if (this.list.rows.has(this.active)) setTabs(this.list.rows.get(this.active), false);
      this.active = at;
      this.list.pinned = at;
      if (this.list.rows.has(at)) setTabs(this.list.rows.get(at), true);
    }

    goTo(at) {
      if (at < 0 || at >= this.found.rows.length) return;
      this.activate(at);
      const row = this.list.reveal(at);
      if (row) row.focus({ preventScroll: true });
      const box = this.scroller.getBoundingClientRect();
      if (box.bottom < 120 || box.top > window.innerHeight - 120)
        this.scroller.scrollIntoView({ block: "nearest", behavior: "instant" });
    }

    // ---- keyboard --------------------------------------------------------------------------

    onKey(event) {
      if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey) return;
      if (document.querySelector("dialog[open]")) return;
      const inside = root.contains(event.target);
      const typing =
        event.target.closest &&
        event.target.closest("input:not([type=checkbox]), textarea, select, [contenteditable]");
      if (typing) {
        if (inside && event.key === "Escape") this.escape(event);
        return;
      }
      const inList = this.scroller.contains(event.target);
      const act = this.keyAction(event, inList);
      if (!act) return;
      event.preventDefault();
      act();
    }

    keyAction({ key, target }, inList) {
      const onRow = inList && target.classList.contains("pv-row");
      const here = inList ? this.active : this.active - 1; // the first press goes to the passage one was at
      if (key === "j" || (onRow && key === "ArrowDown"))
        return () => this.goTo(Math.min(here + 1, this.found.rows.length - 1));
      if (key === "k" || (onRow && key === "ArrowUp"))
        return () => this.goTo(inList ? this.active - 1 : this.active);
      if (onRow && key === "Home") return () => this.goTo(0);
      if (onRow && key === "End") return () => this.goTo(this.found.rows.length - 1);
      if (onRow && key === "Enter") return () => this.toggle(this.active);
      if (key === "/") return () => this.focusText();
      if (key === "Escape" && inList) return () => this.escapeList();
      return null;
    }

    // Out of a field, so that keys lead through the passages again.
    escape(event) {
      event.preventDefault();
      if (event.target === this.toolbar.text && this.toolbar.text.value) {
        this.toolbar.text.value = "";
        this.set({ text: "" });
      } else this.reset();
      event.target.blur();
      if (this.found.rows.length) this.goTo(this.active);
    }

    escapeList() {
      const opened = this.opened.get(this.found.rows[this.active]);
      if (opened && opened.details) this.toggle(this.active);
      else this.reset();
      if (this.found.rows.length) this.goTo(this.active);
    }

    toggle(at) {
      const opened = this.opened.get(this.found.rows[at]);
      opened.details = !opened.details;
      this.list.redraw(at);
    }

    focusText() {
      this.toolbar.text.focus();
      this.toolbar.text.select();
    }

    // ---- out of the page -------------------------------------------------------------------

    /** Paper does not scroll: the first passages are laid out one below the other. */
    print() {
      const rows = this.found.rows.slice(0, PRINTED).map((p, at) =>
        view.make(this.index.list[p], {
          at,
          count: this.found.rows.length,
          unit: this.run.unit,
          width: 680,
          show: this.show,
          matched: null,
          opened: {},
          printed: true,
        }),
      );
      const more = this.found.rows.length - rows.length;
      this.printed.replaceChildren(
        ...rows,
        more > 0 ? html("p", {}, `${number(more)} more passages are in the page.`) : "",
      );
    }

    saveCsv() {
      const rows = [
        [
          "document",
          "gold place",
          "system place",
          "metric",
          "kind",
          "trigger",
          "gold label",
          "system label",
          "gold text",
          "system text",
        ],
      ];
      for (const p of this.found.rows) {
        const passage = this.index.list[p];
        for (const error of matching(this.index, this.state, p)) {
          const [gold, system] = textOf(passage, error);
          const [label, other] = error.labels || ["", ""];
          rows.push([
            this.run.unit.names[passage.unit] ?? "",
            passage.gold_place || "",
            passage.system_place || "",
            error.metric,
            error.kind,
            error.trigger || "",
            label,
            other,
            gold,
            system,
          ]);
        }
      }
      if (window.evalign.saveCsv) window.evalign.saveCsv(rows, `errors-${this.system.name}.csv`);
    }

    /**
     * Shows what another part of the page points to: `unit` is a name or a number, `units` from and to;
     * what is not given is any.
     */
    open({
      run,
      system,
      metric = "",
      kind = "",
      trigger = "",
      gold = null,
      predicted = null,
      unit = "",
      units = null,
      text = "",
    } = {}) {
      const inRun = this.runs.find((each) => each.number === Number(run ?? this.run.number)) || this.run;
      const ofSystem =
        inRun.systems.find((each) => each.number === Number(system ?? this.system.number)) || inRun.systems[0];
      if (inRun !== this.run) this.showRun(inRun);
      this.choose(inRun, ofSystem, {
        metric,
        kind,
        trigger,
        gold,
        system: predicted,
        text,
        ...unitFilter(inRun.unit.names, unit, units),
        fields: {},
      });
      const section = document.getElementById("passages");
      if (section) section.scrollIntoView({ block: "start", behavior: "instant" });
      if (this.found.rows.length) this.goTo(0);
      else this.toolbar.clear.focus({ preventScroll: true });
      return this.found.rows.length;
    }
  }

  if (!root || !document.querySelector("script.passages")) return;
  const passages = new Passages();
  window.evalign.passages = { open: (what) => passages.open(what) };
})();
