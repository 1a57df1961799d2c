// Which passages are shown: an index of all errors, and filters over it.
//
// Errors stand in columns of numbers, one number per distinct value, so that a hundred thousand of
// them are gone through in a few milliseconds; texts in lower case are made while nobody waits.
"use strict";
window.evalign = window.evalign || {};
window.evalign.filters = (() => {
  const FACETS = ["metric", "kind", "trigger"];
  const ANY = -1;
  const NOWHERE = -2; // a value that no error has
  const PAIRS = 2 ** 26; // two numbers in one; exact below 2 ** 53

  class Vocabulary {
    constructor() {
      this.names = [];
      this.numbers = new Map();
    }

    add(name) {
      const known = this.numbers.get(name);
      if (known !== undefined) return known;
      this.numbers.set(name, this.names.length);
      this.names.push(name);
      return this.names.length - 1;
    }

    wanted(name) {
      if (name === null) return ANY;
      return this.numbers.get(name) ?? NOWHERE;
    }
  }

  /** Some tokens of a passage, found by counting spaces: cutting up all of it would take ten times as long. */
  function tokensBetween(sentences, from, to) {
    const text = sentences.length === 1 ? sentences[0] : sentences.join(" ");
    const skip = (start, count) => {
      let at = start;
      for (let i = 0; i < count && at >= 0; i += 1) at = text.indexOf(" ", at) + 1 || -1;
      return at;
    };
    if (to <= from || !sentences.length) return "";
    const start = skip(0, from);
    if (start < 0) return "";
    const end = skip(start, to - from);
    return end < 0 ? text.slice(start) : text.slice(start, end - 1);
  }

  /** Whether the numbers of an error count words: those of labels do, brackets aside. */
  const countsWords = (passage, error) =>
    Boolean(error.labels) && error.metric !== "brackets" && Boolean(passage.words);

  /** What stands at an error, on both sides. */
  function textOf(passage, error) {
    const of = (side) => {
      if (countsWords(passage, error)) return passage.words[side].slice(...error[side]).join(" ");
      return tokensBetween(passage[side], ...error[side]);
    };
    return [of("gold"), of("system")];
  }

  function index(passages) {
    const { list } = passages;
    const starts = new Uint32Array(list.length + 1);
    list.forEach((passage, i) => (starts[i + 1] = starts[i] + passage.errors.length));
    const count = starts[list.length];
    const found = {
      list,
      total: passages.total,
      kept: list.length,
      starts,
      vocabularies: {
        metric: new Vocabulary(),
        kind: new Vocabulary(),
        trigger: new Vocabulary(),
        gold: new Vocabulary(),
        system: new Vocabulary(),
      },
      columns: {
        metric: new Int32Array(count),
        kind: new Int32Array(count),
        trigger: new Int32Array(count),
        gold: new Int32Array(count).fill(NOWHERE),
        system: new Int32Array(count).fill(NOWHERE),
      },
      texts: [],
      lengths: Uint32Array.from(
        list,
        (passage) => passage.gold.reduce((sum, sentence) => sum + sentence.length + 1, 0) || 20,
      ),
      spelt: new Set(), // metrics without labels whose words have been filed
      hasTree: list.some((passage) => passage.tree && passage.tree.gold_heads),
      hasBrackets: list.some((passage) => passage.brackets),
    };
    const { columns, vocabularies } = found;
    let row = 0;
    for (const passage of list) {
      for (const error of passage.errors) {
        for (const facet of FACETS) columns[facet][row] = vocabularies[facet].add(error[facet] || "");
        if (error.labels) {
          columns.gold[row] = vocabularies.gold.add(error.labels[0]);
          columns.system[row] = vocabularies.system.add(error.labels[1]);
        }
        row += 1;
      }
    }
    return found;
  }

  // Tokens have no labels; their pair is what they say. Filed when a metric of them is looked at.
  function spell(found, metric) {
    const number = found.vocabularies.metric.wanted(metric);
    if (number < 0 || metric === "sentences" || found.spelt.has(metric)) return;
    found.spelt.add(metric);
    const { columns, vocabularies } = found;
    found.list.forEach((passage, p) => {
      for (let row = found.starts[p]; row < found.starts[p + 1]; row += 1) {
        if (columns.metric[row] !== number || columns.gold[row] !== NOWHERE) continue;
        const [gold, system] = textOf(passage, passage.errors[row - found.starts[p]]);
        columns.gold[row] = vocabularies.gold.add(gold);
        columns.system[row] = vocabularies.system.add(system);
      }
    });
  }

  /** Texts in lower case: all that are missing, or some of them while nobody waits. Gives whether all are there. */
  function prepare(found, most = Infinity) {
    const end = Math.min(found.list.length, found.texts.length + most);
    for (let p = found.texts.length; p < end; p += 1) {
      const passage = found.list[p];
      found.texts.push(`${passage.gold.join(" ")}\n${passage.system.join(" ")}`.toLowerCase());
    }
    return end === found.list.length;
  }

  /** A test of a passage's text: part of it, or /pattern/; throws SyntaxError on a bad pattern. */
  function textTest(query, found) {
    const pattern = /^\/(.+)\/$/su.exec(query);
    if (!query) return null;
    if (!pattern) {
      prepare(found);
      const all = found.texts;
      const part = query.toLowerCase();
      return (p) => all[p].includes(part);
    }
    const expression = new RegExp(pattern[1], "iu");
    return (p) =>
      [...found.list[p].gold, ...found.list[p].system].some((sentence) => expression.test(sentence));
  }

  // Units whose name is the one asked for, or else has it in it; whose number is in a range; whose fields are right.
  function unitTest(state, unit) {
    const fields = Object.entries(state.fields || {}).filter(([, value]) => value !== "");
    if (!state.unit && !state.units && !fields.length) return null;
    const [from, to] = state.units || [0, Infinity];
    const asked = state.unit.toLowerCase();
    const exact = unit.names.includes(state.unit);
    const allowed = unit.names.map((name, i) => {
      const named = !asked || (exact ? name === state.unit : name.toLowerCase().includes(asked));
      return (
        named &&
        i >= from &&
        i < to &&
        fields.every(([field, value]) => (unit.fields[field] || [])[i] === value)
      );
    });
    return (number) => Boolean(allowed[number]);
  }

  // Of metrics, kinds and triggers "" is any; of labels null is, for "" is what a side has that has none.
  function wantedOf(found, state) {
    const wanted = {};
    for (const name of FACETS) wanted[name] = found.vocabularies[name].wanted(state[name] || null);
    for (const name of ["gold", "system"]) wanted[name] = found.vocabularies[name].wanted(state[name]);
    return wanted;
  }

  function matches(found, wanted, row) {
    for (const name in wanted)
      if (wanted[name] !== ANY && found.columns[name][row] !== wanted[name]) return false;
    return true;
  }

  /**
   * Passages with an error that has all that is asked for, in the order of the text; how many such
   * errors there are; and, per filter, how many there would be for each of its values.
   */
  function apply(found, state, unit) {
    if (state.metric) spell(found, state.metric);
    const wanted = wantedOf(found, state);
    const inText = textTest(state.text, found);
    const inUnit = unitTest(state, unit);
    const rows = [];
    const tallies = { pair: new Map() };
    for (const facet of FACETS) tallies[facet] = new Uint32Array(found.vocabularies[facet].names.length);
    let errors = 0;
    for (let p = 0; p < found.list.length; p += 1) {
      if (inUnit && !inUnit(found.list[p].unit)) continue;
      if (inText && !inText(p)) continue;
      let hits = 0;
      for (let row = found.starts[p]; row < found.starts[p + 1]; row += 1)
        hits += tally(found.columns, wanted, row, tallies);
      if (hits) rows.push(p);
      errors += hits;
    }
    return { rows, errors, tallies: named(found, tallies) };
  }

  // An error that only one filter keeps out still counts for the other values of that filter; choosing
  // another metric drops the filters below it, so metrics count all their errors.
  function tally(columns, wanted, row, tallies) {
    const metric = columns.metric[row];
    tallies.metric[metric] += 1;
    if (wanted.metric !== ANY && metric !== wanted.metric) return 0;
    const kind = columns.kind[row];
    const trigger = columns.trigger[row];
    const gold = columns.gold[row];
    const system = columns.system[row];
    const hasKind = wanted.kind === ANY || kind === wanted.kind;
    const hasTrigger = wanted.trigger === ANY || trigger === wanted.trigger;
    const hasPair =
      (wanted.gold === ANY || gold === wanted.gold) && (wanted.system === ANY || system === wanted.system);
    if (hasTrigger && hasPair) tallies.kind[kind] += 1;
    if (hasKind && hasPair) tallies.trigger[trigger] += 1;
    if (hasKind && hasTrigger && gold >= 0)
      tallies.pair.set(gold * PAIRS + system, (tallies.pair.get(gold * PAIRS + system) || 0) + 1);
    return hasKind && hasTrigger && hasPair ? 1 : 0;
  }

  function named(found, tallies) {
    const byCount = (a, b) => b.count - a.count;
    const result = {};
    for (const facet of FACETS) {
      const { names } = found.vocabularies[facet];
      result[facet] = names
        .map((value, number) => ({ value, count: tallies[facet][number] }))
        .filter((entry) => entry.value !== "" && entry.count);
      if (facet !== "metric") result[facet].sort(byCount);
    }
    const { gold, system } = found.vocabularies;
    result.pair = [...tallies.pair]
      .map(([key, count]) => ({
        gold: gold.names[Math.floor(key / PAIRS)],
        system: system.names[key % PAIRS],
        count,
      }))
      .sort(byCount);
    return result;
  }

  /** Errors of one passage that the filters ask for. */
  function matching(found, state, p) {
    const wanted = wantedOf(found, state);
    return found.list[p].errors.filter((_, i) => matches(found, wanted, found.starts[p] + i));
  }

  return { index, apply, matching, prepare, textOf, countsWords };
})();
