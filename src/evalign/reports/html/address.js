// The address: what is looked at stands behind the #, so that it can be copied, sent and gone back to.
//
// #passages?system=two&metric=las&kind=head&passage=1204: a section, and what is chosen in it. Names that nothing on the
// page has are ignored, and nothing of an address is ever made into elements.
"use strict";
window.evalign = window.evalign || {};
window.evalign.address = (() => {
  const LONGEST = 4000; // characters; a longer address is none of this page
  const PAUSE = 250; // milliseconds without a change before the address follows typing or moving

  const entries = []; // what can be restored: {view, run, read(), apply(values), first}
  let runs = null; // {names, current(), show(number)} where there are several
  let isApplying = false;
  let hasBegun = false;
  let isLink = false; // the last change of the address came from a link of the page
  let waiting = 0;

  /** Section and values of an address; null where it is none of this page. */
  function parse(hash) {
    const [view, ...rest] = hash.slice(1).split("?");
    if (hash.length > LONGEST) return null;
    const section = view && document.getElementById(view);
    if (view && !(section && section.matches("main section"))) return null;
    return { view, section, values: new URLSearchParams(rest.join("?")) };
  }

  const isShown = (entry) => entry.run === null || !runs || entry.run === runs.current();

  function apply(act) {
    isApplying = true;
    try {
      act();
    } finally {
      isApplying = false;
    }
  }

  const viewOf = (hash) => (parse(hash) || {}).view || "";

  /**
   * Puts a section and what is chosen in it into the address, as a new one to go back from. What is small, as typing and
   * moving are, takes the place of the last one if that is of the same section.
   */
  function write(view, values, isSmall = false) {
    if (isApplying) return;
    clearTimeout(waiting);
    const all = runs && view !== "parts" ? { run: runs.names[runs.current()], ...values } : values;
    const query = new URLSearchParams(Object.entries(all).filter(([, value]) => value !== null)).toString();
    const hash = `#${view}${query ? `?${query}` : ""}`;
    const before = location.hash;
    const put = () => {
      // Someone went back or forward during the pause: what was looked at then is not where they are now.
      if (location.hash !== before) return;
      try {
        const isNew = !isSmall || viewOf(location.hash) !== view;
        if (hash !== location.hash) history[isNew ? "pushState" : "replaceState"](null, "", hash);
      } catch {
        // A browser may refuse, or say that there were too many: the address stays as it was.
      }
    };
    if (isSmall) waiting = setTimeout(put, PAUSE);
    else put();
  }

  function restore() {
    const asked = parse(location.hash);
    const wasLink = isLink;
    isLink = false;
    clearTimeout(waiting);
    if (!asked) return;
    if (wasLink) {
      // A link of the page leads to a section as it is: say how it is.
      const entry = entries.find((each) => each.view === asked.view && isShown(each));
      if (asked.view) write(asked.view, entry ? entry.read() : {}, true);
      return;
    }
    apply(() => {
      const run = runs ? runs.names.indexOf(asked.values.get("run")) : -1;
      if (runs && (run >= 0 || !asked.view)) runs.show(Math.max(0, run));
      // Without a section the page is as it was at first.
      for (const entry of entries.filter(isShown))
        if (entry.view === asked.view) entry.apply(asked.values);
        else if (!asked.view && JSON.stringify(entry.read()) !== entry.first) entry.apply(asked.values);
    });
    if (asked.section && [...asked.values].length && !asked.section.contains(document.activeElement))
      asked.section.scrollIntoView({ block: "start", behavior: "instant" });
  }

  /** Something that can be restored. If the address speaks of it already, it is. */
  function add(entry) {
    entries.push({ ...entry, first: JSON.stringify(entry.read()) });
    const asked = hasBegun ? parse(location.hash) : null;
    if (asked && asked.view === entry.view && isShown(entry) && [...asked.values].length)
      apply(() => entry.apply(asked.values));
  }

  document.addEventListener("click", (event) => {
    const link = event.target.closest('a[href^="#"]');
    isLink = link !== null && link.getAttribute("href") !== location.hash;
  });
  addEventListener("hashchange", restore);
  document.addEventListener("DOMContentLoaded", () => {
    hasBegun = true;
    restore();
  });

  return {
    add,
    write,
    setRuns: (given) => { runs = given; },
    /** The section that the address speaks of. */
    view: () => viewOf(location.hash),
  };
})();
