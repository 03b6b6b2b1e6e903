/* web/player.js - the moving picture of a system: a canvas, its controls, mouse, touch and keys.
 *
 * Each <figure class="scene"> holds a still <svg> and <script type="application/json"
 * class="scene-data">. The canvas takes the still's place, but on paper (player.css). One global,
 * `anholo`:
 *
 *     anholo.scene                 what scene.js offers
 *     anholo.players[i].state()    { time, frame, playing, azimuth, elevation, zoom, pan, … }
 *     anholo.players[i].play(), pause(), seek(t), reset()
 *
 * and figure.dataset.time, figure.dataset.playing say what is shown. */
(function () {
  'use strict';
  const { locate, sample, SPEEDS, usualSpeed, makeCamera, middle, firstAngles, firstView, COLOURS,
          parseColour, shaded, focus, paint } = window.anholo.scene;

  /* ---- The player -------------------------------------------------------------------------- */

  const FAMILIES = ['', 'velocity', 'reaction'];
  const MOUSE = 'Drag to turn, with shift to move; click, then wheel, to zoom. ';
  const HELP = 'Space: play and pause. Arrows: turn the view. Plus and minus: zoom. ' +
               'Home, End: start and end. Comma, full stop: one frame. 0: reset the view.';

  function element(name, attributes, ...children) {
    const e = document.createElement(name);
    for (const key in attributes) e.setAttribute(key, attributes[key]);
    e.append(...children);
    return e;
  }

  class Player {
    constructor(figure) {
      this.figure = figure;
      this.scene = JSON.parse(figure.querySelector('script.scene-data').textContent);
      this.times = this.scene.time;
      this.begin = this.times.length ? this.times[0] : 0;
      this.finish = this.times.length ? this.times[this.times.length - 1] : 0;
      this.time = this.begin;
      this.playing = false;
      this.options = { traces: true, arrows: true, follow: this.scene.follow };
      this.speed = usualSpeed(this.finish - this.begin || 1);
      this.pointers = new Map();
      this.build();
      this.listen();
      this.readTheme();
      this.reset();
    }

    /* ---- Parts of the page ---- */

    build() {
      const { scene, figure } = this;
      const has = kind => scene.shapes.some(s => s.kind === kind);
      this.canvas = element('canvas', {
        tabindex: 0, role: 'application', class: 'scene-canvas', title: MOUSE + HELP,
        'aria-label': `Animation: ${scene.title || 'the system'}. ${HELP}` });
      this.button = element('button', { type: 'button', class: 'scene-play' });
      this.range = element('input', { type: 'range', min: 0, max: 1000, value: 0, step: 'any',
                                      class: 'scene-scrub', 'aria-label': 'time' });
      this.clock = element('output', { class: 'scene-time' });
      this.select = element('select', { class: 'scene-speed', 'aria-label': 'speed' });
      for (const s of SPEEDS)
        this.select.append(new Option(`${s}×`, s, s === this.speed, s === this.speed));
      this.bar = element('div', { class: 'scene-bar' }, this.button, this.range, this.clock,
                         this.select);
      const box = (key, name) => {
        const input = element('input', { type: 'checkbox', class: `scene-${key}` });
        input.checked = this.options[key];
        input.addEventListener('change', () => {
          this.options[key] = input.checked;
          if (key === 'follow') this.fit();
          this.draw();
        });
        this.bar.append(element('label', {}, input, ` ${name}`));
      };
      if (has('trace')) box('traces', 'traces');
      if (has('arrow')) box('arrows', 'arrows');
      if (!scene.axes && scene.reach > 0) box('follow', 'follow');
      this.resetButton = element('button', { type: 'button', class: 'scene-reset' }, 'reset view');
      this.bar.append(this.resetButton);
      figure.prepend(this.canvas, this.bar);
      figure.classList.add('scene-live');
    }

    listen() {
      const { canvas } = this;
      this.button.addEventListener('click', () => this.toggle());
      this.range.addEventListener('input', () => {
        const share = this.range.value / 1000; /* before drawing moves it */
        this.pause();
        this.seek(this.begin + share * (this.finish - this.begin));
      });
      this.select.addEventListener('change', () => { this.speed = +this.select.value; });
      this.resetButton.addEventListener('click', () => this.reset());
      canvas.addEventListener('keydown', e => this.key(e));
      canvas.addEventListener('pointerdown', e => {
        canvas.setPointerCapture(e.pointerId);
        canvas.focus({ preventScroll: true });
        this.pointers.set(e.pointerId, [e.offsetX, e.offsetY]);
      });
      canvas.addEventListener('pointermove', e => this.move(e));
      for (const end of ['pointerup', 'pointercancel', 'lostpointercapture'])
        canvas.addEventListener(end, e => this.pointers.delete(e.pointerId));
      canvas.addEventListener('contextmenu', e => e.preventDefault());
      /* The page scrolls until the picture was touched. */
      canvas.addEventListener('wheel', e => {
        if (document.activeElement !== canvas && !e.ctrlKey) return;
        e.preventDefault();
        this.zoomAt(Math.exp(-0.0015 * e.deltaY * (e.deltaMode ? 30 : 1)), e.offsetX, e.offsetY);
      }, { passive: false });
      new ResizeObserver(() => this.resize()).observe(canvas);
      const dark = matchMedia('(prefers-color-scheme: dark)');
      dark.addEventListener('change', () => { this.readTheme(); this.draw(); });
    }

    readTheme() {
      const style = getComputedStyle(this.figure);
      const read = (name, otherwise) => style.getPropertyValue(name).trim() || otherwise;
      const rgb = {};
      for (const name in COLOURS) rgb[name] = parseColour(read(`--scene-${name}`), COLOURS[name]);
      this.theme = { rgb, ink: read('--scene-ink', '#222'), halo: read('--scene-paper', '#fff'),
                     shadow: read('--scene-shadow', 'rgba(0,0,0,0.14)') };
    }

    /* ---- View ---- */

    reset() {
      Object.assign(this, firstAngles(this.scene));
      this.zoom = 1;
      this.pan = [0, 0];
      this.resize();
    }

    resize() {
      const ratio = window.devicePixelRatio || 1;
      this.width = this.canvas.clientWidth || 800;
      this.height = this.canvas.clientHeight || 500;
      this.canvas.width = Math.round(this.width * ratio);
      this.canvas.height = Math.round(this.height * ratio);
      this.ratio = ratio;
      this.fit();
      this.draw();
    }

    fit() {
      this.base = firstView(this.scene, this.width, this.height, this.options.follow,
                            { azimuth: this.azimuth, elevation: this.elevation });
    }

    camera(moment) {
      const { base, width, height, zoom, pan } = this;
      const view = {
        azimuth: this.azimuth, elevation: this.elevation, scale: base.scale * zoom,
        x: width / 2 + zoom * (base.x - width / 2) + pan[0],
        y: height / 2 + zoom * (base.y - height / 2) + pan[1] };
      return makeCamera(this.scene, view,
                        this.options.follow ? focus(this.scene, moment) : middle(this.scene));
    }

    orbit(dx, dy) {
      if (this.scene.flat) {
        this.pan = [this.pan[0] + dx, this.pan[1] + dy];
      } else {
        this.azimuth -= 0.008 * dx;
        this.elevation = Math.max(-1.5, Math.min(1.5, this.elevation + 0.008 * dy));
      }
      this.draw();
    }

    zoomAt(factor, x, y) {
      const zoom = Math.max(0.05, Math.min(200, this.zoom * factor));
      const f = zoom / this.zoom, cx = x - this.width / 2, cy = y - this.height / 2;
      this.pan = [cx - f * (cx - this.pan[0]), cy - f * (cy - this.pan[1])];
      this.zoom = zoom;
      this.draw();
    }

    move(e) {
      const before = this.pointers.get(e.pointerId);
      if (!before) return;
      const now = [e.offsetX, e.offsetY], dx = now[0] - before[0], dy = now[1] - before[1];
      this.pointers.set(e.pointerId, now);
      if (this.pointers.size === 2) {
        const [other] = [...this.pointers].filter(([id]) => id !== e.pointerId).map(p => p[1]);
        const far = p => Math.hypot(p[0] - other[0], p[1] - other[1]) || 1;
        this.pan = [this.pan[0] + dx / 2, this.pan[1] + dy / 2];
        this.zoomAt(far(now) / far(before), (now[0] + other[0]) / 2, (now[1] + other[1]) / 2);
      } else if (e.shiftKey || e.buttons & 6) {
        this.pan = [this.pan[0] + dx, this.pan[1] + dy];
        this.draw();
      } else {
        this.orbit(dx, dy);
      }
    }

    key(e) {
      const frame = (this.finish - this.begin) / Math.max(this.times.length - 1, 1);
      const step = k => { this.pause(); this.seek(this.time + k * frame); };
      const actions = {
        ' ': () => this.toggle(), ArrowLeft: () => this.orbit(16, 0),
        ArrowRight: () => this.orbit(-16, 0), ArrowUp: () => this.orbit(0, 16),
        ArrowDown: () => this.orbit(0, -16), Home: () => this.seek(this.begin),
        End: () => { this.pause(); this.seek(this.finish); }, '0': () => this.reset(),
        '+': () => this.zoomAt(1.15, this.width / 2, this.height / 2),
        '-': () => this.zoomAt(1 / 1.15, this.width / 2, this.height / 2),
        ',': () => step(-1), '.': () => step(1) };
      actions['='] = actions['+'];
      if (!actions[e.key] || e.ctrlKey || e.metaKey || e.altKey) return;
      e.preventDefault();
      actions[e.key]();
    }

    /* ---- Time ---- */

    play() {
      if (this.playing || !(this.finish > this.begin)) return this.draw();
      if (this.time >= this.finish) this.time = this.begin;
      this.playing = true;
      this.last = null;
      requestAnimationFrame(now => this.step(now));
      this.draw();
    }

    pause() {
      this.playing = false;
      this.draw();
    }

    toggle() {
      if (this.playing) this.pause(); else this.play();
    }

    seek(t) {
      this.time = Math.max(this.begin, Math.min(this.finish, t));
      this.draw();
    }

    step(now) {
      if (!this.playing) return;
      const passed = this.last === null ? 0 : Math.min(now - this.last, 100) / 1000;
      this.last = now;
      this.time += this.speed * passed;
      if (this.time > this.finish) /* over again */
        this.time = this.begin + (this.time - this.finish) % (this.finish - this.begin);
      this.show();
      requestAnimationFrame(next => this.step(next));
    }

    draw() {
      if (this.waiting || !this.base) return;
      this.waiting = true;
      this.show();
      this.waiting = false;
    }

    show() {
      const { scene, canvas, figure } = this, moment = locate(this.times, this.time);
      const g = canvas.getContext('2d');
      g.setTransform(this.ratio, 0, 0, this.ratio, 0, 0);
      g.clearRect(0, 0, this.width, this.height);
      const { pieces, step } = paint(g, scene, this.camera(moment), moment, this.theme,
                                     { ...this.options, zoom: this.zoom,
                                       diagonal: Math.hypot(this.width, this.height) });
      this.pieces = pieces;
      this.legend(g, step);
      const span = Math.max(this.finish - this.begin, 1e-9);
      const digits = Math.max(0, 3 - Math.floor(Math.log10(span)));
      const energy = sample(scene.energy, moment);
      this.clock.textContent = `t = ${this.time.toFixed(Math.min(digits, 9))}` +
        (isFinite(energy) && !scene.kinematic ? `   E = ${+energy.toPrecision(5)}` : '');
      this.button.textContent = this.playing ? '❚❚' : '▶';
      this.button.setAttribute('aria-label', this.playing ? 'pause' : 'play');
      if (this.finish > this.begin)
        this.range.value = 1000 * (this.time - this.begin) / (this.finish - this.begin);
      this.range.setAttribute('aria-valuetext', this.clock.textContent);
      figure.dataset.time = String(this.time);
      figure.dataset.playing = String(this.playing);
    }

    /* The step of the grid, and what the arrows are. */
    legend(g, step) {
      g.font = '12px system-ui, sans-serif';
      g.globalAlpha = 0.8;
      g.fillStyle = this.theme.ink;
      if (step) g.fillText(`grid ${+step.toPrecision(1)}`, 12, this.height - 12);
      g.globalAlpha = 1;
      g.textAlign = 'right';
      let y = this.height - 12;
      for (const family of [2, 1]) {
        const arrow = this.scene.shapes.find(s => s.kind === 'arrow' && s.family === family);
        if (!arrow || !this.options.arrows) continue;
        g.fillStyle = shaded(this.theme.rgb[arrow.colour], 1);
        g.fillText(`→ ${FAMILIES[family]}`, this.width - 12, y);
        y -= 17;
      }
      g.textAlign = 'left';
    }

    state() {
      return { time: this.time, frame: locate(this.times, this.time).frame, playing: this.playing,
               azimuth: this.azimuth, elevation: this.elevation, zoom: this.zoom,
               pan: this.pan.slice(), follow: this.options.follow, speed: this.speed,
               pieces: this.pieces };
    }
  }

  /* Plays by itself when it comes into view, unless motion is not wanted. */
  function start(figure) {
    const player = new Player(figure);
    if (matchMedia('(prefers-reduced-motion: reduce)').matches) return player;
    const seen = new IntersectionObserver(entries => {
      if (!entries.some(e => e.isIntersecting)) return;
      seen.disconnect();
      player.play();
    }, { threshold: 0.4 });
    seen.observe(player.canvas);
    return player;
  }

  function begin() {
    const figures = [...document.querySelectorAll('figure.scene')];
    window.anholo.players = figures.filter(f => f.querySelector('script.scene-data')).map(start);
  }
  if (document.readyState === 'loading') document.addEventListener('DOMContentLoaded', begin);
  else begin();
})();
