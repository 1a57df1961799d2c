// The railway diff: the text once, tokens of gold as a track above it, tokens of the system below.
//
// Lines are broken at the width of the page. In a passage that is mostly right to left every x is
// mirrored in the line (`flip`), so that reading begins at the right; the letters of each token are
// left to the browser, which knows how to set them.
"use strict";
window.evalign = window.evalign || {};
window.evalign.railway = (() => {
  const { svg, figure, hatch, label, title, round, measure, SIZES } = window.evalign.drawing;
  const { read, pieces, GAP, SIGNAL, title: describeCell } = window.evalign.cells;

  const PAD = 4; // inside the shade of a cell
  const TEXT = 20; // a row of text
  const TRACK = 7; // from text to track
  const FLAG = 9; // from track to the tip of a signal
  const NOTE = 14; // a row of labels below
  const BETWEEN = 12; // from line to line
  const LONG = 160; // passages of more tokens are cut to what is around their errors
  const AROUND = 14; // tokens kept on either side of an error
  const MOST = 240; // cells drawn before the reader asks for more

  // ---- what is shown of a long passage -------------------------------------------------------

  /** Numbers of cells to show: all of a short passage, else those near errors and sentence boundaries that differ. */
  function chosen(content, errors) {
    const { cells } = content;
    const shown = new Uint8Array(cells.length);
    if (cells.length <= LONG) return shown.fill(1);
    const near = (at) => shown.fill(1, Math.max(0, at - AROUND), Math.min(cells.length, at + AROUND + 1));
    const marked = markedTokens(errors);
    cells.forEach((cell, i) => {
      const differs = content.goldEnds.has(cell.gold[1]) !== content.systemEnds.has(cell.system[1]);
      if (cell.kind !== "right" || differs || marked.has(cell.gold[0])) near(i);
    });
    if (!shown.includes(1)) shown.fill(1, 0, 2 * AROUND);
    closeSmallGaps(shown);
    let left = MOST;
    return shown.map((value) => (value && left > 0 ? ((left -= 1), 1) : 0));
  }

  // What takes as much room as the button that would open it is shown at once.
  function closeSmallGaps(shown) {
    for (let from = shown.indexOf(0); from >= 0; ) {
      const to = shown.indexOf(1, from);
      if (to >= 0 && to - from <= AROUND) shown.fill(1, from, to);
      from = to >= 0 ? shown.indexOf(0, to) : -1;
    }
  }

  function markedTokens(errors) {
    const found = new Set();
    for (const error of errors)
      if (error.tokens) for (let t = error.tokens[0]; t < error.tokens[1]; t += 1) found.add(t);
    return found;
  }

  /** Opens a gap: whole when small, else some at either end. */
  function openGap(shown, from, to) {
    if (to - from <= 400) return shown.fill(1, from, to);
    shown.fill(1, from, from + 150);
    return shown.fill(1, to - 150, to);
  }

  // ---- lines ---------------------------------------------------------------------------------

  function items(content, shown, limit, notes) {
    const found = [];
    for (let i = 0; i < content.cells.length; i += 1) {
      if (!shown[i]) {
        const from = i;
        while (i + 1 < content.cells.length && !shown[i + 1]) i += 1;
        found.push({ ...gapItem(from, i + 1), opens: true });
        continue;
      }
      const cell = content.cells[i];
      const note = notes.get(cell.gold[0] < cell.gold[1] ? `g${cell.gold[0]}` : `s${cell.system[0]}`);
      const room = { line: limit, token: Math.min(360, limit * 0.8), size: "text" };
      pieces(cell, content, room).forEach((part, k) => {
        found.push(pieceItem(part, k === 0 ? note : undefined));
        if (part.hidden) found.push(gapItem(0, part.hidden));
      });
    }
    return found;
  }

  function gapItem(from, to) {
    const count = to - from;
    const text = `\u2026 ${count.toLocaleString("en")} ${count === 1 ? "token" : "tokens"} \u2026`;
    return { gap: [from, to], text, width: measure(text, "small") + 20 };
  }

  function pieceItem(part, note) {
    const shaded = part.cell.kind !== "right" ? 2 * PAD : 0;
    const signal = part.goldEnd || part.systemEnd ? SIGNAL : 0;
    const body = Math.max(part.width, 8) + shaded;
    const noted = note ? Math.max(0, measure(note.text, "tiny") + 4 - body) : 0;
    return {
      part,
      note,
      body: body + noted,
      inset: (body + noted - part.width) / 2,
      width: body + noted + signal,
    };
  }

  function breakLines(all, limit) {
    const lines = [];
    let line = null;
    for (const item of all) {
      if (!line || line.width + GAP + item.width > limit) {
        line = { items: [], width: 0, stacked: false, noted: false };
        lines.push(line);
      }
      item.x = line.items.length ? line.width + GAP : 0;
      line.items.push(item);
      line.width = item.x + item.width;
      line.stacked = line.stacked || Boolean(item.part && item.part.stacked);
      line.noted = line.noted || Boolean(item.note);
    }
    return lines;
  }

  // Heights within a line, from its top: tip of gold's signals, gold track, text, system track, tip.
  function rails(top, line) {
    const text = line.stacked ? 2 * TEXT - 2 : TEXT;
    const gold = top + FLAG;
    const system = gold + 2 * TRACK + text;
    return {
      top,
      gold,
      system,
      middle: (gold + system) / 2,
      upper: line.stacked ? gold + TRACK + 15 : (gold + system) / 2 + 5,
      lower: line.stacked ? gold + TRACK + 33 : (gold + system) / 2 + 5,
      bottom: system + FLAG,
      end: system + FLAG + (line.noted ? NOTE : 0),
    };
  }

  // ---- shapes of cells -----------------------------------------------------------------------

  // The shade of a cell tells its kind by its outline. `left` and `right` are where it ends.
  function outline(kind, left, right, y, cuts) {
    const top = y.gold + 3;
    const bottom = y.system - 3;
    if (kind === "split")
      return `M${left} ${top}H${right}V${bottom}${notches(cuts, bottom, -5, true)}H${left}Z`;
    if (kind === "merge") return `M${left} ${top}${notches(cuts, top, 5, false)}H${right}V${bottom}H${left}Z`;
    if (kind === "shifted")
      return `M${left} ${top}${zigzag(left, right, top, 3)}V${bottom}${zigzag(right, left, bottom, -3)}Z`;
    return `M${left} ${top}H${right}V${bottom}H${left}Z`;
  }

  function notches(cuts, y, depth, backwards) {
    const ordered = [...cuts].sort((a, b) => (backwards ? b - a : a - b));
    const step = backwards ? -4 : 4;
    return ordered.map((x) => `H${round(x - step)}L${round(x)} ${y + depth}L${round(x + step)} ${y}`).join("");
  }

  function zigzag(from, to, y, depth) {
    const teeth = Math.max(2, 2 * Math.round(Math.abs(to - from) / 12));
    const step = (to - from) / teeth;
    let path = "";
    for (let i = 1; i <= teeth; i += 1) path += `L${round(from + i * step)} ${y + (i % 2 ? depth : 0)}`;
    return path;
  }

  // Where one side cuts and the other does not: the ends of all its tokens but the last.
  const inside = (stretches, x) =>
    stretches.slice(0, -1).map(([, end], i) => x((end + stretches[i + 1][0]) / 2));

  // ---- drawing -------------------------------------------------------------------------------

  function drawPiece(root, item, y, flip, hatching) {
    const { part } = item;
    const start = item.x + item.inset;
    const x = (local) => flip(start + local);
    const group = svg("g", { class: `pv-cell pv-kind-${part.cell.kind}` });
    const [left, right] = [flip(item.x), flip(item.x + item.body)].sort((a, b) => a - b);
    if (part.cell.kind !== "right") {
      const cuts = inside(part.cell.kind === "merge" ? part.gold : part.system, x);
      const shade = svg("path", {
        class: "pv-shade",
        d: outline(part.cell.kind, round(left), round(right), y, cuts),
      });
      if (part.cell.kind === "rewritten") shade.style.fill = hatching();
      group.append(shade);
    }
    drawTexts(group, part, y, x);
    drawTrack(group, part.gold, y.gold, x, "pv-gold");
    drawTrack(group, part.system, y.system, x, "pv-system");
    if (item.note) {
      group.append(svg("path", { class: "pv-noted", d: `M${round(left)} ${y.system + 5}H${round(right)}` }));
      group.append(label(item.note.text, (left + right) / 2, y.end - 3, "pv-note", "tiny"));
    }
    group.append(title(item.description));
    root.append(group);
    for (const mark of part.marks) drawSignal(root, x(mark.x), y, mark.side);
    if (part.goldEnd || part.systemEnd) {
      const side = part.goldEnd && part.systemEnd ? "both" : part.goldEnd ? "gold" : "system";
      drawSignal(root, flip(item.x + item.body + SIGNAL / 2 + 1), y, side);
    }
  }

  function drawTexts(group, part, y, x) {
    const differs = part.stacked && part.cell.kind === "right";
    for (const run of part.texts) {
      const baseline = !part.stacked ? (y.upper + y.lower) / 2 : run.side === "gold" ? y.upper : y.lower;
      const name =
        run.side === "both" || !(part.stacked || part.cell.kind !== "right")
          ? "pv-text"
          : `pv-text pv-of-${run.side}`;
      group.append(
        label(run.text, x(run.x + run.width / 2), baseline, differs ? `${name} pv-tolerated` : name),
      );
    }
  }

  function drawTrack(group, stretches, y, x, name) {
    for (const [from, to] of stretches) {
      const [left, right] = [x(from), x(to)].sort((a, b) => a - b);
      // A hair's breadth less, so that tokens without white space between them are still two.
      group.append(
        svg("rect", {
          class: `pv-rail ${name}`,
          x: round(left + 0.6),
          y: y - 1.75,
          width: round(Math.max(1.5, right - left - 1.2)),
          height: 3.5,
          rx: 1.5,
        }),
      );
    }
  }

  /** The end of a sentence: a flag above for gold, below for the system, one line through where both agree. */
  function drawSignal(root, x, y, side) {
    const group = svg("g", { class: `pv-signal pv-end-${side}` });
    const top = side === "system" ? y.middle + 2 : y.top;
    const bottom = side === "gold" ? y.middle - 2 : y.bottom;
    group.append(svg("path", { class: "pv-mast", d: `M${round(x)} ${round(top)}V${round(bottom)}` }));
    if (side !== "system") group.append(svg("path", { class: "pv-flag", d: flag(x, y.top, 1) }));
    if (side !== "gold") group.append(svg("path", { class: "pv-flag", d: flag(x, y.bottom, -1) }));
    const whose = {
      gold: "sentence ends in gold only",
      system: "sentence ends in the system's output only",
      both: "sentence ends on both sides",
    };
    group.append(title(whose[side]));
    root.append(group);
  }

  const flag = (x, y, way) => `M${round(x - 5)} ${round(y)}H${round(x + 5)}L${round(x)} ${round(y + way * 8)}Z`;

  function drawGap(root, item, y, flip, open) {
    const middle = flip(item.x + item.width / 2);
    const said = `Show ${item.text.replace(/\u2026/g, "").trim()}`;
    const button = svg(
      "g",
      item.opens ? { class: "pv-gap", role: "button", tabindex: 0, "aria-label": said } : { class: "pv-more" },
    );
    button.append(
      svg("rect", {
        x: round(middle - item.width / 2),
        y: y.middle - 11,
        width: round(item.width),
        height: 22,
        rx: 11,
      }),
      label(item.text, middle, y.middle + 4, "pv-gap-text", "small"),
    );
    root.append(button);
    if (!item.opens) return; // the tokens of one cell: the details have them all
    const act = (event) => {
      event.preventDefault();
      event.stopPropagation();
      open(item.gap);
    };
    button.addEventListener("click", act);
    button.addEventListener("keydown", (event) => (event.key === "Enter" || event.key === " ") && act(event));
  }

  // Blocks that are not one to one are bracketed at the side where reading begins.
  function drawBracket(root, height, text, flip, rtl) {
    root.append(
      svg("path", { class: "pv-bracket", d: `M${flip(9)} 6H${flip(3)}V${round(height - 4)}H${flip(9)}` }),
    );
    const note = svg(
      "text",
      {
        class: "pv-bracket-text pv-size-small",
        direction: "ltr",
        x: flip(14),
        y: 11,
        "font-size": SIZES.small,
        "text-anchor": rtl ? "end" : "start",
      },
      text,
    );
    root.append(note);
  }

  const plural = (count, word) => `${count} ${word}${count === 1 ? "" : "s"}`;
  const ratio = (passage) =>
    `${plural(passage.gold.length, "gold sentence")} : ${plural(passage.system.length, "system sentence")}`;

  function describe(passage, content) {
    const wrong = content.cells.filter((cell) => cell.kind !== "right");
    const first = wrong
      .slice(0, 8)
      .map((cell) => describeCell(cell, content).replace(/\n/g, ", ").slice(0, 200));
    const rest = wrong.length > 8 ? `; and ${wrong.length - 8} more` : "";
    return `${ratio(passage)}. ${wrong.length ? `Tokens that differ: ${first.join("; ")}${rest}` : "All tokens are right"}.`;
  }

  /**
   * Labels to write below tokens: {text} by "g" and number of a gold token, or "s" and of a system token.
   * `options`: width; notes; errors with `tokens`; shown (from an earlier drawing); open(gap).
   */
  function draw(passage, options) {
    const content = options.content || read(passage);
    const shown = options.shown || chosen(content, options.errors || []);
    const bracketed = passage.gold.length !== 1 || passage.system.length !== 1;
    const margin = bracketed ? 14 : 2;
    const limit = Math.max(120, options.width - margin - 4);
    const lines = breakLines(
      items(content, shown, limit - 2 * PAD - SIGNAL, options.notes || new Map()),
      limit,
    );
    let bottom = bracketed ? 18 : 2;
    const heights = lines.map((line, i) => {
      const y = rails(bottom + (i ? BETWEEN : 0), line);
      bottom = y.end;
      return y;
    });
    const width = Math.max(options.width, ...lines.map((line) => line.width + margin + 4));
    const root = figure("railway", width, bottom + 4, describe(passage, content), content.rtl);
    const flip = content.rtl ? (x) => width - margin - x : (x) => margin + x;
    let pattern = "";
    const hatching = () => (pattern = pattern || hatch(root, "pv-kind-rewritten"));
    lines.forEach((line, i) => {
      for (const item of line.items) {
        if (item.gap) drawGap(root, item, heights[i], flip, (gap) => options.open(openGap(shown, ...gap)));
        else {
          item.description = describeCell(item.part.cell, content) + (item.note ? `\n${item.note.title}` : "");
          drawPiece(root, item, heights[i], flip, hatching);
        }
      }
    });
    if (bracketed)
      drawBracket(root, bottom + 4, ratio(passage), content.rtl ? (x) => width - x : (x) => x, content.rtl);
    return root;
  }

  return { draw };
})();
