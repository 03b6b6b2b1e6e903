/* web/live.js - the motion computed in the page: sliders for parameters, inputs and the start; the picture and the
 * plots follow.
 *
 * `live_model` is the system (docs/export.md), whose outputs are what is drawn; <script class="live-data"> says
 * which is which, and "recipes" of the scene how its channels come from them. While a slider is dragged the motion
 * is computed roughly, then with the tolerance of the page. Settings that were changed stand in the fragment of the
 * address. `anholo.live`: settings(), set(key, value), reset(), rows(), link(). */
(function () {
  'use strict';
  /* Tolerances of a motion that is shown for good, and while one drags; milliseconds that a drag may wait. */
  const FINE = [1e-9, 1e-12], ROUGH = [1e-5, 1e-8], PATIENCE = 4000, SETTLE = 160;
  /* Rows at most, and while one drags each so manieth. */
  const ROWS = 600, FEWER = 3;

  function element(name, attributes, ...children) {
    const e = document.createElement(name);
    for (const key in attributes) e.setAttribute(key, attributes[key]);
    e.append(...children);
    return e;
  }

  /* theta2' and theta[2]' as θ with its index. */
  const GREEK = Object.fromEntries(('alpha α beta β gamma γ delta δ epsilon ε zeta ζ eta η theta θ iota ι kappa κ lambda λ mu μ ' +
    'nu ν xi ξ pi π rho ρ sigma σ tau τ upsilon υ phi φ chi χ psi ψ omega ω Gamma Γ Delta Δ Theta Θ Lambda Λ Xi Ξ Pi Π ' +
    'Sigma Σ Phi Φ Psi Ψ Omega Ω').match(/\S+ \S/g).map(pair => pair.split(' ')));
  function written(name) {
    const match = /^([A-Za-z]+)(?:(\d+)|\[([\d,]+)\])?('*)$/.exec(name);
    if (!match) return [name];
    const [, word, digits, indices, primes] = match, index = digits || indices;
    return [GREEK[word] || word, ...(index ? [element('sub', {}, index)] : []), primes.replace(/'/g, '\u2032')];
  }

  /* ---- What can be set --------------------------------------------------------------------- */

  const isRate = name => /'$/.test(name) || /^t\(/.test(name);

  /* Around the model's value: to twice of it, on one side of zero; around zero where it is that. */
  function rangeOf(group, value) {
    if (group === 'parameter') return value > 0 ? [0.05 * value, 2.5 * value] : value < 0 ? [2.5 * value, 0.05 * value] : [-1, 1];
    const wide = Math.max(1, 1.5 * Math.abs(value));
    return [value - wide, value + wide];
  }

  function settingsOf(model, fixed) {
    const make = (group, key, name, unit, value) =>
      ({ group, key, name, unit, value, now: value, range: rangeOf(group, value), fixed: fixed.includes(name) });
    return [
      ...model.names.parameters.map(p => make('parameter', p.id, p.name, p.unit, p.value)),
      ...model.names.inputs.filter(u => !isRate(u.name)).map(u => ({ ...make('input', u.id, u.name, u.unit, u.value), held: !model.drive })),
      ...model.names.states.map((s, i) => make('start', i, s.name, s.unit, model.start.y[i]))];
  }

  /* ---- The motion -------------------------------------------------------------------------- */

  /* From the settings: parameters with their inputs; an input that was set is held, without rates. */
  function parametersOf(model, settings) {
    const p = model.defaults(), held = settings.filter(s => s.group === 'input' && s.held);
    for (const s of settings) if (s.group === 'parameter') p[s.key] = s.now;
    const nothing = [];
    for (const s of held) {
      p.inputs[s.key] = s.now;
      for (const u of model.names.inputs) if (u.name === `${s.name}'` || u.name === `${s.name}''`) nothing.push(u.id);
    }
    if (held.length && model.drive)
      p.drive = (q, t, y, u) => {
        model.drive(q, t, y, u);
        for (const s of held) u[s.key] = s.now;
        for (const id of nothing) u[id] = 0;
      };
    return model.prepare(p) ? p : null;
  }

  /* Whether an event that ends the motion lies between two sets of numbers. */
  const isOver = (events, before, now) => events.some((e, i) => e.stop &&
    ((e.direction >= 0 && before[i] < 0 && now[i] >= 0) || (e.direction <= 0 && before[i] > 0 && now[i] <= 0)));

  /* The first time at which a stop that shows at neither end of a step has come; its end where there is none. */
  function firstInside(model, p, from, to, before, now) {
    const times = model.names.events.map((e, i) => e.stop && before[i] * now[i] > 0 ? model.touches(p, i, from.t, from.y, to.t, to.y) : NaN);
    return Math.min(to.t, ...times.filter(x => x > from.t));
  }

  /* Whether the motion gets to t, step by step; a fast one must not hold the page up. `watch`: the numbers of the events; a stop
   * ends the motion in the step in which it happens. */
  function reach(model, p, s, t, tolerances, deadline, watch) {
    s.tired = s.over = false;
    for (let steps = 1; s.t !== t; steps++) {
      const kept = watch && { t: s.t, y: s.y.slice(), h: s.h };
      s.tired = steps % 500 === 0 && performance.now() > deadline;
      if (s.tired || !model.step(p, s, t, ...tolerances)) return false;
      if (!watch) continue;
      const now = new Float64Array(watch.length);
      model.events(p, s.t, s.y, now);
      const inside = firstInside(model, p, kept, s, watch, now);
      if (inside !== s.t) {
        Object.assign(s, { t: kept.t, y: kept.y.slice(), h: kept.h });
        if (!model.advance(p, s, inside, ...tolerances)) return false;
        model.events(p, s.t, s.y, now);
      }
      s.over = isOver(model.names.events, watch, now) &&
        model.names.events.find((e, i) => e.stop && watch[i] * now[i] <= 0).name;
      if (s.over) return endAt(model, p, s, kept, s.t, watch, tolerances), false;
      watch.set(now);
    }
    return true;
  }

  /* The first state: what was set, then what the model says of the rest; a value may use another one. `begins`: outputs
   * that are such values. Also the end of the span where it is a formula (under "t"). */
  function beginOf(model, settings, begins, p) {
    const y = Float64Array.from(model.start.y), out = new Float64Array(model.names.outputs.length);
    let end = NaN;
    for (let round = 0; round < 4; round++) {
      if (p && out.length && !model.outputs(p, model.start.t, y, out)) out.fill(NaN);
      for (const x of settings) {
        if (x.group !== 'start') continue;
        const formula = begins[x.name], value = formula >= 0 && p ? out[formula] : x.value;
        y[x.key] = x.now !== x.value ? x.now : isFinite(value) ? value : x.value;
      }
    }
    if (p && begins.t >= 0) end = out[begins.t];
    return { y, end };
  }

  /* x of least |A x + b| by the normal equations; null: A has not full rank. `A`: columns. */
  function leastSquares(A, b) {
    const n = A.length, dot = (u, v) => u.reduce((sum, x, i) => sum + x * v[i], 0);
    const M = A.map((u, i) => [...A.map(v => dot(u, v)), -dot(u, b)]);
    const most = Math.max(...M.map((row, i) => row[i]));
    for (let k = 0; k < n; k++) {
      let best = k;
      for (let i = k; i < n; i++) if (Math.abs(M[i][k]) > Math.abs(M[best][k])) best = i;
      [M[k], M[best]] = [M[best], M[k]];
      if (!(Math.abs(M[k][k]) > 1e-10 * most)) return null;
      for (let i = 0; i < n; i++) {
        if (i === k) continue;
        const factor = M[i][k] / M[k][k];
        for (let j = k; j <= n; j++) M[i][j] -= factor * M[k][j];
      }
    }
    return M.map((row, k) => row[n] / row[k]);
  }

  /* Newton's method for the states `open` and the rows of residuals that `use` lets through; false: they do not tell them. */
  function solveFor(left, z, open, use) {
    const slopes = k => {
      const h = 1e-6 * (1 + Math.abs(z[k])), a = z.slice(), b = z.slice();
      a[k] += h;
      b[k] -= h;
      const above = left(a), below = left(b);
      return above.map((x, i) => (x - below[i]) / (2 * h));
    };
    const rows = [...left(z).keys()].filter(use(slopes));
    for (let round = 0; round < 30; round++) {
      const r = left(z), pick = u => rows.map(i => u[i]), change = leastSquares(open.map(k => pick(slopes(k))), pick(r));
      if (!change || !change.every(isFinite)) return false;
      open.forEach((k, i) => { z[k] += change[i]; });
      if (change.every((x, i) => Math.abs(x) <= 1e-13 * (1 + Math.abs(z[open[i]])))) break;
    }
    return rows.length >= open.length && rows.every(i => Math.abs(left(z)[i]) < 1e-9);
  }

  /* What `start` leaves open follows from the constraints where these tell it, as in `simulate`: coordinates, then velocities; of
   * these all may be as near to rest as can be. Otherwise it stays where it was. */
  function complete(model, settings, open, p, t, y) {
    const states = settings.filter(x => x.group === 'start'), isSpeed = x => x.name.endsWith("'");
    const follows = states.filter(x => open.includes(x.name) && x.now === x.value);
    if (!model.residuals || !follows.length || !p) return;
    const left = z => {
      const r = new Float64Array(model.names.residuals.length);
      return model.residuals(p, t, z, r) ? r : r.fill(NaN);
    };
    if (left(y).every(x => Math.abs(x) < 1e-12)) return;
    const speeds = states.filter(isSpeed).map(x => x.key);
    for (const fast of [false, true]) {
      const z = y.slice(), unknown = follows.filter(x => isSpeed(x) === fast).map(x => x.key);
      const use = slopes => fast ? () => true : (moved => i => moved.every(u => u[i] === 0))(speeds.map(slopes));
      if (unknown.length && solveFor(left, z, unknown, use)) y.set(z);
      else if (fast && unknown.length === speeds.length) unknown.forEach(k => { y[k] = 0; }); // then moved the shortest way
    }
  }

  /* Rows of {t, y, outputs, energy} at the times; `why`: what ended it before the last. */
  function integrate(model, settings, { begins, open }, spread, [rtol, atol], patience) {
    const found = { t: [], y: [], out: [], energy: [], why: null };
    const p = parametersOf(model, settings), deadline = performance.now() + patience;
    const first = beginOf(model, settings, begins, p), times = spread(first.end);
    const s = { t: times[0], y: first.y, h: 0 };
    complete(model, settings, open, p, s.t, s.y);
    if (!p || !model.project(p, s.t, s.y)) return { ...found, why: 'no state of the constraints is near this start' };
    const watch = model.events ? new Float64Array(model.names.events.length) : null;
    if (watch) model.events(p, s.t, s.y, watch);
    for (const t of times) {
      if (!reach(model, p, s, t, [rtol, atol], deadline, watch)) {
        const at = +s.t.toPrecision(5);
        found.why = s.over ? `it ends at t = ${at}: ${s.over}`
          : `${s.tired ? 'it takes too long' : 'the equations cannot be solved'} beyond t = ${at}`;
        if (s.over) take(model, p, s, found);
        break;
      }
      take(model, p, s, found);
      if (performance.now() > deadline) {
        found.why = `it takes too long beyond t = ${+t.toPrecision(5)}`;
        break;
      }
    }
    return found;
  }

  /* The end inside the last step, by halving. */
  function endAt(model, p, s, kept, t, before, [rtol, atol]) {
    let low = kept.t, high = t;
    const now = new Float64Array(before.length);
    for (let i = 0; i < 50 && high > low; i++) {
      const middle = low + (high - low) / 2, at = { t: kept.t, y: kept.y.slice(), h: kept.h };
      if (middle === low || middle === high) break;
      if (!model.advance(p, at, middle, rtol, atol)) break;
      model.events(p, middle, at.y, now);
      if (isOver(model.names.events, before, now)) { high = middle; s.t = middle; s.y = at.y; } else low = middle;
    }
  }

  function take(model, p, s, found) {
    const out = new Float64Array(model.names.outputs.length), energy = new Float64Array(2);
    if (out.length && !(model.shown_outputs || model.outputs)(p, s.t, s.y, out)) out.fill(NaN);
    found.t.push(s.t);
    found.y.push(s.y.slice());
    found.out.push(out);
    found.energy.push(model.energy(p, model.shown ? model.shown(p, s.t) : s.t, s.y, energy) ? energy[0] : NaN);
  }

  /* ---- The picture ------------------------------------------------------------------------- */

  const cross = (a, b) => [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]];
  const dot = (a, b) => a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
  function unit(a, otherwise) {
    const l = Math.sqrt(dot(a, a));
    return l > 0 && isFinite(l) ? a.map(x => x / l) : otherwise;
  }

  /* The axes of a solid, as picture_frame has them. */
  function frameOf(shape, value) {
    if (shape.frame) return shape.frame.map(v => v.map(value));
    const n = shape.axis ? unit(shape.axis.map(value), [0, 0, 1]) : [0, 0, 1];
    const turn = shape.spin < 0 ? 0 : value(shape.spin), z = Math.abs(n[2]) < 0.9999 ? [0, 0, 1] : [1, 0, 0];
    const u = unit(z.map((x, k) => x - dot(z, n) * n[k]), [0, 0, 1]), v = cross(n, u);
    const first = u.map((x, k) => Math.cos(turn) * x + Math.sin(turn) * v[k]);
    return [first, cross(n, first), n];
  }

  /* Of the rotation with these columns, by the largest of the four (Shepperd). */
  function quaternionOf(a) {
    const [x, y, z] = [a[0][0], a[1][1], a[2][2]];
    const four = [1 + x + y + z, 1 + x - y - z, 1 - x + y - z, 1 - x - y + z];
    const k = Math.max(0, four.indexOf(Math.max(...four)));
    const wx = a[1][2] - a[2][1], wy = a[2][0] - a[0][2], wz = a[0][1] - a[1][0];
    const xy = a[0][1] + a[1][0], yz = a[1][2] + a[2][1], zx = a[2][0] + a[0][2];
    const rows = [[four[0], wx, wy, wz], [wx, four[1], xy, zx], [wy, xy, four[2], yz], [wz, zx, yz, four[3]]];
    const largest = Math.sqrt(Math.max(four[k], 0));
    return rows[k].map(v => v / (2 * largest));
  }

  function channelsOf(scene, outputs, found) {
    const frames = found.t.length, turns = new Map();
    const column = i => i < 0 ? new Float64Array(frames)
      : Float64Array.from(found.out, row => outputs[i] < 0 ? NaN : row[outputs[i]]);
    const valueAt = f => i => i < 0 ? 0 : outputs[i] < 0 ? NaN : found.out[f][outputs[i]];
    const turnOf = number => {
      if (turns.has(number)) return turns.get(number);
      let before = [1, 0, 0, 0];
      const all = found.t.map((_, f) => {
        const q = quaternionOf(frameOf(scene.shapes[number], valueAt(f)));
        const near = q[0] * before[0] + q[1] * before[1] + q[2] * before[2] + q[3] * before[3];
        const out = near < 0 ? q.map(x => -x) : q;
        if (isFinite(near)) before = out;
        return out;
      });
      turns.set(number, all);
      return all;
    };
    const inBox = (x, k) => {
      const a = scene.axes && scene.axes[k];
      return !a ? x : (k ? 1 : 1.5) * (a.high > a.low ? (x - a.low) / (a.high - a.low) : 0.5);
    };
    return scene.recipes.map(r => {
      if (!Array.isArray(r)) return r;
      const [how, a, b] = r;
      if (how === 'turn') return turnOf(a).map(q => q[b]);
      return how === 'x' ? column(a) : column(a).map(how === 'place' ? x => inBox(x, b) : x => Math.abs(x) * b);
    });
  }

  /* The box of all places; what was in the picture stays in it. */
  function boxOf(scene, first) {
    const low = first.low.slice(), high = first.high.slice();
    for (const shape of scene.shapes) {
      if (!shape.at || shape.kind === 'arrow' || shape.kind === 'ground') continue;
      shape.at.forEach((c, k) => {
        const channel = scene.channels[c], list = typeof channel === 'number' ? [channel] : channel;
        for (const x of list) if (isFinite(x)) { low[k] = Math.min(low[k], x); high[k] = Math.max(high[k], x); }
      });
    }
    return { low, high };
  }

  /* ---- The page ---------------------------------------------------------------------------- */

  const GROUPS = { parameter: 'Parameters', input: 'Inputs', start: 'Start' };

  class Live {
    constructor(player, model) {
      const figure = player.figure;
      Object.assign(this, { player, model, figure });
      this.data = JSON.parse(figure.querySelector('script.live-data').textContent);
      this.settings = settingsOf(model, this.data.fixed);
      const { scene } = player, { time } = scene, whole = Math.round((this.data.end - time[0]) / (time[1] - time[0]));
      const count = Math.min(ROWS, Math.max(time.length - 1, whole || 0));
      this.first = { time: scene.time, energy: scene.energy, channels: scene.channels, low: scene.low, high: scene.high };
      /* over the model's span, where a `stop` cut the motion too: another one may go on */
      const begin = scene.time[0];
      this.spread = step => other => {
        const end = isFinite(other) ? other : this.data.end;
        const rows = Array.from({ length: count + 1 }, (_, i) => i === count ? end : begin + (end - begin) * i / count);
        return rows.filter((_, i) => i % step === 0 || i === count);
      };
      this.plots = [...document.querySelectorAll('.plots > figure > svg')].map((svg, i) =>
        this.data.plots[i] && new window.anholo.curves(svg, this.data.plots[i]));
      this.build();
      this.read();
      window.addEventListener('hashchange', () => this.read());
    }

    /* ---- Controls ---- */

    build() {
      this.groups = element('div', { class: 'live-groups' });
      for (const group in GROUPS) {
        const own = this.settings.filter(s => s.group === group);
        if (!own.length) continue;
        const box = element('details', { class: 'live-group' }, element('summary', {}, GROUPS[group]));
        box.open = own.length <= 12 && (group !== 'start' || window.innerWidth > 700);
        const list = element('div', { class: 'live-list' });
        for (const s of own) {
          const row = this.control(s);
          if (!s.fixed) list.append(row);
        }
        box.append(list);
        this.groups.append(box);
      }
      this.resetButton = element('button', { type: 'button', class: 'live-reset' }, 'reset values');
      this.linkButton = element('button', { type: 'button', class: 'live-link' }, 'copy link');
      this.says = element('output', { class: 'live-says', 'aria-live': 'polite' });
      this.resetButton.addEventListener('click', () => this.reset());
      this.linkButton.addEventListener('click', () => this.copy());
      this.panel = element('section', { class: 'live', 'aria-label': 'Try other values' }, this.groups,
        element('div', { class: 'live-foot' }, this.resetButton, this.linkButton, this.says));
      this.figure.append(this.panel);
    }

    control(s) {
      const name = s.unit ? `${s.name} (${s.unit})` : s.name, [low, high] = s.range;
      const id = `live-${s.group}-${s.key}`;
      s.slider = element('input', { type: 'range', min: low, max: high, step: 'any', value: s.value, id, 'aria-label': name });
      s.field = element('input', { type: 'text', inputmode: 'decimal', class: 'live-number', 'aria-label': `${name}, a number`,
                                   spellcheck: 'false', autocomplete: 'off' });
      s.slider.addEventListener('input', () => this.change(s, +(+s.slider.value).toPrecision(4), true));
      s.slider.addEventListener('change', () => this.settle());
      s.field.addEventListener('change', () => {
        const x = Number(s.field.value.replace(',', '.').replace('\u2212', '-'));
        if (s.field.value.trim() && isFinite(x)) this.change(s, x, false); else this.show(s);
      });
      s.row = element('div', { class: 'live-row' },
        element('label', { for: id }, ...written(s.name), ...(s.unit ? [element('small', {}, ` ${s.unit}`)] : [])), s.slider, s.field);
      this.show(s);
      return s.row;
    }

    show(s, now = s.now) {
      s.slider.value = now;
      const own = s.group === 'input' && !s.held;
      s.field.value = own ? 'f(t)' : String(+now.toPrecision(6)).replace('-', '\u2212');
      s.row.classList.toggle('live-changed', this.isChanged(s));
    }

    isChanged(s) {
      return s.now !== s.value || (s.group === 'input' && s.held && !!this.model.drive);
    }

    change(s, value, dragging) {
      s.now = value;
      if (s.group === 'input') s.held = true;
      this.show(s);
      if (dragging) this.later(); else this.settle();
    }

    /* Roughly at the next frame, well when nothing moves any more. */
    later() {
      clearTimeout(this.timer);
      this.timer = setTimeout(() => this.settle(), SETTLE);
      if (this.waiting) return;
      this.waiting = true;
      requestAnimationFrame(() => { this.waiting = false; this.update(ROUGH, 100); });
    }

    settle() {
      clearTimeout(this.timer);
      this.update(FINE, PATIENCE);
      this.write();
    }

    reset() {
      for (const s of this.settings) {
        s.now = s.value;
        if (s.group === 'input') s.held = !this.model.drive;
        this.show(s);
      }
      clearTimeout(this.timer);
      this.put(this.first);
      for (const plot of this.plots) if (plot) plot.restore();
      this.says.textContent = '';
      this.write();
    }

    /* ---- Motion ---- */

    follows(s) {
      return this.data.begins[s.name] >= 0 || this.data.open.includes(s.name);
    }

    update(tolerances, patience) {
      if (!this.settings.some(s => this.isChanged(s))) return this.reset();
      const start = performance.now();
      const found = integrate(this.model, this.settings, this.data, this.spread(tolerances === FINE ? 1 : FEWER), tolerances,
        patience);
      this.milliseconds = performance.now() - start;
      this.found = found;
      for (const s of this.settings)
        if (s.group === 'start' && !this.isChanged(s) && found.y.length) this.show(s, this.follows(s) ? found.y[0][s.key] : s.now);
      this.says.textContent = found.why ? `${found.why[0].toUpperCase()}${found.why.slice(1)}.` : '';
      this.figure.classList.toggle('live-broken', found.t.length < 2);
      if (found.t.length < 2) return;
      const { scene } = this.player, channels = channelsOf(scene, this.data.outputs, found);
      const box = boxOf({ shapes: scene.shapes, channels }, this.first);
      this.put({ time: found.t, energy: found.energy, channels, ...box });
      this.plot(found);
    }

    put(what) {
      const { player } = this, { scene } = player;
      Object.assign(scene, what);
      player.times = scene.time;
      player.begin = scene.time[0];
      player.finish = scene.time[scene.time.length - 1];
      player.time = Math.min(player.time, player.finish);
      if (!player.options.follow) player.fit();
      player.draw();
    }

    plot(found) {
      const column = ([i, change]) => {
        if (i < 0) return null;
        const first = found.out[0][i];
        return Float64Array.from(found.out, row => change ? Math.abs(row[i] - first) : row[i]);
      };
      this.plots.forEach((plot, k) => {
        if (!plot) return;
        const curves = this.data.plots[k].pairs.map(pair => {
          const x = column(pair.x), y = column(pair.y);
          return x && y ? { x, y } : null;
        });
        if (curves.every(c => c)) plot.draw(curves); else plot.outdate();
      });
    }

    /* ---- The address ---- */

    text() {
      return this.settings.filter(s => this.isChanged(s))
        .map(s => `${s.group[0]}.${encodeURIComponent(s.name)}=${s.now}`).join('&');
    }

    link() {
      const text = this.text(), bare = location.href.replace(/#.*$/, '');
      return text ? `${bare}#live:${text}` : bare;
    }

    write() {
      const text = this.text();
      if (text || location.hash.startsWith('#live:'))
        history.replaceState(null, '', text ? `#live:${text}` : '#');
    }

    read() {
      if (!location.hash.startsWith('#live:')) return;
      for (const part of location.hash.slice(6).split('&')) {
        const match = /^([pis])\.([^=]*)=(.*)$/.exec(part);
        if (!match) continue;
        let name = match[2];
        try { name = decodeURIComponent(name); } catch (e) { continue; }
        const s = this.settings.find(x => x.group[0] === match[1] && x.name === name), value = Number(match[3]);
        if (!s || !isFinite(value) || !match[3]) continue;
        s.now = value;
        if (s.group === 'input') s.held = true;
        this.show(s);
      }
      this.update(FINE, PATIENCE);
    }

    async copy() {
      const link = this.link();
      try {
        await navigator.clipboard.writeText(link);
        this.says.textContent = 'Copied.';
      } catch (e) {
        this.says.textContent = link;
      }
    }

    /* ---- For programs ---- */

    set(name, value, group) {
      const s = this.settings.find(x => x.name === name && (!group || x.group === group));
      if (s) this.change(s, value, false);
      return !!s;
    }

    /* The picture's numbers as the page computes them, for the present settings. */
    channels() {
      const times = this.first.time;
      const found = integrate(this.model, this.settings, this.data, () => times, FINE, 1e9);
      return channelsOf(this.player.scene, this.data.outputs, found);
    }

    rows(tolerances) {
      const found = integrate(this.model, this.settings, this.data, this.spread(1), tolerances || FINE, 1e9);
      return { names: this.model.names.states.map(s => s.name), t: found.t, y: found.y.map(y => [...y]),
               energy: found.energy, why: found.why };
    }
  }

  function begin() {
    const player = (window.anholo.players || []).find(p => p.figure.querySelector('script.live-data'));
    if (player && typeof live_model !== 'undefined') window.anholo.live = new Live(player, live_model);
  }
  if (document.readyState === 'loading') document.addEventListener('DOMContentLoaded', begin);
  else begin();
})();
