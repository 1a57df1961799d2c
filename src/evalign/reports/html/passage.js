// One passage: its header, its figures, its details; and the legend of them all.
"use strict";
window.evalign = window.evalign || {};
window.evalign.passage = (() => {
  const { html, svg, glyph, visible, spelled, shorten } = window.evalign.drawing;
  const { railway, arcs, icicle, showMetric } = window.evalign;
  const { textOf, countsWords } = window.evalign.filters;

  const MOST_ERRORS = 100;
  const MOST_CHIPS = 5;
  const WORDS = {
    split: "one in gold, several in the system's output",
    merge: "several in gold, one in the system's output",
    shifted: "cut elsewhere",
    rewritten: "other text",
    missing: "not in the system's output",
    inserted: "not in gold",
    confused: "other label",
    label: "right head, other label",
    head: "right label, other head",
    both: "other head and label",
    crossing: "crosses a gold bracket",
  };

  // ---- header --------------------------------------------------------------------------------

  function chip(metric, kind, count, extra, dim) {
    const times = count > 1 ? ` \u00d7${count}` : "";
    return html(
      "span",
      { class: `pv-chip pv-kind-${kind}${dim ? " pv-dim" : ""}`, title: WORDS[kind] },
      glyph(kind),
      `${showMetric(metric)} ${kind}${extra}${times}`,
    );
  }

  /** Errors as chips, those of one metric and kind together; those not asked for step back. */
  function chips(passage, matched) {
    const wanted = matched && new Set(matched);
    const groups = new Map();
    for (const error of passage.errors) {
      const key = `${error.metric} ${error.kind}`;
      if (!groups.has(key)) groups.set(key, { error, count: 0, asked: false });
      const group = groups.get(key);
      group.count += 1;
      group.asked = group.asked || !wanted || wanted.has(error);
    }
    const ordered = [...groups.values()].sort((a, b) => Number(b.asked) - Number(a.asked));
    const made = ordered
      .slice(0, MOST_CHIPS)
      .map(({ error, count, asked }) =>
        chip(error.metric, error.kind, count, error.trigger ? `, ${error.trigger}` : "", !asked),
      );
    if (ordered.length > MOST_CHIPS) {
      const rest = ordered
        .slice(MOST_CHIPS)
        .map(({ error, count }) => `${showMetric(error.metric)} ${error.kind} \u00d7${count}`);
      made.push(html("span", { class: "pv-rest", title: rest.join("\n") }, `+${rest.length}`));
    }
    return made;
  }

  function header(passage, drawing, options) {
    const unit = options.unit.names[passage.unit];
    const places = [passage.gold_place, passage.system_place].filter(Boolean).map(visible);
    const short = places.map((place) => place.split(/[\\/]/).pop());
    const toggle = html(
      "button",
      {
        type: "button",
        class: "pv-toggle",
        "aria-expanded": Boolean(options.opened.details).toString(),
      },
      options.opened.details ? "Less" : "Details",
    );
    toggle.addEventListener("click", () => {
      options.opened.details = !options.opened.details;
      options.again();
    });
    const said = html(
      "div",
      { class: "pv-said" },
      html(
        "span",
        { class: "pv-ratio", title: "gold sentences : system sentences" },
        `${passage.gold.length}:${passage.system.length}`,
      ),
      unit ? html("bdi", { class: "pv-unit" }, shorten(visible(unit), 240)) : null,
      html("bdi", { class: "pv-places", title: places.join("\n") }, short.join(" \u00b7 ")),
      html("span", { class: "pv-chips" }, ...chips(passage, options.matched)),
    );
    return options.printed
      ? html("div", { class: "pv-head" }, said)
      : html("div", { class: "pv-head" }, said, saveButton(drawing, "railway"), toggle);
  }

  // ---- figures -------------------------------------------------------------------------------

  function saveButton(drawing, name) {
    const button = html(
      "button",
      { type: "button", class: "pv-save", "aria-label": `Save the ${name} as SVG` },
      "SVG",
    );
    button.addEventListener(
      "click",
      () => window.evalign.saveSvg && window.evalign.saveSvg(drawing, `${name}.svg`),
    );
    return button;
  }

  function figure(drawing, name, caption, options, extra = null) {
    const head = caption
      ? html(
          "figcaption",
          {},
          html("span", {}, caption),
          extra,
          options.printed ? null : saveButton(drawing, name),
        )
      : null;
    const scroll = html("div", { class: "pv-scroll" }, drawing);
    // A text that is read from the right is seen from the right, also where it is wider than the page.
    if (drawing.hasAttribute("data-rtl")) scroll.dir = "rtl";
    // What can be scrolled must be reachable by keys.
    if (Number(drawing.getAttribute("width")) > options.width + 4) {
      scroll.tabIndex = 0;
      scroll.setAttribute("role", "group");
      scroll.setAttribute("aria-label", `${caption || "Text"}, scrolls sideways`);
    }
    return html("figure", { class: `pv-figure pv-has-${name}` }, head, scroll);
  }

  /** For long passages: which part is shown, and a way to the others. */
  function pager(drawn, page, turn) {
    if (drawn.total <= page) return null;
    const go = (text, start, disabled) => {
      const button = html("button", { type: "button", class: "pv-save", disabled }, text);
      button.addEventListener("click", () => turn(Math.max(0, Math.min(drawn.total - page, start))));
      return button;
    };
    const place = `${drawn.start + 1} to ${drawn.end} of ${drawn.total.toLocaleString("en")}`;
    return html(
      "span",
      { class: "pv-pager" },
      go("\u2190", drawn.start - page, drawn.start === 0),
      ` ${place} `,
      go("\u2192", drawn.start + page, drawn.end >= drawn.total),
    );
  }

  // Tokens that an error is about, also where it counts words.
  function tokensOf(passage, error) {
    const [from, to] = error.gold;
    if (!countsWords(passage, error)) return error.metric === "sentences" ? null : error.gold;
    if (to <= from) return null;
    return [passage.words.gold_tokens[from], passage.words.gold_tokens[to - 1] + 1];
  }

  const drawsArcs = (passage, options) =>
    Boolean(options.show.figures && passage.words && passage.tree && passage.tree.gold_heads);

  /** Labels of the errors asked for, to be written below their tokens; those of arcs only where no arcs are drawn. */
  function notesOf(passage, options) {
    const notes = new Map();
    for (const error of options.matched || []) {
      if (!error.labels || error.metric === "brackets") continue;
      if (error.kind !== "confused" && drawsArcs(passage, options)) continue;
      const tokens = tokensOf(passage, error);
      if (!tokens) continue;
      const key = `g${tokens[0]}`;
      const text = error.labels.map((label) => shorten(visible(label), 90, "tiny")).join(" \u2192 ");
      const said = `${showMetric(error.metric)}: ${error.labels.join(" \u2192 ")}`;
      const known = notes.get(key);
      notes.set(
        key,
        known ? { text: `${known.text}, ${text}`, title: `${known.title}\n${said}` } : { text, title: said },
      );
    }
    return notes;
  }

  function drawRailway(passage, options) {
    const drawing = railway.draw(passage, {
      width: options.width,
      notes: notesOf(passage, options),
      errors: passage.errors.map((error) => ({ tokens: tokensOf(passage, error) })),
      shown: options.opened.shown,
      open: (shown) => {
        options.opened.shown = shown;
        options.again();
      },
    });
    return drawing;
  }

  function drawPaged(draw, page, passage, name, caption, options, extra = {}) {
    const drawn = draw(passage, { start: options.opened[name], ...extra });
    const turn = (start) => {
      options.opened[name] = start;
      options.again();
    };
    return figure(drawn.svg, name, caption, options, pager(drawn, page, turn));
  }

  // ---- details -------------------------------------------------------------------------------

  function errorTable(passage, matched) {
    const all =
      matched && matched.length
        ? [...matched, ...passage.errors.filter((error) => !matched.includes(error))]
        : passage.errors;
    const body = all.slice(0, MOST_ERRORS).map((error) => {
      const texts = error.metric === "sentences" ? ["", ""] : textOf(passage, error);
      const label = error.labels
        ? error.labels.map((each) => spelled(each) || "\u2205").join(" \u2192 ")
        : error.trigger || "";
      const text = (value) => html("td", {}, html("bdi", {}, spelled(value)));
      return html(
        "tr",
        {},
        html("td", {}, showMetric(error.metric)),
        html("td", { class: `pv-kind-${error.kind}` }, glyph(error.kind), ` ${error.kind}`),
        html("td", {}, label),
        ...texts.map(text),
      );
    });
    const head = html(
      "thead",
      {},
      html(
        "tr",
        {},
        ...["metric", "kind", "label or trigger", "gold", "system"].map((name) =>
          html("th", { scope: "col" }, name),
        ),
      ),
    );
    const more =
      all.length > MOST_ERRORS
        ? html(
            "p",
            { class: "pv-more" },
            `and ${(all.length - MOST_ERRORS).toLocaleString("en")} more; the CSV has them all`,
          )
        : null;
    return html("div", { class: "pv-errors" }, html("table", {}, head, html("tbody", {}, ...body)), more);
  }

  function sentences(name, list) {
    const lines = list.map((sentence) => html("li", { dir: "auto" }, spelled(sentence)));
    return html(
      "div",
      { class: `pv-sentences pv-of-${name}` },
      html("h4", {}, `${name} (${list.length})`),
      html("ol", {}, ...lines),
    );
  }

  function details(passage, options) {
    return html(
      "div",
      { class: "pv-details" },
      html("div", { class: "pv-texts" }, sentences("gold", passage.gold), sentences("system", passage.system)),
      errorTable(passage, options.matched),
    );
  }

  /**
   * The element of a passage. `options`: at, count (its place in the list), unit, width, show (figures,
   * shared), matched (errors asked for, or null), opened (kept from drawing to drawing), again(), printed.
   */
  function make(passage, options) {
    const name = `Passage ${options.at + 1}: ${passage.gold.length} gold to ${passage.system.length} system sentences, ${passage.errors.length} errors`;
    const row = html("article", {
      class: "pv-row",
      "aria-posinset": options.at + 1,
      "aria-setsize": options.count,
      "aria-label": name,
    });
    const drawing = drawRailway(passage, options);
    row.append(header(passage, drawing, options), figure(drawing, "railway", "", options));
    const asked = options.matched || [];
    if (drawsArcs(passage, options)) {
      const words = new Set(asked.filter((error) => countsWords(passage, error)).map((error) => error.gold[0]));
      row.append(
        drawPaged(arcs.draw, arcs.PAGE, passage, "arcs", "Dependencies", options, {
          shared: options.show.shared,
          asked: words,
        }),
      );
    }
    if (options.show.figures && passage.brackets) {
      const brackets = asked.filter((error) => error.metric === "brackets");
      row.append(
        drawPaged(icicle.draw, icicle.PAGE, passage, "icicle", "Constituents", options, { asked: brackets }),
      );
    }
    if (options.opened.details) row.append(details(passage, options));
    return row;
  }

  // ---- legend --------------------------------------------------------------------------------

  const sample = (className, ...shapes) =>
    svg(
      "svg",
      { class: `pv-glyph ${className}`, width: 26, height: 14, viewBox: "0 0 26 14", "aria-hidden": "true" },
      ...shapes,
    );
  const entry = (picture, text, explained) =>
    html("span", { class: "pv-entry", title: explained }, picture, text);
  const rail = (side) =>
    sample(
      "",
      svg("rect", { class: `pv-rail pv-wrong pv-${side}`, x: 1, y: 5, width: 11, height: 4, rx: 2 }),
      svg("rect", { class: `pv-rail pv-wrong pv-${side}`, x: 14, y: 5, width: 11, height: 4, rx: 2 }),
    );
  const signal = (side, d) =>
    sample(
      `pv-signal pv-end-${side}`,
      svg("path", { class: "pv-mast", d: "M13 0V14" }),
      ...d.map((each) => svg("path", { class: "pv-flag", d: each })),
    );
  const arc = (state, side) =>
    sample(
      `pv-dependency ${state} pv-side-${side}`,
      svg("path", {
        class: "pv-arc",
        d: side === "gold" ? "M3 13V8Q3 3 8 3H18Q23 3 23 8V13" : "M3 1V6Q3 11 8 11H18Q23 11 23 6V1",
      }),
    );

  const bracket = (verdict, side) =>
    sample(
      `pv-constituent pv-${verdict} pv-side-${side}`,
      svg("rect", { class: "pv-box", x: 1, y: 1.5, width: 24, height: 11, rx: 2 }),
    );

  const DOWN = "M8 0H18L13 8Z";
  const UP = "M8 14H18L13 6Z";

  /** Entries for what there is in some passages: sides, sentence ends, kinds, arcs. */
  function legend(index) {
    const entries = [
      entry(rail("gold"), "gold tokens, above", "a stretch per token"),
      entry(rail("system"), "system tokens, below", "a stretch per token"),
      entry(signal("gold", [DOWN]), "gold sentence end", "only gold ends a sentence here"),
      entry(signal("system", [UP]), "system sentence end", "only the system ends a sentence here"),
      entry(signal("both", [DOWN, UP]), "both", "both end a sentence here"),
    ];
    if (index.hasTree) {
      entries.push(
        entry(arc("pv-shared", "gold"), "shared arc", "same head, same relation"),
        entry(arc("pv-only", "gold"), "gold only", "solid, above"),
        entry(arc("pv-only", "system"), "system only", "dashed, below"),
        entry(arc("pv-label-only", "gold"), "other label", "same head"),
      );
    }
    if (index.hasBrackets) {
      entries.push(
        entry(bracket("right", "gold"), "bracket of both", "same tokens, same label"),
        entry(bracket("wrong", "gold"), "gold only", "above"),
        entry(bracket("wrong", "system"), "system only", "below"),
      );
    }
    const kinds = index.vocabularies.kind.names.filter((kind) => kind in WORDS);
    for (const kind of Object.keys(WORDS))
      if (kinds.includes(kind)) entries.push(entry(glyph(kind), kind, WORDS[kind]));
    return entries;
  }

  return { make, legend, visible };
})();
