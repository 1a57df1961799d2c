// The page itself: theme, choice of run and panel, where one is, examples of a number, printing.
"use strict";
window.evalign = window.evalign || {};
(() => {
  const { address } = window.evalign;
  const root = document.documentElement;
  const tools = document.querySelector(".bar-tools");

  function make(name, properties = {}, ...children) {
    const element = Object.assign(document.createElement(name), properties);
    element.append(...children);
    return element;
  }

  /** A labelled choice; `act` gets the number of what was chosen. */
  function choice(label, names, act, chosen = 0) {
    const select = make("select", {}, ...names.map((name, k) => make("option", { value: String(k), textContent: name })));
    select.value = String(chosen);
    select.addEventListener("change", () => act(Number(select.value)));
    return { label: make("label", {}, `${label} `, select), select };
  }
  window.evalign.controls = { make, choice };

  for (const note of document.querySelectorAll(".without-scripts")) note.remove();

  // ---- theme: what the reader's system has, until the reader says otherwise ---------------------

  function remembered() {
    try {
      return localStorage.getItem("evalign-theme");
    } catch {
      return null; // no storage in this browser, or for files
    }
  }

  function remember(theme) {
    try {
      localStorage.setItem("evalign-theme", theme);
    } catch {
      // Then it holds for this page only.
    }
  }

  const prefersDark = matchMedia("(prefers-color-scheme: dark)");
  const isDark = () => (root.dataset.theme ? root.dataset.theme === "dark" : prefersDark.matches);
  const button = make("button", { type: "button", className: "theme" });

  function showTheme() {
    button.textContent = isDark() ? "Light" : "Dark";
    button.setAttribute("aria-label", isDark() ? "Use light colours" : "Use dark colours");
  }

  if (["light", "dark"].includes(remembered())) root.dataset.theme = remembered();
  button.addEventListener("click", () => {
    root.dataset.theme = isDark() ? "light" : "dark";
    remember(root.dataset.theme);
    showTheme();
  });
  prefersDark.addEventListener("change", showTheme);
  showTheme();

  // ---- runs: of several treebanks one is shown --------------------------------------------------

  const facts = JSON.parse(document.getElementById("run").textContent);
  window.evalign.facts = facts;
  const metrics = new Map(facts.runs.flatMap((run) => Object.entries(run.metrics || {})));
  /** A metric as the field writes it. */
  window.evalign.showMetric = (name) => metrics.get(name) ?? name;
  let current = 0;

  function showRun(number) {
    current = number;
    for (const part of document.querySelectorAll(".run")) part.hidden = Number(part.dataset.run) !== number;
    if (runs) runs.select.value = String(number);
    document.dispatchEvent(new CustomEvent("evalign:run", { detail: { run: number } }));
  }

  let runs = null;
  if (facts.runs.length > 1) {
    const names = facts.runs.map((run) => run.name);
    address.setRuns({ names, current: () => current, show: showRun });
    runs = choice("Show", names, (number) => {
      showRun(number);
      const view = address.view();
      address.write(["", "parts"].includes(view) ? "overview" : view, {});
    });
    runs.select.setAttribute("aria-label", "Which part of the run to show");
    tools.append(runs.select);
    showRun(0);
    for (const link of document.querySelectorAll("a.to-run"))
      link.addEventListener("click", () => showRun(Number(link.dataset.run)));
  }
  tools.append(button);
  window.evalign.run = () => current;
  window.evalign.showRun = showRun;

  // ---- panels: of several one is shown, by system and by metric ---------------------------------

  function choosePanels(holder) {
    const panels = [...holder.children].filter((child) => child.matches("details.panel"));
    if (panels.length < 2) {
      if (panels.length) panels[0].open = true;
      holder.classList.toggle("chosen", panels.length === 1 && !panels[0].dataset.system);
      return;
    }
    const keys = ["metric", "system"].filter((key) => new Set(panels.map((p) => p.dataset[key])).size > 1);
    const names = keys.map((key) => [...new Set(panels.map((panel) => panel.dataset[key]))]);
    const chosen = keys.map((key, k) => names[k].indexOf(panels[0].dataset[key]));
    const first = [...chosen];
    const note = make("p", { className: "note", hidden: true, textContent: "Nothing of this was found." });
    const show = () => {
      for (const panel of panels) {
        panel.hidden = !keys.every((key, k) => panel.dataset[key] === names[k][chosen[k]]);
        panel.open = true;
      }
      note.hidden = panels.some((panel) => !panel.hidden);
    };
    const bar = make("div", { className: "controls no-print" });
    const view = holder.closest("section").id;
    const read = () => Object.fromEntries(keys.map((key, k) => [key, names[k][chosen[k]]]));
    const selects = keys.map((key, k) => {
      const [title, shown] = key === "system" ? ["System", names[k]] : ["Metric", names[k].map(window.evalign.showMetric)];
      const made = choice(title, shown, (n) => {
        chosen[k] = n;
        show();
        address.write(view, read());
      }, chosen[k]);
      bar.append(made.label);
      return made.select;
    });
    holder.prepend(bar, note);
    holder.classList.add("chosen");
    show();
    const run = holder.closest(".run");
    address.add({
      view,
      run: run ? Number(run.dataset.run) : null,
      read,
      apply: (values) => {
        keys.forEach((key, k) => {
          const asked = names[k].indexOf(values.get(key));
          chosen[k] = asked >= 0 ? asked : first[k];
          selects[k].value = String(chosen[k]);
        });
        show();
      },
    });
  }

  for (const holder of document.querySelectorAll(".panels")) choosePanels(holder);

  // ---- where one is: the link of the section in view --------------------------------------------

  const links = new Map([...document.querySelectorAll("nav a")].map((a) => [a.getAttribute("href").slice(1), a]));
  const seen = new Set();
  // A section that a link leads to begins below the bar, as does what is seen.
  const under = parseFloat(getComputedStyle(root).scrollPaddingTop) || 72;
  const observer = new IntersectionObserver((entries) => {
    for (const entry of entries) seen[entry.isIntersecting ? "add" : "delete"](entry.target.id);
    const first = [...links.keys()].find((id) => seen.has(id));
    for (const [id, link] of links) {
      if (id === first) link.setAttribute("aria-current", "true");
      else link.removeAttribute("aria-current");
    }
  }, { rootMargin: `-${Math.round(under) + 8}px 0px -60% 0px` });
  for (const id of links.keys()) {
    const section = document.getElementById(id);
    if (section) observer.observe(section);
  }

  // ---- examples: a number opens its passages ----------------------------------------------------

  /** Open passages; a view that failed to load leaves the page as it is. */
  window.evalign.openPassages = (filters) => {
    if (window.evalign.passages) window.evalign.passages.open(filters);
  };

  document.addEventListener("click", (event) => {
    const cell = event.target.closest("button.example");
    if (!cell) return;
    const { run, system, metric, kind, gold, predicted } = cell.dataset;
    window.evalign.openPassages({ run: Number(run), system: Number(system), metric, kind, gold, predicted });
  });

  // ---- keys: what they do, in a dialog that Esc closes ------------------------------------------

  const dialog = document.getElementById("keys");
  const help = make("button", { type: "button", className: "help", textContent: "?" });
  help.setAttribute("aria-label", "Keys");
  help.setAttribute("aria-haspopup", "dialog");
  help.setAttribute("aria-keyshortcuts", "?");
  help.addEventListener("click", () => dialog.showModal());
  tools.append(help);
  document.addEventListener("keydown", (event) => {
    if (event.key !== "?" || event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented) return;
    if (event.target.closest("input:not([type=checkbox]), textarea, select, [contenteditable]")) return;
    event.preventDefault();
    if (dialog.open) dialog.close();
    else dialog.showModal();
  });
  dialog.addEventListener("click", (event) => {
    // The button in it, or the page beside it.
    if (event.target === dialog || event.target.closest("button")) dialog.close();
  });

  // ---- paper: everything is open, and closed again afterwards -----------------------------------

  let opened = [];
  addEventListener("beforeprint", () => {
    opened = [...document.querySelectorAll("details:not([open])")];
    for (const details of opened) details.open = true;
  });
  addEventListener("afterprint", () => {
    for (const details of opened) details.open = false;
    opened = [];
  });
})();
