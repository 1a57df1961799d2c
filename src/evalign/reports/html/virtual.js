// A list of any length of which only the rows in view are in the page.
//
// Rows have different heights, known only once they are drawn. Until then an estimate stands for them;
// sums of heights are kept in a Fenwick tree, so that finding a row or changing its height takes
// log n steps. When a row above the view turns out higher than thought, the view moves with it.
"use strict";
window.evalign = window.evalign || {};
window.evalign.VirtualList = (() => {
  const OVERSCAN = 600; // pixels drawn beyond either edge
  const TALLEST = 8e6; // browsers stop somewhere above ten million pixels

  class Heights {
    constructor(values) {
      this.values = values;
      this.tree = new Float64Array(values.length + 1);
      for (let i = 1; i <= values.length; i += 1) {
        this.tree[i] += values[i - 1];
        const next = i + (i & -i);
        if (next <= values.length) this.tree[next] += this.tree[i];
      }
    }

    /** Sets one height; gives by how much it changed. */
    set(index, value) {
      const change = value - this.values[index];
      this.values[index] = value;
      for (let i = index + 1; i < this.tree.length; i += i & -i) this.tree[i] += change;
      return change;
    }

    /** Where a row begins. */
    top(index) {
      let sum = 0;
      for (let i = index; i > 0; i -= i & -i) sum += this.tree[i];
      return sum;
    }

    /** The row at a height from the top. */
    find(offset) {
      let index = 0;
      let left = offset;
      for (let bit = 2 ** Math.floor(Math.log2(this.tree.length)); bit >= 1; bit /= 2) {
        if (index + bit < this.tree.length && this.tree[index + bit] <= left) {
          index += bit;
          left -= this.tree[index];
        }
      }
      return Math.min(index, this.values.length - 1);
    }
  }

  return class VirtualList {
    /** `make(index)` gives a row's element. */
    constructor(scroller, make) {
      this.scroller = scroller;
      this.make = make;
      this.body = document.createElement("div");
      this.body.className = "pv-body";
      scroller.append(this.body);
      this.rows = new Map();
      this.count = 0;
      this.heights = new Heights(new Float64Array(0));
      this.pinned = -1; // a row that stays though it is out of view: the one with the focus
      this.waiting = 0;
      scroller.addEventListener("scroll", () => this.schedule(), { passive: true });
      // Rows change by themselves: details open, gaps open, fonts arrive.
      this.observer = new ResizeObserver(() => this.schedule());
      this.observer.observe(scroller);
    }

    /** A new list, of so many rows as there are guesses at their heights. */
    reset(guesses) {
      for (const index of [...this.rows.keys()]) this.remove(index);
      this.count = guesses.length;
      // Guesses are pressed together where the list would grow taller than a browser can show.
      const total = guesses.reduce((sum, height) => sum + height, 0);
      const scale = total > TALLEST ? TALLEST / total : 1;
      this.heights = new Heights(scale < 1 ? guesses.map((height) => height * scale) : guesses);
      this.pinned = -1;
      this.scroller.scrollTop = 0;
      this.update();
    }

    schedule() {
      if (this.waiting) return;
      this.waiting = requestAnimationFrame(() => {
        this.waiting = 0;
        this.update();
      });
    }

    remove(index) {
      const row = this.rows.get(index);
      if (!row) return;
      this.observer.unobserve(row);
      row.remove();
      this.rows.delete(index);
    }

    /** Makes a row anew, in its place. */
    redraw(index) {
      const old = this.rows.get(index);
      if (!old) return;
      const hadFocus = old.contains(document.activeElement);
      this.remove(index);
      this.update();
      const made = this.rows.get(index);
      if (hadFocus && made) made.focus({ preventScroll: true });
    }

    redrawAll() {
      for (const index of [...this.rows.keys()]) {
        if (this.rows.get(index).contains(document.activeElement)) this.refocus = index;
        this.remove(index);
      }
      this.update();
      const made = this.rows.get(this.refocus);
      this.refocus = -1;
      if (made) made.focus({ preventScroll: true });
    }

    /** Draws what is in view. Measuring may move rows in or out of it, so it goes round until nothing moves. */
    update() {
      for (let round = 0; round < 4; round += 1) {
        const [first, last] = this.range();
        for (const index of [...this.rows.keys()])
          if ((index < first || index > last) && index !== this.pinned) this.remove(index);
        for (let index = first; index <= last; index += 1) this.ensure(index);
        if (!this.settle()) break;
      }
      this.body.style.height = `${Math.ceil(this.heights.top(this.count))}px`;
      for (const [index, row] of this.rows)
        row.style.transform = `translateY(${Math.round(this.heights.top(index))}px)`;
    }

    range() {
      if (!this.count) return [0, -1];
      const top = this.scroller.scrollTop;
      return [this.heights.find(Math.max(0, top - OVERSCAN)), this.heights.find(top + this.view() + OVERSCAN)];
    }

    // Before it has rows the scroller has no height of its own.
    view() {
      return Math.max(this.scroller.clientHeight, Math.min(window.innerHeight, 900));
    }

    ensure(index) {
      if (this.rows.has(index)) return;
      const row = this.make(index);
      this.rows.set(index, row);
      // In the order of the list, for those who read the page and not the picture.
      const after = [...this.rows.keys()].filter((other) => other > index).sort((a, b) => a - b)[0];
      this.body.insertBefore(row, after === undefined ? null : this.rows.get(after));
      this.observer.observe(row);
    }

    // All heights are read before anything is written, so that the browser lays out once.
    settle() {
      const top = this.scroller.scrollTop;
      const anchor = this.count ? this.heights.find(top) : 0;
      const within = top - this.heights.top(anchor);
      const measured = [...this.rows].map(([index, row]) => [index, row.offsetHeight]);
      let moved = false;
      for (const [index, height] of measured)
        if (height && Math.abs(this.heights.set(index, height)) >= 1) moved = true;
      const place = this.heights.top(anchor) + within;
      if (moved) {
        this.body.style.height = `${Math.ceil(this.heights.top(this.count))}px`;
        if (Math.abs(place - top) >= 1) this.scroller.scrollTop = place;
      }
      return moved;
    }

    /** Brings a row into view and gives its element. */
    reveal(index) {
      this.pinned = index;
      for (let round = 0; round < 4; round += 1) {
        const top = this.heights.top(index);
        const bottom = top + this.heights.values[index];
        const view = this.scroller.clientHeight;
        const place = this.scroller.scrollTop;
        if (top < place || bottom - top > view) this.scroller.scrollTop = top;
        else if (bottom > place + view) this.scroller.scrollTop = bottom - view;
        this.update();
        if (this.heights.top(index) === top && this.heights.values[index] === bottom - top) break;
      }
      return this.rows.get(index);
    }
  };
})();
