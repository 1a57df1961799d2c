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

  /** Puts a section and what is chosen in it into the address; as a new one to go back from, or in place of the last. */
  function write(view, values, isSmall = false) {
    if (isApplying) return;
    clearTimeout(waiting);
    const all = runs && view !== "parts" ? { run: runs.names[runs.current()], ...values } : values;
    const query = new URLSearchParams(Object.entries(all).filter(([, value]) => value !== null)).toString();
    const hash = `#${view}${query ? `?${query}` : ""}`;
    const put = () => {
      try {
        if (hash !== location.hash) history[isSmall ? "replaceState" : "pushState"](null, "", hash);
      } catch {
        // A browser may refuse, or say that there were too many: the address stays as it was.
      }
    };
    if (isSmall) waiting = setTimeout(put, PAUSE);
    else put();
  }

  function restore() {
    const found = parse(location.hash);
    const wasLink = isLink;
    isLink = false;
    clearTimeout(waiting);
    if (!found) return;
    if (wasLink) {
      // A link of the page leads to a section as it is: say how it is.
      const entry = entries.find((each) => each.view === found.view && isShown(each));
      if (found.view) write(found.view, entry ? entry.read() : {}, true);
      return;
    }
    apply(() => {
      const run = runs ? runs.names.indexOf(found.values.get("run")) : -1;
      if (runs && (run >= 0 || !found.view)) runs.show(Math.max(0, run));
      // Without a section the page is as it was at first.
      for (const entry of entries.filter(isShown))
        if (entry.view === found.view) entry.apply(found.values);
        else if (!found.view && JSON.stringify(entry.read()) !== entry.first) entry.apply(found.values);
    });
    if (found.section && [...found.values].length && !found.section.contains(document.activeElement))
      found.section.scrollIntoView({ block: "start", behavior: "instant" });
  }

  /** Something that can be restored. If the address speaks of it already, it is. */
  function add(entry) {
    entries.push({ ...entry, first: JSON.stringify(entry.read()) });
    const found = hasBegun ? parse(location.hash) : null;
    if (found && found.view === entry.view && isShown(entry) && [...found.values].length)
      apply(() => entry.apply(found.values));
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
    view: () => (parse(location.hash) || {}).view || "",
  };
})();
