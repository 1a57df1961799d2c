// The filters above the passages. They know what is asked for and say so; what that gives is not theirs.
"use strict";
window.evalign = window.evalign || {};
window.evalign.Toolbar = (() => {
  const { html, visible } = window.evalign.drawing;
  const { showMetric } = window.evalign;

  const MOST_OPTIONS = 300;
  const MOST_NAMES = 3000; // units offered while typing; all are found
  const ANY = "";
  const TITLES = {
    run: "run",
    system: "system",
    metric: "metric",
    kind: "kind of error",
    trigger: "trigger",
    pair: "gold \u2192 system",
  };

  let controls = 0;

  function field(name, control, className = "") {
    controls += 1;
    control.id = `pv-control-${controls}`;
    return html("div", { class: `pv-field ${className}` }, html("label", { for: control.id }, name), control);
  }

  const option = (value, text) => html("option", { value }, text);
  const search = (attributes) =>
    html("input", { type: "search", autocomplete: "off", spellcheck: "false", ...attributes });
  const button = (text, title) => html("button", { type: "button", class: "pv-button", title }, text);

  /** Puts options into a select: {value, text, count}. What is chosen stays, even where nothing has it. */
  function setOptions(select, options, chosen, isEmpty) {
    const shown = options.slice(0, MOST_OPTIONS);
    if (chosen && !shown.some(({ value }) => value === chosen.value)) shown.unshift({ ...chosen, count: 0 });
    const counted = shown.map(({ value, text, count }) =>
      option(value, `${text} (${count.toLocaleString("en")})`),
    );
    select.replaceChildren(option(ANY, "any"), ...counted);
    select.value = chosen ? chosen.value : ANY;
    // Where nothing at all was found a filter stays as it was: it may be the one to change.
    if (shown.length || !isEmpty) select.closest(".pv-field").hidden = !shown.length;
  }

  function labelText(label) {
    if (label === null) return "any";
    if (label === "") return "\u2205";
    return visible(label.length > 40 ? `${label.slice(0, 24)}\u2026${label.slice(-12)}` : label);
  }

  const single = (name, value) => ({ value, text: visible(name === "metric" ? showMetric(value) : value) });
  const pair = (gold, system) => ({
    value: JSON.stringify([gold, system]),
    text: `${labelText(gold)} \u2192 ${labelText(system)}`,
  });

  return class Toolbar {
    /** `actions`: change(filters), run(run), system(system), show(name, isOn), clear(), csv(). */
    constructor(runs, actions) {
      this.runs = runs;
      this.actions = actions;
      this.selects = {};
      this.element = html("div", { class: "pv-filters" });
      for (const [name, title] of Object.entries(TITLES)) {
        this.selects[name] = html("select");
        this.element.append(field(title, this.selects[name]));
      }
      // What there is to choose from is known when something was found.
      for (const name of ["metric", "kind", "trigger", "pair"]) this.selects[name].closest(".pv-field").hidden = true;
      this.selects.run.append(...runs.map((run, i) => option(i, visible(run.name))));
      this.selects.run.closest(".pv-field").hidden = runs.length < 2;
      this.buildInputs();
      this.buildSwitches();
      this.listen();
    }

    buildInputs() {
      this.names = html("datalist", { id: "pv-units" });
      this.unit = search({ list: "pv-units", placeholder: "any" });
      this.text = search({ placeholder: "text or /pattern/", "aria-keyshortcuts": "/" });
      this.clear = button("Clear");
      this.csv = button("Save errors as CSV", "The errors of the passages listed below");
      this.unitField = field("document", this.unit);
      const actions = html("div", { class: "pv-field pv-actions" }, this.clear, this.csv);
      this.element.append(this.unitField, this.names, field("text", this.text, "pv-wide"), actions);
    }

    buildSwitches() {
      const make = (name, text) => {
        const input = html("input", { type: "checkbox", checked: true });
        input.addEventListener("change", () => this.actions.show(name, input.checked));
        return html("label", { class: "pv-option" }, input, ` ${text}`);
      };
      this.trees = make("figures", "trees");
      this.shared = make("shared", "shared arcs");
      this.switches = html("div", { class: "pv-options" }, this.trees, this.shared);
    }

    listen() {
      const { selects, actions } = this;
      const on = (select, act) => select.addEventListener("change", () => act(select.value));
      on(selects.run, (value) => actions.run(this.runs[value]));
      on(selects.system, (value) => actions.system(this.run.systems[value]));
      // Kinds, triggers and labels of one metric are not those of another.
      on(selects.metric, (metric) =>
        actions.change({ metric, kind: "", trigger: "", gold: null, system: null }),
      );
      on(selects.kind, (kind) => actions.change({ kind }));
      on(selects.trigger, (trigger) => actions.change({ trigger }));
      on(selects.pair, (value) => {
        const [gold, system] = value ? JSON.parse(value) : [null, null];
        actions.change({ gold, system });
      });
      // Typing filters once a frame at most.
      let waiting = 0;
      const typed = (change) => {
        cancelAnimationFrame(waiting);
        waiting = requestAnimationFrame(() => actions.change(change()));
      };
      this.text.addEventListener("input", () => typed(() => ({ text: this.text.value })));
      this.unit.addEventListener("input", () => typed(() => ({ unit: this.unit.value, units: null })));
      this.clear.addEventListener("click", actions.clear);
      this.csv.addEventListener("click", actions.csv);
    }

    /** The systems, units and fields of a run. */
    setRun(run) {
      this.run = run;
      this.selects.run.value = String(this.runs.indexOf(run));
      this.selects.system.replaceChildren(...run.systems.map((each, i) => option(i, visible(each.name))));
      this.selects.system.closest(".pv-field").hidden = run.systems.length < 2;
      this.unitField.querySelector("label").textContent = run.unit.kind || "document";
      this.unitField.hidden = run.unit.names.length < 2;
      this.names.replaceChildren(
        ...run.unit.names.slice(0, MOST_NAMES).map((name) => html("option", { value: name })),
      );
      for (const old of this.element.querySelectorAll(".pv-of-unit")) old.remove();
      for (const [name, values] of Object.entries(run.unit.fields)) this.addUnitField(name, values);
    }

    // A field that is the same for all, or different for each, is nothing to choose by.
    addUnitField(name, values) {
      const distinct = [...new Set(values)].filter((value) => value !== "").sort();
      if (distinct.length < 2 || distinct.length > 100) return;
      const select = html(
        "select",
        {},
        option(ANY, "any"),
        ...distinct.map((value) => option(value, visible(value))),
      );
      select.dataset.field = name;
      select.addEventListener("change", () =>
        this.actions.change({ fields: { ...this.state.fields, [name]: select.value } }),
      );
      this.unitField.after(field(visible(name), select, "pv-of-unit"));
    }

    setSystem(system, index) {
      this.selects.system.value = String(this.run.systems.indexOf(system));
      this.trees.hidden = !index.hasTree && !index.hasBrackets;
      this.shared.hidden = !index.hasTree;
    }

    /** What is asked for, and how many errors each other choice would give. */
    show(state, { tallies, errors }) {
      this.state = state;
      const isEmpty = !errors;
      for (const name of ["metric", "kind", "trigger"]) {
        const options = tallies[name].map(({ value, count }) => ({ ...single(name, value), count }));
        setOptions(this.selects[name], options, state[name] ? single(name, state[name]) : null, isEmpty);
      }
      const isAny = state.gold === null && state.system === null;
      const pairs = tallies.pair
        .slice(0, MOST_OPTIONS)
        .map(({ gold, system, count }) => ({ ...pair(gold, system), count }));
      setOptions(this.selects.pair, pairs, isAny ? null : pair(state.gold, state.system), isEmpty);
      // Writing the same again would move the cursor.
      if (this.text.value !== state.text) this.text.value = state.text;
      if (this.unit.value !== state.unit) this.unit.value = state.unit;
      for (const select of this.element.querySelectorAll(".pv-of-unit select")) {
        select.value = state.fields[select.dataset.field] || ANY;
      }
    }
  };
})();
