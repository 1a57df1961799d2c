// What all figures share: making elements, measuring text, making odd characters visible.
//
// Text from the input reaches the page through textContent only, so it is never markup.
"use strict";
window.evalign = window.evalign || {};
window.evalign.drawing = (() => {
  const SVG = "http://www.w3.org/2000/svg";
  // The same stack and sizes as in passages.css: what the canvas measures is what the page shows.
  const FAMILY = 'system-ui, -apple-system, "Segoe UI", "Noto Sans", "Helvetica Neue", Arial, sans-serif';
  const SIZES = { text: 15, small: 12, tiny: 10.5 };

  // ---- elements ------------------------------------------------------------------------------

  function fill(element, attributes, children) {
    for (const [name, value] of Object.entries(attributes || {})) {
      if (value === undefined || value === null || value === false) continue;
      element.setAttribute(name, value === true ? "" : String(value));
    }
    for (const child of children) {
      if (child === null || child === undefined) continue;
      element.append(child); // a string becomes a text node
    }
    return element;
  }

  const html = (name, attributes, ...children) => fill(document.createElement(name), attributes, children);
  const svg = (name, attributes, ...children) =>
    fill(document.createElementNS(SVG, name), attributes, children);

  /** The root of a figure: its size in pixels, and a description for those who do not see it. */
  function figure(name, width, height, description, rtl = false) {
    const w = Math.ceil(width);
    const h = Math.ceil(height);
    return svg("svg", {
      class: `pv-svg pv-${name}`,
      xmlns: SVG,
      width: w,
      height: h,
      viewBox: `0 0 ${w} ${h}`,
      role: "img",
      "aria-label": description,
      "data-rtl": rtl,
      "font-family": FAMILY,
      "font-size": SIZES.text,
    });
  }

  // Patterns are looked up by id in the whole document, so each figure makes its own.
  let patterns = 0;

  /** A hatching in a colour of the style sheet; gives the value for `fill`. */
  function hatch(root, className) {
    const id = `pv-hatch-${(patterns += 1)}`;
    const pattern = svg("pattern", {
      id,
      width: 6,
      height: 6,
      patternUnits: "userSpaceOnUse",
      patternTransform: "rotate(45)",
    });
    pattern.append(svg("rect", { class: `${className} pv-hatch-ground`, width: 6, height: 6 }));
    pattern.append(svg("rect", { class: `${className} pv-hatch-line`, width: 1.6, height: 6 }));
    let definitions = root.querySelector("defs");
    if (!definitions) {
      definitions = svg("defs");
      root.prepend(definitions);
    }
    definitions.append(pattern);
    return `url(#${id})`;
  }

  // ---- measuring -----------------------------------------------------------------------------

  const canvas = document.createElement("canvas").getContext("2d");
  const widths = new Map();

  /** Width in pixels. Kept, because a text has few distinct words; dropped when there are many. */
  function measure(text, size = "text", weight = "") {
    const key = `${size}${weight}\n${text}`;
    const known = widths.get(key);
    if (known !== undefined) return known;
    if (widths.size > 50000) widths.clear();
    canvas.font = `${weight} ${SIZES[size]}px ${FAMILY}`;
    const width = canvas.measureText(text).width;
    widths.set(key, width);
    return width;
  }

  // ---- characters ----------------------------------------------------------------------------

  const NAMES = {
    0x00a0: "NBSP",
    0x00ad: "SHY",
    0x034f: "CGJ",
    0x061c: "ALM",
    0x180e: "MVS",
    0x200b: "ZWSP",
    0x200c: "ZWNJ",
    0x200d: "ZWJ",
    0x200e: "LRM",
    0x200f: "RLM",
    0x2028: "LS",
    0x2029: "PS",
    0x202a: "LRE",
    0x202b: "RLE",
    0x202c: "PDF",
    0x202d: "LRO",
    0x202e: "RLO",
    0x202f: "NNBSP",
    0x2060: "WJ",
    0x2066: "LRI",
    0x2067: "RLI",
    0x2068: "FSI",
    0x2069: "PDI",
    0xfeff: "BOM",
    0xfffc: "OBJ",
  };
  // Everything that shows nothing or steers the text around it: controls, separators, formats, private tags.
  const HIDDEN = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\u00a0\u034f\u202f\ufffc]/gu;
  const JOINABLE = /[\p{L}\p{M}\p{Extended_Pictographic}\p{Emoji_Modifier}\ufe0f]/u;

  function symbol(character) {
    const code = character.codePointAt(0);
    if (code < 0x20) return String.fromCodePoint(0x2400 + code); // ␀ and its kin
    if (code === 0x7f) return "\u2421";
    const name = NAMES[code] || code.toString(16).toUpperCase().padStart(4, "0");
    return `\u2022${name}\u2022`;
  }

  // Joiners shape emoji and Persian words; tags make flags: there they are seen by their effect.
  function shapes(text, at, character) {
    const code = character.codePointAt(0);
    if (code >= 0xe0020 && code <= 0xe007f) return true;
    if (code >= 0x0600 && code <= 0x0605) return true; // Arabic number signs have a form of their own
    if (code !== 0x200c && code !== 0x200d) return false;
    const before = Array.from(text.slice(Math.max(0, at - 2), at)).pop() || "";
    const after = Array.from(text.slice(at + 1, at + 3))[0] || "";
    return JOINABLE.test(before) && JOINABLE.test(after) && !/[A-Za-z]/.test(before);
  }

  /** A token as it is drawn: nothing invisible, nothing that turns its neighbours round. */
  function visible(text) {
    if (text === "") return "\u2205";
    // A mark without its letter gets the dotted circle of the code charts.
    const carried = /^\p{M}/u.test(text) ? `\u25cc${text}` : text;
    return carried.replace(HIDDEN, (character, at) =>
      shapes(carried, at, character) ? character : symbol(character),
    );
  }

  /** A text with every hidden character spelt out, joiners too. */
  const spelled = (text) => text.replace(HIDDEN, symbol);

  const segmenter =
    typeof Intl !== "undefined" && Intl.Segmenter
      ? new Intl.Segmenter(undefined, { granularity: "grapheme" })
      : null;
  const graphemes = (text) =>
    segmenter ? Array.from(segmenter.segment(text), (part) => part.segment) : Array.from(text);

  /** A long text cut in its middle to a width, between characters as people see them. */
  function shorten(text, limit, size = "text") {
    if (text.length <= 12) return text;
    // What is very long is not measured whole; both ends are enough to fill any line.
    if (text.length <= 400 && measure(text, size) <= limit) return text;
    const ends = text.length <= 400 ? graphemes(text) : null;
    const head = ends || graphemes(text.slice(0, 200));
    const tail = ends || graphemes(text.slice(-200));
    let kept = Math.max(2, Math.floor(Math.min(head.length, tail.length) / 2) - 1);
    const cut = () => `${head.slice(0, kept).join("")}\u2026${tail.slice(-kept).join("")}`;
    let shown = cut();
    while (kept > 2 && measure(shown, size) > limit) {
      kept = Math.max(2, Math.floor(kept * Math.min(0.9, limit / measure(shown, size))));
      shown = cut();
    }
    return shown;
  }

  const RIGHT_TO_LEFT = /[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc\u{10800}-\u{10fff}\u{1e800}-\u{1efff}]/gu;
  const LETTER = /\p{L}/gu;

  /** Whether most letters are of a script written from right to left. */
  function isRightToLeft(text) {
    const sample = text.slice(0, 2000);
    const right = (sample.match(RIGHT_TO_LEFT) || []).length;
    return right > 0 && right * 2 > (sample.match(LETTER) || []).length;
  }

  // ---- text in a figure ----------------------------------------------------------------------

  /**
   * One text, centred at x. Centring makes its place the same whichever way it runs;
   * `direction` and isolation keep brackets and digits on the right side of it.
   */
  function label(text, x, baseline, className, size = "text") {
    return svg(
      "text",
      {
        class: `${className} pv-size-${size}`,
        x: round(x),
        y: round(baseline),
        "text-anchor": "middle",
        // Also where a style sheet does not reach: in a figure that was saved.
        "font-size": SIZES[size],
        "paint-order": "stroke",
        direction: isRightToLeft(text) ? "rtl" : "ltr",
        "unicode-bidi": "isolate",
      },
      text,
    );
  }

  const round = (number) => Math.round(number * 10) / 10;
  const title = (text) => svg("title", {}, text.length > 2000 ? `${text.slice(0, 2000)}\u2026` : text);

  // ---- glyphs of the kinds of errors ---------------------------------------------------------

  // In a box of 14 by 14. A kind is told by its form; colour comes on top.
  const GLYPHS = {
    split: ["path", { d: "M1 3H13V11H9L7 7L5 11H1Z" }], // notch below: the system cut
    merge: ["path", { d: "M1 3H5L7 7L9 3H13V11H1Z" }], // notch above: gold cuts here
    shifted: ["path", { d: "M1 9L4 4L7 10L10 4L13 9", class: "pv-open" }],
    rewritten: ["path", { d: "M1 3H13V11H1ZM1 8L6 3M4 11L12 3M9 11L13 7", class: "pv-open" }],
    missing: ["rect", { x: 1.5, y: 3, width: 11, height: 8, class: "pv-open" }],
    inserted: ["rect", { x: 1.5, y: 3, width: 11, height: 8, class: "pv-open", "stroke-dasharray": "1.6 1.6" }],
    confused: ["path", { d: "M1 3H9L13 7L9 11H1Z" }],
    label: ["path", { d: "M1 3H9L13 7L9 11H1Z" }],
    head: ["path", { d: "M2 12V7Q2 3 7 3Q12 3 12 7V11M9.5 8.5L12 11.5L14 8.5", class: "pv-open" }],
    both: ["path", { d: "M7 1L13 7L7 13L1 7Z" }],
    crossing: ["path", { d: "M2 2L12 12M12 2L2 12", class: "pv-open pv-heavy" }],
  };

  function glyph(kind) {
    const [name, attributes] = GLYPHS[kind] || ["circle", { cx: 7, cy: 7, r: 4 }];
    const shape = svg(name, { ...attributes, class: `pv-shape ${attributes.class || ""}` });
    return svg(
      "svg",
      {
        class: `pv-glyph pv-kind-${GLYPHS[kind] ? kind : "other"}`,
        width: 14,
        height: 14,
        viewBox: "0 0 14 14",
        "aria-hidden": "true",
      },
      shape,
    );
  }

  return {
    FAMILY,
    SIZES,
    html,
    svg,
    figure,
    hatch,
    measure,
    visible,
    spelled,
    shorten,
    isRightToLeft,
    label,
    title,
    round,
    glyph,
  };
})();
