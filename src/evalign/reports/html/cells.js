// A passage as cells: what of gold stands for what of the system, and where sentences end.
//
// All figures are laid out on cells, so that a word has the same neighbours in each of them.
"use strict";
window.evalign = window.evalign || {};
window.evalign.cells = (() => {
  const { measure, visible, shorten, isRightToLeft } = window.evalign.drawing;

  const GAP = 7; // between tokens of one cell
  const SIGNAL = 16; // room for a sentence boundary
  const MOST = 120; // tokens of a cell that are drawn; more than these stand for each other only by despair

  // An empty token is written as nothing between two spaces, so splitting gives it back.
  const split = (sentences) => sentences.flatMap((sentence) => sentence.split(" "));

  function ends(sentences) {
    const found = new Set();
    let tokens = 0;
    for (const sentence of sentences) {
      tokens += sentence.split(" ").length;
      found.add(tokens);
    }
    return found;
  }

  function kindOf(gold, system) {
    if (gold === 0) return "inserted";
    if (system === 0) return "missing";
    if (gold === 1) return system === 1 ? "rewritten" : "split";
    return system === 1 ? "merge" : "shifted";
  }

  /** The passage read once: tokens, where sentences end (numbers of tokens before it), cells, direction. */
  function read(passage) {
    const gold = split(passage.gold);
    const system = split(passage.system);
    const cells = [];
    let g = 0;
    let s = 0;
    const push = (kind, golds, systems) => {
      cells.push({ kind, gold: [g, g + golds], system: [s, s + systems] });
      g += golds;
      s += systems;
    };
    for (const group of passage.groups) {
      if (typeof group === "number") for (let i = 0; i < group; i += 1) push("right", 1, 1);
      else push(kindOf(group[0], group[1]), group[0], group[1]);
    }
    const text = passage.gold.length ? passage.gold.join(" ") : passage.system.join(" ");
    return {
      gold,
      system,
      cells,
      goldEnds: ends(passage.gold),
      systemEnds: ends(passage.system),
      rtl: isRightToLeft(text),
    };
  }

  // ---- the text of a cell --------------------------------------------------------------------

  const title = (cell, content) => {
    const words = (tokens, [from, to]) =>
      tokens
        .slice(from, to)
        .map((token) => (token === "" ? "\u2205" : token))
        .join(" ");
    if (cell.kind === "right") return `${words(content.gold, cell.gold)}`;
    const gold = cell.gold[0] < cell.gold[1] ? `gold: ${words(content.gold, cell.gold)}` : "not in gold";
    const system =
      cell.system[0] < cell.system[1]
        ? `system: ${words(content.system, cell.system)}`
        : "not in the system's output";
    return `${cell.kind}\n${gold}\n${system}`;
  };

  const offsets = (tokens) => {
    const found = [0];
    for (const token of tokens) found.push(found[found.length - 1] + token.length);
    return found;
  };

  /**
   * A cell as pieces that fit on a line. Where both texts are equal a piece shows the text once and
   * has the tokens of either side as stretches of it; where not, it shows gold above the system.
   * A piece: {cell, width, texts: [{text, x, width, side}], gold: [[x, x, token]], system: likewise,
   * marks: [{x, side}], goldEnd, systemEnd}. `room`: {line, token, size}, widths at which lines and tokens are cut.
   */
  function pieces(cell, content, room) {
    const most = (from, to) => [from, Math.min(to, from + MOST)];
    const drawn = { ...cell, gold: most(...cell.gold), system: most(...cell.system) };
    const gold = content.gold.slice(...drawn.gold);
    const system = content.system.slice(...drawn.system);
    const same = gold.length && system.length && gold.join("") !== "" && gold.join("") === system.join("");
    const made = same ? once(drawn, gold, system, content, room) : twice(drawn, gold, system, content, room);
    const last = made[made.length - 1];
    last.hidden = Math.max(cell.gold[1] - drawn.gold[1], cell.system[1] - drawn.system[1]);
    last.goldEnd = !last.hidden && gold.length > 0 && content.goldEnds.has(cell.gold[1]);
    last.systemEnd = !last.hidden && system.length > 0 && content.systemEnds.has(cell.system[1]);
    for (const part of made) part.cell = cell;
    return made;
  }

  const piece = (cell, stacked) => ({
    cell,
    stacked,
    width: 0,
    texts: [],
    gold: [],
    system: [],
    marks: [],
    goldEnd: false,
    systemEnd: false,
  });

  // The text once: cut into atoms at every boundary of either side, shown joined so that letters keep
  // their forms, with room only at sentence boundaries.
  function once(cell, gold, system, content, { line, token, size }) {
    const text = gold.join("");
    const goldCuts = offsets(gold);
    const systemCuts = offsets(system);
    const cuts = [...new Set([...goldCuts, ...systemCuts])].sort((a, b) => a - b);
    const goldSignals = signals(cell.gold[0], gold.length, goldCuts, content.goldEnds);
    const systemSignals = signals(cell.system[0], system.length, systemCuts, content.systemEnds);
    const found = [];
    let current = null;
    let run = null;
    for (let i = 0; i + 1 < cuts.length; i += 1) {
      const from = cuts[i];
      const to = cuts[i + 1];
      const raw = text.slice(from, to);
      const shown = shorten(current ? inner(raw) : visible(raw), token, size);
      const width = measure(shown, size);
      if (!current || current.width + width > line) {
        current = piece(cell, false);
        current.starts = new Map();
        current.ends = new Map();
        found.push(current);
        run = null;
      }
      if (!run) {
        run = { text: "", x: current.width, width: 0, side: "both" };
        current.texts.push(run);
      }
      place(current, run, shown, from, to, size);
      const side = (goldSignals.has(to) ? 1 : 0) + (systemSignals.has(to) ? 2 : 0);
      if (side) {
        current.marks.push({ x: current.width + SIGNAL / 2, side: ["", "gold", "system", "both"][side] });
        current.width += SIGNAL;
        run = null;
      }
    }
    for (const part of found) {
      stretch(part, cell, goldCuts, systemCuts);
      turn(part, content.rtl);
    }
    return found;
  }

  // A Hebrew word in an English passage still runs from right to left: its stretches are mirrored inside it.
  function turn(part, rtl) {
    for (const run of part.texts) {
      if (isRightToLeft(run.text) === rtl || !/\p{L}/u.test(run.text)) continue;
      const mirror = (stretches) =>
        stretches.map(([from, to, token]) =>
          from < run.x || to > run.x + run.width
            ? [from, to, token]
            : [2 * run.x + run.width - to, 2 * run.x + run.width - from, token],
        );
      part.gold = mirror(part.gold);
      part.system = mirror(part.system);
    }
  }

  // Inside a text a mark has its letter before it, so it needs no circle.
  const inner = (raw) => (/^\p{M}/u.test(raw) ? visible(`x${raw}`).slice(1) : visible(raw));

  // Widths of beginnings, not sums of parts: kerning and joined letters make those differ.
  function place(current, run, shown, from, to, size) {
    current.starts.set(from, run.x + run.width);
    run.text += shown;
    run.width = Math.max(measure(run.text, size), run.width + 2); // a lone mark still gets a stretch one can see
    current.ends.set(to, run.x + run.width);
    current.width = run.x + run.width;
  }

  function signals(first, count, cuts, ends) {
    const found = new Set();
    for (let i = 1; i < count; i += 1) if (ends.has(first + i)) found.add(cuts[i]);
    return found;
  }

  // Tokens as stretches of the piece; one that goes on in the next piece ends at the edge.
  function stretch(part, cell, goldCuts, systemCuts) {
    const from = Math.min(...part.starts.keys());
    const to = Math.max(...part.ends.keys());
    const cut = (cuts, first) => {
      const found = [];
      for (let i = 0; i + 1 < cuts.length; i += 1) {
        if (
          cuts[i + 1] < from ||
          cuts[i] > to ||
          (cuts[i] === to && cuts[i + 1] > to) ||
          (cuts[i + 1] === from && cuts[i] < from)
        )
          continue;
        const start = part.starts.get(Math.max(cuts[i], from));
        const end = part.ends.get(Math.min(cuts[i + 1], to));
        if (start !== undefined && end !== undefined && end > start) found.push([start, end, first + i]);
      }
      return found;
    };
    part.gold = cut(goldCuts, cell.gold[0]);
    part.system = cut(systemCuts, cell.system[0]);
  }

  // Both texts, gold above: each broken into as many lines as the longer needs.
  function twice(cell, gold, system, content, room) {
    const golds = rows(gold, cell.gold[0], content.goldEnds, room);
    const systems = rows(system, cell.system[0], content.systemEnds, room);
    const found = [];
    for (let i = 0; i < Math.max(golds.length, systems.length, 1); i += 1) {
      const part = piece(cell, gold.length > 0 && system.length > 0);
      const upper = golds[i] || { items: [], marks: [], width: 0 };
      const lower = systems[i] || { items: [], marks: [], width: 0 };
      part.width = Math.max(upper.width, lower.width);
      settle(part, upper, "gold");
      settle(part, lower, "system");
      found.push(part);
    }
    return found;
  }

  function rows(tokens, first, ends, { line, token, size }) {
    const found = [];
    let row = null;
    tokens.forEach((raw, i) => {
      const text = shorten(visible(raw), token, size);
      const width = measure(text, size);
      if (!row || row.width + GAP + width > line) {
        row = { items: [], marks: [], width: 0 };
        found.push(row);
      }
      const x = row.items.length ? row.width + GAP : 0;
      row.items.push({ text, x, width, token: first + i });
      row.width = x + width;
      if (i + 1 < tokens.length && ends.has(first + i + 1)) {
        row.marks.push(row.width + SIGNAL / 2);
        row.width += SIGNAL - GAP;
      }
    });
    return found;
  }

  function settle(part, row, side) {
    const shift = (part.width - row.width) / 2;
    for (const item of row.items) {
      part.texts.push({ text: item.text, x: item.x + shift, width: item.width, side });
      part[side].push([item.x + shift, item.x + shift + item.width, item.token]);
    }
    for (const x of row.marks) part.marks.push({ x: x + shift, side });
  }

  /** For each token of one side the number of its cell. */
  function cellsOf(content, side) {
    const found = [];
    content.cells.forEach((cell, i) => {
      for (let t = cell[side][0]; t < cell[side][1]; t += 1) found.push(i);
    });
    return found;
  }

  return { GAP, SIGNAL, read, pieces, title, cellsOf };
})();
