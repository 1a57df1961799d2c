// Constituents: gold brackets grow up from the text, system brackets grow down from it.
//
// Both stand on one axis: each group of tokens takes the width of its wider side, and a bracket runs
// from the first to the last token it holds. A faint stem leads from a bracket to the one around it, so
// that what belongs together hangs together.
"use strict";
window.evalign = window.evalign || {};
window.evalign.icicle = (() => {
  const { svg, figure, hatch, label, title, round, measure } = window.evalign.drawing;
  const { read, pieces } = window.evalign.cells;

  const GAP = 9; // between cells
  const STEP = 17; // height of a bracket
  const PAGE = 200; // cells in one picture
  const NARROW = 5; // a bracket without tokens

  // ---- the axis ------------------------------------------------------------------------------

  /** Pieces with their x, and the edges of the tokens of both sides by their number. */
  function layAxis(content, start, end) {
    const axis = { parts: [], gold: new Map(), system: new Map(), width: 0 };
    let x = GAP;
    for (const cell of content.cells.slice(start, end)) {
      const [part] = pieces(cell, content, { line: Infinity, token: 160, size: "text" });
      const width = Math.max(part.width, 10);
      axis.parts.push({ part, x, inset: (width - part.width) / 2 });
      for (const side of ["gold", "system"])
        setEdges(axis[side], cell[side], part[side], x, width, (width - part.width) / 2);
      x += width + GAP;
    }
    axis.width = x;
    return axis;
  }

  // Tokens meet in the middle of what is between them; the outer ones reach the edges of the cell.
  function setEdges(edges, [from, to], stretches, x, width, inset) {
    const known = new Map(
      stretches.map(([left, right, token]) => [token, [x + inset + left, x + inset + right]]),
    );
    for (let token = from; token < to; token += 1) {
      const share = [
        x + ((token - from) / (to - from)) * width,
        x + ((token + 1 - from) / (to - from)) * width,
      ];
      const [left, right] = known.get(token) || share;
      edges.set(token, [token === from ? x - 2 : left, token === to - 1 ? x + width + 2 : right]);
    }
  }

  // ---- brackets ------------------------------------------------------------------------------

  /**
   * Brackets as boxes {left, right, low, high, label, verdict}: `low` is how many levels lie below,
   * `high` where the bracket around it begins. They come parents first, so a stack finds the parent.
   */
  function boxes(brackets, edges) {
    const nodes = [];
    const open = [];
    for (const [first, last, name, verdict] of brackets) {
      while (open.length && !(first >= open[open.length - 1].first && last <= open[open.length - 1].last))
        open.pop();
      const node = { first, last, name, verdict, low: 0, parent: open[open.length - 1] || null };
      nodes.push(node);
      open.push(node);
    }
    for (const node of [...nodes].reverse())
      if (node.parent) node.parent.low = Math.max(node.parent.low, node.low + 1);
    return nodes
      .map((node) => ({ ...node, high: node.parent ? node.parent.low : node.low + 1, ...span(node, edges) }))
      .filter((box) => box.right > box.left);
  }

  // Edges in the picture; a bracket that goes on outside is open at that end.
  function span({ first, last }, edges) {
    if (first === last) {
      const at = (edges.get(first) || edges.get(first - 1) || [0, 0])[edges.has(first) ? 0 : 1];
      return { left: at - NARROW / 2, right: at + NARROW / 2 };
    }
    let from = first;
    let to = last - 1;
    const numbers = [...edges.keys()];
    from = Math.max(from, numbers[0] ?? 0);
    to = Math.min(to, numbers[numbers.length - 1] ?? -1);
    if (from > to) return { left: 0, right: 0 };
    return { left: edges.get(from)[0], right: edges.get(to)[1] };
  }

  // ---- drawing -------------------------------------------------------------------------------

  function drawBox(root, box, side, base, way, flip, hatching) {
    const [left, right] = [flip(box.left), flip(box.right)].sort((a, b) => a - b);
    const top = Math.min(base + way * box.low * STEP, base + way * (box.low + 1) * STEP);
    const group = svg("g", {
      class: `pv-constituent pv-${box.verdict} pv-side-${side}${box.asked ? " pv-asked-for" : ""}`,
    });
    if (box.high > box.low + 1) {
      const [near, far] = [base + way * (box.low + 1) * STEP, base + way * box.high * STEP];
      group.append(
        svg("rect", {
          class: "pv-stem",
          x: round(left + 0.5),
          y: Math.min(near, far),
          width: round(Math.max(1, right - left - 1)),
          height: Math.abs(far - near),
        }),
      );
    }
    const rect = svg("rect", {
      class: "pv-box",
      x: round(left + 0.5),
      y: top + 0.5,
      width: round(Math.max(1, right - left - 1)),
      height: STEP - 1,
      rx: 2,
    });
    if (box.verdict === "crossing") rect.style.fill = hatching(side);
    group.append(rect);
    const text = box.verdict === "crossing" ? `\u2715 ${box.name}` : box.name;
    // Of a wide bracket the name stands near its beginning, where one looks first.
    const middle = flip(box.left + (box.right - box.left > 600 ? 90 : (box.right - box.left) / 2));
    const baseline = top + STEP / 2 + 4;
    if (measure(text, "tiny", "bold") + 4 <= right - left)
      group.append(label(text, middle, baseline, "pv-name", "tiny"));
    else if (box.verdict === "crossing") group.append(label("\u2715", middle, baseline, "pv-name", "tiny"));
    const verdicts = {
      right: "on both sides",
      wrong: side === "gold" ? "only in gold" : "only in the system's output",
      crossing: "crosses a bracket of the other side",
    };
    group.append(
      title(`${side}: ${box.name}, ${box.last - box.first} tokens, ${verdicts[box.verdict] || box.verdict}`),
    );
    root.append(group);
  }

  function drawAxis(root, axis, band, flip) {
    for (const { part, x, inset } of axis.parts) {
      const group = svg("g", { class: `pv-cell pv-kind-${part.cell.kind}` });
      if (part.cell.kind !== "right") {
        const [left, right] = [flip(x - 2), flip(x + part.width + 2 * inset + 2)].sort((a, b) => a - b);
        group.append(
          svg("rect", {
            class: "pv-shade",
            x: round(left),
            y: band.top + 2,
            width: round(right - left),
            height: band.bottom - band.top - 4,
          }),
        );
      }
      for (const run of part.texts) {
        const baseline = !part.stacked ? band.middle + 5 : run.side === "gold" ? band.upper : band.lower;
        group.append(
          label(
            run.text,
            flip(x + inset + run.x + run.width / 2),
            baseline,
            run.side === "both" ? "pv-text" : `pv-text pv-of-${run.side}`,
          ),
        );
      }
      root.append(group);
    }
  }

  // An error of brackets names the tokens and the label of the bracket on either side. Of several over the
  // same tokens it means one that is not right.
  function point(boxes, side, errors) {
    const which = side === "gold" ? 0 : 1;
    for (const {
      [side]: [first, last],
      labels,
    } of errors) {
      const isMeant = (box) =>
        box.first === first && box.last === last && (!labels || box.name === labels[which]);
      const meant = boxes.find((box) => box.verdict !== "right" && !box.asked && isMeant(box));
      if (meant) meant.asked = true;
    }
    return boxes;
  }

  function describe(passage) {
    const wrong = (side) => passage.brackets[side].filter((bracket) => bracket[3] !== "right").length;
    return (
      `Constituents: ${passage.brackets.gold.length} gold brackets above, ${wrong("gold")} of them not in the system's output; ` +
      `${passage.brackets.system.length} system brackets below, ${wrong("system")} of them not in gold.`
    );
  }

  function firstCell(content, passage) {
    if (content.cells.length <= PAGE) return 0;
    const wrong = passage.brackets.gold.find((bracket) => bracket[3] !== "right");
    const at = wrong ? content.cells.findIndex((cell) => cell.gold[0] >= wrong[0]) : 0;
    return Math.max(0, Math.min(content.cells.length - PAGE, at - 20));
  }

  /** {svg, start, end, total} of a passage with brackets; `options`: start; asked (errors to point out). */
  function draw(passage, options = {}) {
    const content = read(passage);
    const start = options.start ?? firstCell(content, passage);
    const end = Math.min(content.cells.length, start + PAGE);
    const axis = layAxis(content, start, end);
    const gold = point(boxes(passage.brackets.gold, axis.gold), "gold", options.asked || []);
    const system = point(boxes(passage.brackets.system, axis.system), "system", options.asked || []);
    const levels = (all) => Math.max(0, ...all.map((box) => box.high));
    const stacked = axis.parts.some(({ part }) => part.stacked);
    const top = 6 + levels(gold) * STEP;
    const middle = top + (stacked ? 23 : 15);
    const band = { top, middle, bottom: 2 * middle - top, upper: middle - 4, lower: middle + 14 };
    const root = figure(
      "icicle",
      axis.width,
      band.bottom + levels(system) * STEP + 6,
      describe(passage),
      content.rtl,
    );
    const flip = content.rtl ? (x) => axis.width - x : (x) => x;
    const made = {};
    const hatching = (side) => (made[side] = made[side] || hatch(root, `pv-crossing pv-side-${side}`));
    for (const box of gold) drawBox(root, box, "gold", band.top, -1, flip, hatching);
    for (const box of system) drawBox(root, box, "system", band.bottom, 1, flip, hatching);
    drawAxis(root, axis, band, flip);
    return { svg: root, start, end, total: content.cells.length };
  }

  return { draw, PAGE };
})();
