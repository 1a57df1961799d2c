// Dependencies: gold arcs above, system arcs below the same words.
//
// Words that are paired share a column; words that only one side has stand in a column of their own.
// What both sides have is thin and grey, so that what differs is what one sees.
"use strict";
window.evalign = window.evalign || {};
window.evalign.arcs = (() => {
  const { svg, figure, label, title, round, measure, visible, shorten } = window.evalign.drawing;
  const { read, cellsOf } = window.evalign.cells;

  const ROOT = -1;
  const NONE = -2;
  const GAP = 14; // between columns
  const STEP = 17; // from level to level: one label
  const SPREAD = 4; // between the ends of arcs at one word
  const TOKEN = 180; // widest word
  const MOST = 24; // words in one column
  const PAGE = 120; // columns in one picture; more of them are turned over

  // ---- columns -------------------------------------------------------------------------------

  /** Columns in reading order: {gold: [words], system: [words]}; a pair shares one, and so do the words of a cell without pairs. */
  function columns(passage, content) {
    const { words } = passage;
    const goldCells = cellsOf(content, "gold");
    const systemCells = cellsOf(content, "system");
    const found = [];
    let g = 0;
    let s = 0;
    const upTo = (goldEnd, systemEnd) => {
      found.push(...loose(words, g, goldEnd, s, systemEnd, goldCells, systemCells));
      g = goldEnd;
      s = systemEnd;
    };
    words.pairs.forEach((partner, i) => {
      if (partner < s) return; // unpaired; a pair that went back would not fit on a line either
      upTo(i, partner);
      found.push({ gold: [i], system: [partner] });
      g = i + 1;
      s = partner + 1;
    });
    upTo(words.gold.length, words.system.length);
    return found;
  }

  // Words between two pairs: by cell, so that "du" stands over "de le"; what has no counterpart stands alone.
  function loose(words, goldFrom, goldTo, systemFrom, systemTo, goldCells, systemCells) {
    const byCell = new Map();
    const add = (cell, side, word) => {
      if (!byCell.has(cell)) byCell.set(cell, { gold: [], system: [] });
      byCell.get(cell)[side].push(word);
    };
    for (let i = goldFrom; i < goldTo; i += 1) add(goldCells[words.gold_tokens[i]], "gold", i);
    for (let i = systemFrom; i < systemTo; i += 1) add(systemCells[words.system_tokens[i]], "system", i);
    return [...byCell.entries()]
      .sort(([a], [b]) => a - b)
      .flatMap(([, column]) => {
        if (column.gold.length && column.system.length)
          return column.gold.length + column.system.length > MOST ? ranked(column) : [column];
        return [
          ...column.gold.map((word) => ({ gold: [word], system: [] })),
          ...column.system.map((word) => ({ gold: [], system: [word] })),
        ];
      });
  }

  // Too many words for one column: the first above the first, the second above the second.
  function ranked({ gold, system }) {
    const length = Math.max(gold.length, system.length);
    return Array.from({ length }, (_, i) => ({ gold: gold.slice(i, i + 1), system: system.slice(i, i + 1) }));
  }

  // ---- arcs ----------------------------------------------------------------------------------

  const universal = (relation) => (relation || "").split(":")[0];

  /** The arcs of both sides: {word, head, relation, state: shared|label|only, other}. */
  function judge(passage) {
    const { words, tree } = passage;
    const back = new Array(words.system.length).fill(-1);
    words.pairs.forEach((partner, i) => partner >= 0 && (back[partner] = i));
    const wrongHeads = new Set();
    for (const error of passage.errors)
      if (error.metric === "las" && error.kind !== "label") wrongHeads.add(error.gold[0]);
    const state = (gold, system) => {
      if (gold < 0 || system < 0 || gold === undefined || system === undefined) return "only";
      const [head, other] = [tree.gold_heads[gold], tree.system_heads[system]];
      // Of two heads outside the block only the errors tell whether they are one.
      const same =
        head >= 0
          ? other >= 0 && words.pairs[head] === other
          : head === other && !(head < NONE && wrongHeads.has(gold));
      if (!same) return "only";
      return universal(tree.gold_relations[gold]) === universal(tree.system_relations[system])
        ? "shared"
        : "label";
    };
    const arcs = (heads, relations, others, partner, judged) =>
      heads
        .map((head, word) => ({
          word,
          head,
          relation: relations[word] || "",
          state: judged(word),
          other: others[partner(word)] || "",
        }))
        .filter((arc) => arc.head !== NONE);
    return {
      gold: arcs(
        tree.gold_heads,
        tree.gold_relations,
        tree.system_relations,
        (i) => words.pairs[i],
        (i) => state(i, words.pairs[i]),
      ),
      system: arcs(
        tree.system_heads,
        tree.system_relations,
        tree.gold_relations,
        (j) => back[j],
        (j) => state(back[j], j),
      ),
    };
  }

  /**
   * A level for each arc such that arcs over the same gap between words have different ones,
   * shorter arcs below longer ones. Roots and stubs come on top of what is over their word.
   */
  function setLevels(arcs, count) {
    const heights = new Array(count + 1).fill(0);
    const top = (from, to) => {
      let highest = 0;
      for (let gap = from; gap < to; gap += 1) highest = Math.max(highest, heights[gap]);
      return highest + 1;
    };
    const spans = arcs
      .filter((arc) => arc.to !== null)
      .sort((a, b) => a.to - a.from - (b.to - b.from) || a.from - b.from);
    for (const arc of spans) {
      arc.level = top(arc.from + 1, arc.to + 1); // gap i lies before word i
      heights.fill(arc.level, arc.from + 1, arc.to + 1);
    }
    for (const arc of arcs.filter((arc) => arc.to === null)) {
      arc.level = top(arc.from, arc.from + 2);
      heights.fill(arc.level, arc.from, arc.from + 2);
    }
    return Math.max(1, ...arcs.map((arc) => arc.level));
  }

  // Arcs within the picture, ends as places of words in it; one end outside makes a stub.
  function cut(arcs, place) {
    const found = [];
    for (const arc of arcs) {
      const word = place.get(arc.word);
      const head = arc.head >= 0 ? place.get(arc.head) : undefined;
      if (word === undefined && head === undefined) continue;
      if (word !== undefined && head !== undefined)
        found.push({
          ...arc,
          from: Math.min(word, head),
          to: Math.max(word, head),
          dependent: word,
          governor: head,
          stub: "",
        });
      else if (arc.head === ROOT) found.push({ ...arc, from: word, to: null, dependent: word, stub: "root" });
      else {
        const beyond =
          arc.head < 0
            ? "up"
            : (word === undefined ? arc.word : arc.head) > (word === undefined ? arc.head : arc.word)
              ? "after"
              : "before";
        found.push({
          ...arc,
          from: word === undefined ? head : word,
          to: null,
          dependent: word,
          governor: head,
          stub: beyond,
        });
      }
    }
    return found;
  }

  // ---- layout --------------------------------------------------------------------------------

  const wordText = (word) => shorten(visible(word), TOKEN);

  function tagsOf(passage, column) {
    const { gold_tags: golds, system_tags: systems } = passage.tree;
    if (!golds || !systems || column.gold.length !== 1 || column.system.length !== 1) return null;
    const [gold, system] = [golds[column.gold[0]], systems[column.system[0]]];
    return gold && system && gold !== system ? { gold, system } : null;
  }

  // The words of one side of a column, next to each other; arcs among them need room too.
  function row(texts, words, needs) {
    const items = [];
    let end = 0;
    for (const word of words) {
      const text = wordText(texts[word]);
      const width = measure(text);
      let x = items.length ? end + GAP : 0;
      for (const need of needs.get(word) || []) {
        const from = items.find((item) => item.word === need.from);
        if (from) x = Math.max(x, from.x + from.width / 2 + need.width - width / 2);
      }
      items.push({ word, text, x, width });
      end = x + width;
    }
    return { items, width: end };
  }

  /** Centres of the words of both sides; columns are moved apart until each label fits on its arc. */
  function layOut(passage, shown, arcs) {
    const centres = { gold: new Map(), system: new Map() };
    const needs = neededWidths(arcs);
    let right = 0;
    const boxes = shown.map((column) => {
      const gold = row(passage.words.gold, column.gold, needs.gold);
      const system = row(passage.words.system, column.system, needs.system);
      const tags = tagsOf(passage, column);
      const tagWidth = tags
        ? Math.max(measure(tags.gold, "tiny", "bold"), measure(tags.system, "tiny", "bold"))
        : 0;
      const width = Math.max(gold.width, system.width, tagWidth, 12);
      const centre = (side, item) => (width - side.width) / 2 + item.x + item.width / 2;
      let left = right + GAP;
      for (const [name, side] of [
        ["gold", gold],
        ["system", system],
      ]) {
        for (const item of side.items) {
          for (const need of needs[name].get(item.word) || [])
            left = Math.max(left, (centres[name].get(need.from) ?? 0) + need.width - centre(side, item));
        }
      }
      for (const [name, side] of [
        ["gold", gold],
        ["system", system],
      ])
        for (const item of side.items) centres[name].set(item.word, left + centre(side, item));
      right = left + width;
      const once =
        gold.items.length === 1 && system.items.length === 1 && gold.items[0].text === system.items[0].text;
      return { column, left, width, gold, system, tags, once };
    });
    return { boxes, centres, width: right + GAP };
  }

  // For the later word of each arc: the earlier one and the room its label takes.
  function neededWidths(arcs) {
    const needs = { gold: new Map(), system: new Map() };
    for (const side of ["gold", "system"]) {
      for (const arc of arcs[side]) {
        if (arc.to === null) continue;
        const [first, last] = [Math.min(arc.word, arc.head), Math.max(arc.word, arc.head)];
        if (!needs[side].has(last)) needs[side].set(last, []);
        needs[side].get(last).push({
          from: first,
          width: measure(arc.relation, "tiny", arc.state === "shared" ? "" : "bold") + 26,
        });
      }
    }
    return needs;
  }

  // Where arcs leave a word: the longest nearest to its middle, so that none crosses another there.
  function setEnds(arcs, centre) {
    const leaving = new Map();
    for (const arc of arcs) {
      if (arc.governor === undefined || arc.to === null) continue;
      const key = `${arc.governor}${arc.dependent > arc.governor ? ">" : "<"}`;
      if (!leaving.has(key)) leaving.set(key, []);
      leaving.get(key).push(arc);
    }
    for (const group of leaving.values()) {
      group.sort((a, b) => b.level - a.level);
      const step = Math.min(SPREAD, 16 / group.length);
      group.forEach((arc, i) => {
        const way = arc.dependent > arc.governor ? 1 : -1;
        arc.leaves = centre(arc.head) + way * (3 + i * step);
      });
    }
    for (const arc of arcs) arc.arrives = arc.dependent === undefined ? undefined : centre(arc.word);
  }

  // ---- drawing -------------------------------------------------------------------------------

  const CLASSES = { shared: "pv-shared", label: "pv-label-only", only: "pv-only" };

  function drawArc(root, arc, side, base, way, flip) {
    const y = base + way * arc.level * STEP;
    const group = svg("g", { class: `pv-dependency ${CLASSES[arc.state]} pv-side-${side}` });
    const at =
      arc.to === null ? drawStub(group, arc, base, y, way, flip) : drawSpan(group, arc, base, y, way, flip);
    if (arc.dependent !== undefined) {
      const x = flip(arc.arrives);
      group.append(
        svg("path", {
          class: "pv-tip",
          d: `M${round(x)} ${base}L${round(x - 3.5)} ${base + way * 6}H${round(x + 3.5)}Z`,
        }),
      );
    }
    group.append(label(arc.relation, at, y + 3.5, "pv-relation", "tiny"));
    group.append(title(says(arc, side)));
    root.append(group);
  }

  function says(arc, side) {
    if (arc.state === "shared")
      return arc.other && arc.other !== arc.relation
        ? `both: ${arc.relation} (the other side: ${arc.other})`
        : `both: ${arc.relation}`;
    const whose = side === "gold" ? "gold" : "system";
    return arc.state === "label"
      ? `same head, other label\n${whose}: ${arc.relation}\n${side === "gold" ? "system" : "gold"}: ${arc.other}`
      : `${whose} only: ${arc.relation}`;
  }

  function drawSpan(group, arc, base, y, way, flip) {
    const start = flip(arc.leaves);
    const end = flip(arc.arrives);
    const turn = end > start ? 1 : -1;
    const r = Math.min(9, Math.abs(end - start) / 2, Math.abs(y - base));
    const d =
      `M${round(start)} ${base}V${round(y - way * r)}Q${round(start)} ${y} ${round(start + turn * r)} ${y}` +
      `H${round(end - turn * r)}Q${round(end)} ${y} ${round(end)} ${round(y - way * r)}V${round(base + way * 3)}`;
    group.append(svg("path", { class: "pv-arc", d }));
    // The middle of a long arc may be out of sight; its label stands near the word that it is about.
    const half = measure(arc.relation, "tiny", "bold") / 2;
    return Math.abs(end - start) > 420 ? end - turn * (r + half + 14) : (start + end) / 2;
  }

  // A root comes straight from outside; an arc from or to a word outside the picture bends off to its side.
  function drawStub(group, arc, base, y, way, flip) {
    const x = flip(arc.arrives === undefined ? arc.centre : arc.arrives);
    const bend = { root: 0, up: 0, after: 1, before: -1 }[arc.stub] * (flip(1) > flip(0) ? 1 : -1);
    const edge = y - way * 7;
    const d = bend
      ? `M${round(x)} ${base}V${round(edge)}q0 ${way * 7} ${bend * 12} ${way * 7}`
      : `M${round(x)} ${round(edge)}V${base}`;
    group.append(svg("path", { class: `pv-arc ${arc.stub === "root" ? "pv-root" : "pv-stub"}`, d }));
    return x + bend * (14 + measure(arc.relation, "tiny") / 2);
  }

  function drawWords(root, layout, band, flip, asked) {
    for (const box of layout.boxes) {
      const group = svg("g", { class: "pv-words" });
      if (box.column.gold.some((word) => asked.has(word))) {
        const left = Math.min(flip(box.left), flip(box.left + box.width));
        group.append(
          svg("rect", {
            class: "pv-asked",
            x: round(left - 4),
            y: band.middle - 11,
            width: round(box.width + 8),
            height: 22,
            rx: 4,
          }),
        );
      }
      const middle = flip(box.left + box.width / 2);
      if (box.once) group.append(label(box.gold.items[0].text, middle, band.middle + 5, "pv-text"));
      else {
        drawRow(group, box, "gold", band, flip);
        drawRow(group, box, "system", band, flip);
      }
      if (box.tags) {
        group.append(label(box.tags.gold, middle, band.top + 10, "pv-tag pv-of-gold", "tiny"));
        group.append(label(box.tags.system, middle, band.bottom - 3, "pv-tag pv-of-system", "tiny"));
      }
      root.append(group);
    }
  }

  function drawRow(group, box, side, band, flip) {
    const other = side === "gold" ? "system" : "gold";
    const alone = box[other].items.length === 0;
    const baseline = alone ? band.middle + 5 : side === "gold" ? band.upper : band.lower;
    const inset = (box.width - box[side].width) / 2;
    for (const item of box[side].items) {
      const centre = flip(box.left + inset + item.x + item.width / 2);
      if (alone)
        group.append(
          svg("rect", {
            class: `pv-hollow pv-of-${side}`,
            x: round(centre - item.width / 2 - 4),
            y: baseline - 15,
            width: round(item.width + 8),
            height: 20,
            rx: 3,
          }),
        );
      group.append(label(item.text, centre, baseline, `pv-text pv-of-${side}`));
    }
  }

  // Sentence ends between the words, as in the railway: gold's in the upper half, the system's in the lower.
  function drawEnds(root, passage, content, layout, band, flip) {
    const { boxes } = layout;
    const endsAfter = (box, side) => {
      const word = box.column[side][box.column[side].length - 1];
      if (word === undefined) return false;
      const tokens = passage.words[`${side}_tokens`];
      return tokens[word + 1] !== tokens[word] && content[`${side}Ends`].has(tokens[word] + 1);
    };
    boxes.slice(0, -1).forEach((box, i) => {
      const x = round(flip((box.left + box.width + boxes[i + 1].left) / 2));
      const [gold, system] = [endsAfter(box, "gold"), endsAfter(box, "system")];
      if (!gold && !system) return;
      const side = gold && system ? "both" : gold ? "gold" : "system";
      const [top, bottom] = [gold ? band.top + 2 : band.middle, system ? band.bottom - 2 : band.middle];
      root.append(
        svg(
          "g",
          { class: `pv-signal pv-end-${side}` },
          svg("path", { class: "pv-mast", d: `M${x} ${top}V${bottom}` }),
          title(`sentence ends: ${side}`),
        ),
      );
    });
  }

  function bandOf(layout, top) {
    const tags = layout.boxes.some((box) => box.tags) ? 13 : 0;
    const stacked = layout.boxes.some((box) => !box.once && box.gold.items.length && box.system.items.length);
    const height = (stacked ? 40 : 24) + 2 * tags;
    const middle = top + height / 2;
    return {
      top,
      bottom: top + height,
      middle,
      upper: stacked ? middle - 5 : middle + 5,
      lower: stacked ? middle + 15 : middle + 5,
    };
  }

  function describe(arcs) {
    const wrong = arcs.gold.filter((arc) => arc.state !== "shared").length;
    return `Dependencies: ${arcs.gold.length} gold arcs above, ${arcs.system.length} system arcs below; ${wrong} gold arcs are not in the system's output as they are.`;
  }

  /** First column of the picture: near the first arc that differs. */
  function firstColumn(all, arcs) {
    if (all.length <= PAGE) return 0;
    const wrong = arcs.gold.find((arc) => arc.state !== "shared");
    const at = wrong ? all.findIndex((column) => column.gold.includes(wrong.word)) : 0;
    return Math.max(0, Math.min(all.length - PAGE, at - 10));
  }

  /** {svg, start, end, total} of a passage with words and a tree; `options`: start; shared (false hides what both have); asked (gold words to point out). */
  function draw(passage, options = {}) {
    const content = read(passage);
    const all = columns(passage, content);
    const judged = judge(passage);
    const start = options.start ?? firstColumn(all, judged);
    const shown = all.slice(start, start + PAGE);
    const arcs = {};
    const levels = {};
    for (const side of ["gold", "system"]) {
      const place = new Map(shown.flatMap((column) => column[side]).map((word, i) => [word, i]));
      const wanted =
        options.shared === false ? judged[side].filter((arc) => arc.state !== "shared") : judged[side];
      arcs[side] = cut(wanted, place);
      levels[side] = setLevels(arcs[side], place.size);
    }
    const layout = layOut(passage, shown, arcs);
    const top = 8 + levels.gold * STEP + 6;
    const band = bandOf(layout, top);
    const root = figure(
      "arcs",
      layout.width,
      band.bottom + levels.system * STEP + 14,
      describe(judged),
      content.rtl,
    );
    const flip = content.rtl ? (x) => layout.width - x : (x) => x;
    for (const [side, base, way] of [
      ["gold", band.top, -1],
      ["system", band.bottom, 1],
    ]) {
      setEnds(arcs[side], (word) => layout.centres[side].get(word));
      for (const arc of arcs[side])
        if (arc.arrives === undefined) arc.centre = layout.centres[side].get(arc.head);
      // What differs is drawn last, over what is shared.
      const order = { shared: 0, label: 1, only: 2 };
      for (const arc of [...arcs[side]].sort((a, b) => order[a.state] - order[b.state]))
        drawArc(root, arc, side, base, way, flip);
    }
    drawWords(root, layout, band, flip, options.asked || new Set());
    drawEnds(root, passage, content, layout, band, flip);
    return { svg: root, start, end: start + shown.length, total: all.length };
  }

  return { draw, PAGE };
})();
