/* web/curves.js - the curves of a plot drawn anew, into the <svg> that the page came with.
 *
 * The frame, the titles of the axes and the legend stay; ticks, their numbers and the curves are made here, as
 * figure/svg_figure.c makes them. `restore` puts back what the page came with. */
(function () {
  'use strict';
  const SVG = 'http://www.w3.org/2000/svg', TICK = 5, SMALL = '11.5';

  function make(name, attributes, text) {
    const e = document.createElementNS(SVG, name);
    for (const key in attributes) e.setAttribute(key, attributes[key]);
    if (text !== undefined) e.textContent = text;
    return e;
  }

  /* 1, 2 or 5 times a power of ten: some `count` steps in the span. */
  function stepOf(span, count) {
    const rough = span / count, power = Math.pow(10, Math.floor(Math.log10(rough)));
    const share = rough / power;
    return power * (share > 5 ? 10 : share > 2 ? 5 : share > 1 ? 2 : 1);
  }

  function ticksOf(low, high, count) {
    const step = stepOf(high - low, count), out = [];
    for (let k = Math.ceil(low / step - 1e-9); k * step <= high + 1e-9 * step; k++) out.push(k * step);
    const digits = Math.max(0, -Math.floor(Math.log10(step) + 1e-9));
    const large = Math.max(Math.abs(low), Math.abs(high));
    const write = x => large >= 1e6 || (large < 1e-3 && large > 0)
      ? (Math.abs(x) < step / 2 ? '0' : x.toExponential(1).replace('e', 'e'))
      : (Math.abs(x) < step / 2 ? '0' : x.toFixed(Math.min(digits, 9)));
    return out.map(x => [x, write(x).replace(/-/g, '\u2212')]);
  }

  const SUPERSCRIPT = '\u2070\u00b9\u00b2\u00b3\u2074\u2075\u2076\u2077\u2078\u2079';
  const power = k => '10' + (k < 0 ? '\u207b' : '') + String(Math.abs(k)).replace(/\d/g, d => SUPERSCRIPT[+d]);

  /* Powers of ten, not more than there is room for. */
  function decades(low, high) {
    const every = Math.max(1, Math.ceil((high - low) / 6)), out = [];
    for (let k = Math.ceil(low / every - 1e-9) * every; k <= high + 1e-9; k += every) out.push([k, power(k)]);
    return out;
  }

  function rangeOf(lists) {
    let low = Infinity, high = -Infinity;
    for (const list of lists) for (const x of list) if (isFinite(x)) { if (x < low) low = x; if (x > high) high = x; }
    return low <= high ? [low, high] : [0, 1];
  }

  function widened([low, high], share) {
    const more = high > low ? share * (high - low) : Math.max(1e-3, 0.05 * Math.abs(low));
    return [low - more, high + more];
  }

  class Curves {
    constructor(svg, panel) {
      this.svg = svg;
      this.panel = svg.querySelector('.panel');
      this.spec = panel;
      const frame = this.panel.querySelector('.frame'), number = key => +frame.getAttribute(key);
      this.box = { x: number('x'), y: number('y'), width: number('width'), height: number('height') };
      this.frame = frame;
      this.own = [...this.panel.children].filter(e => e !== frame && !e.matches('.legend') &&
        (e.matches('path, circle') || e.getAttribute('font-size') === SMALL));
      this.legend = this.panel.querySelector('.legend');
      this.places = this.own.map(e => e.nextSibling);
      this.drawn = [];
    }

    clear() {
      for (const e of this.drawn) e.remove();
      for (const e of this.own) e.remove();
      this.drawn = [];
    }

    /* It shows another motion than the sliders say. */
    outdate() {
      this.svg.classList.add('outdated');
    }

    restore() {
      this.svg.classList.remove('outdated');
      this.clear();
      for (let i = this.own.length - 1; i >= 0; i--) this.panel.insertBefore(this.own[i], this.places[i]);
    }

    put(e, before) {
      this.panel.insertBefore(e, before || this.legend);
      this.drawn.push(e);
    }

    /* Curves as {x, y} of numbers; null: one that cannot be had. */
    draw(curves) {
      const { box, spec } = this, there = curves.filter(c => c);
      const log = spec.log, value = log ? y => y > 0 ? Math.log10(y) : NaN : y => y;
      let [x0, x1] = rangeOf(there.map(c => c.x));
      let [y0, y1] = rangeOf(there.map(c => Float64Array.from(c.y, value)));
      if (x1 === x0) [x0, x1] = widened([x0, x1], 0.05);
      [y0, y1] = widened([y0, y1], 0.05);
      if (log) { y0 = Math.floor(y0); y1 = Math.ceil(y1); }
      if (spec.equal) { /* one scale for both */
        [x0, x1] = widened([x0, x1], 0.04);
        const unit = Math.max((x1 - x0) / box.width, (y1 - y0) / box.height);
        const grow = (a, b, length) => [(a + b - unit * length) / 2, (a + b + unit * length) / 2];
        [x0, x1] = grow(x0, x1, box.width);
        [y0, y1] = grow(y0, y1, box.height);
      }
      const X = x => box.x + (x - x0) / (x1 - x0) * box.width;
      const Y = y => box.y + box.height - (y - y0) / (y1 - y0) * box.height;
      this.clear();
      this.axes(ticksOf(x0, x1, 6), log ? decades(y0, y1) : ticksOf(y0, y1, 6), X, Y, !log && y0 < 0 && y1 > 0);
      for (let i = curves.length - 1; i >= 0; i--) if (curves[i]) this.curve(curves[i], i, X, y => Y(value(y)));
    }

    axes(xs, ys, X, Y, zero) {
      const { box } = this, bottom = box.y + box.height, right = box.x + box.width;
      if (zero) this.put(make('path', { class: 'zero', d: `M${box.x} ${Y(0).toFixed(2)}h${box.width}` }), this.frame);
      let d = '';
      for (const [x, text] of xs) {
        const at = X(x).toFixed(2);
        d += `M${at} ${bottom}v${-TICK}M${at} ${box.y}v${TICK}`;
        this.put(make('text', { x: at, y: bottom + 16, 'font-size': SMALL, 'text-anchor': 'middle' }, text));
      }
      for (const [y, text] of ys) {
        const at = Y(y).toFixed(2);
        d += `M${box.x} ${at}h${TICK}M${right} ${at}h${-TICK}`;
        this.put(make('text', { x: box.x - 7, y: +at + 4, 'font-size': SMALL, 'text-anchor': 'end' }, text));
      }
      this.put(make('path', { class: 'tick', d }));
    }

    curve(c, i, X, Y) {
      let d = '', pen = 'M', first = null;
      for (let k = 0; k < c.x.length; k++) {
        const x = X(c.x[k]), y = Y(c.y[k]);
        if (!isFinite(x) || !isFinite(y)) { pen = 'M'; continue; }
        d += `${pen}${x.toFixed(2)} ${y.toFixed(2)}`;
        pen = 'L';
        first = first || [x, y];
      }
      this.put(make('path', { class: `curve c${i % 7} d${i % 6}`, d }));
      if (this.spec.equal && first) this.put(make('circle', { class: `start c${i % 7}`, cx: first[0], cy: first[1], r: 2.6 }));
    }
  }

  window.anholo.curves = Curves;
})();
