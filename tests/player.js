/* The player's geometry, by node: called from player.py, prints TAP lines.
 *
 *     node player.js [page.html …]     pages of `anholo report`: the canvas and the still picture
 *                                      must show the same points */
'use strict';
const fs = require('fs');
const path = require('path');
const player = require(path.join(__dirname, '..', 'src', 'report', 'web', 'scene.js'));

let count = 0, failed = 0, wrong = [];
const near = (a, b, tolerance = 1e-12) => Math.abs(a - b) <= tolerance;
function check(condition, what) { if (!condition) wrong.push(what); }
function test(name, body) {
  wrong = [];
  try { body(); } catch (e) { wrong.push(e.stack); }
  wrong.forEach(w => console.log(`# ${w}`));
  console.log(`${wrong.length ? 'not ok' : 'ok'} ${++count} - player.${name}`);
  failed += wrong.length > 0;
}

/* A scene of one moving point and whatever else. */
function scene(changes) {
  return { title: 'x', flat: false, follow: false, up: [0, 0, 1], right: [1, 0, 0],
           low: [0, 0, 0], high: [2, 1, 1], size: Math.sqrt(6), reach: 1, view: Math.sqrt(6),
           ground: 0, time: [0, 1, 3], energy: [1, 1, 1],
           channels: [[0, 1, 2], 0, [0, null, 4]],
           shapes: [{ kind: 'point', colour: 'blue', at: [0, 1, 1] }], ...changes };
}

/* A context that only counts. */
function recorder() {
  const calls = { arc: 0, fill: 0, stroke: 0, fillText: 0, bad: 0 };
  const context = new Proxy({}, {
    get: (_, key) => key === 'calls' ? calls
      : key === 'createRadialGradient' ? () => ({ addColorStop() {} })
      : (...args) => {
        if (key in calls) calls[key]++;
        if (args.some(a => typeof a === 'number' && !isFinite(a))) calls.bad++;
      },
    set: () => true });
  return context;
}
const theme = { rgb: player.COLOURS, ink: '#000', halo: '#fff', shadow: '#888' };
const options = { traces: true, arrows: true, follow: false, zoom: 1, diagonal: 943 };

test('a_moment_lies_between_two_frames', () => {
  const times = [0, 1, 3];
  const at = t => player.locate(times, t);
  check(at(-1).frame === 0 && at(-1).share === 0, 'before the start');
  check(at(7).frame === 2 && at(7).share === 0, 'after the end');
  check(at(2).frame === 1 && near(at(2).share, 0.5), 'between');
  check(player.locate([5], 9).frame === 0 && player.locate([], 0).frame === 0, 'one frame, none');
  check(player.sample(4, at(2)) === 4, 'a constant');
  check(near(player.sample([0, 1, 2], at(2)), 1.5), 'a line');
  check(isNaN(player.sample([0, null, 2], at(0.5))), 'what does not exist');
  check(player.sample([0, null, 2], at(0)) === 0, 'but before it');
});

test('rotations_go_the_shorter_way', () => {
  const about = (a, s = 1) => [s * Math.cos(a / 2), 0, 0, s * Math.sin(a / 2)];
  for (const sign of [1, -1]) {
    const q = player.slerp(about(0.2), about(1.4, sign), 0.25);
    const x = player.axes(q)[0];
    check(near(x[0], Math.cos(0.5)) && near(x[1], Math.sin(0.5)), `angle 0.5, sign ${sign}`);
  }
  const q = player.slerp([0.5, 0.5, 0.5, 0.5], [0.5, -0.5, 0.5, 0.5], 0.3);
  check(near(Math.hypot(...q), 1), 'of length 1');
  const [a, b, c] = player.axes(q);
  const dot = (u, v) => u[0] * v[0] + u[1] * v[1] + u[2] * v[2];
  check(near(dot(a, b), 0) && near(dot(b, c), 0) && near(dot(a, a), 1), 'axes at right angles');
  check(near(a[1] * b[2] - a[2] * b[1], c[0]), 'right-handed');
  check(near(player.slerp(about(1), about(1), 0.5)[3], Math.sin(0.5)), 'no turn at all');
});

test('the_camera_sees_in_perspective', () => {
  const s = scene({}), view = { azimuth: -Math.PI / 2, elevation: 0, scale: 100, x: 400, y: 250 };
  const c = player.makeCamera(s, view, [0, 0, 0]);
  const close = (p, x, y) => check(near(p[0], x, 1e-9) && near(p[1], y, 1e-9), `${p} is ${x}, ${y}`);
  close(player.project(c, [0, 0, 0]), 400, 250);
  close(player.project(c, [1, 0, 0]), 500, 250);
  close(player.project(c, [0, 0, 1]), 400, 150);
  const d = c.distance, near_ = player.project(c, [1, -d / 2, 0]);
  close(near_, 600, 250);                                  /* at half the distance: twice */
  check(player.project(c, [0, -2 * d, 0]) === null, 'behind us');
  const flat = player.makeCamera(scene({ flat: true, up: [-1, 0, 0], right: [0, 1, 0] }), view,
                                 [0, 0, 0]);
  close(player.project(flat, [1, 2, 5]), 600, 350);        /* x down, y to the right */
});

test('the_first_view_holds_everything', () => {
  for (const flat of [true, false])
    for (const [w, h] of [[800, 500], [320, 600]]) {
      const s = scene({ flat, up: flat ? [0, 1, 0] : [0, 0, 1] });
      const angles = player.firstAngles(s), view = player.firstView(s, w, h, false, angles);
      const c = player.makeCamera(s, view, player.middle(s));
      const seen = [];
      for (let i = 0; i < 8; i++)
        seen.push(player.project(c, [0, 1, 2].map(k => (i >> k & 1 ? s.high : s.low)[k])));
      const xs = seen.map(p => p[0]), ys = seen.map(p => p[1]);
      check(Math.min(...xs) > 45 && Math.max(...xs) < w - 45, 'inside, left and right');
      check(Math.min(...ys) > 45 && Math.max(...ys) < h - 45, 'inside, above and below');
      check(near(Math.max(...xs) - Math.min(...xs), w - 92, 1e-6) ||
            near(Math.max(...ys) - Math.min(...ys), h - 92, 1e-6), 'and no smaller');
    }
});

test('small_things', () => {
  check([0.7, 1, 3, 7, 20, 0.02].map(player.nice).every((x, i) =>
    near(x, [0.5, 1, 2, 5, 20, 0.02][i], 1e-12)), 'steps of grids');
  const edge = player.hull([[0, 0], [1, 0], [1, 1], [0, 1], [0.5, 0.5], [0.2, 0.9]]);
  check(edge.length === 4, 'the outline of a square has four corners');
  check(player.hull([[1, 2]]).length === 1, 'of one point one');
  check(player.usualSpeed(10) === 1 && player.usualSpeed(0.1) < 0.05 &&
        player.usualSpeed(1000) === 10, 'speeds');
  check(player.shaded([100, 0, 200], 2) === 'rgb(255,255,255)', 'white');
  check(player.parseColour('#0072b2', null)[2] === 178, 'a colour');
  check(player.parseColour('red); evil', 7) === 7, 'none');
});

test('every_shape_is_painted_and_nothing_else_breaks_it', () => {
  const SOLIDS = ['disc', 'wheel', 'sphere', 'ellipsoid', 'torus', 'cone', 'box'];
  const solid = { at: [0, 1, 1], turn: [3, 1, 1, 1], size: [3, 3, 3] };
  const shapes = [
    { kind: 'ground', colour: 'grey' }, { kind: 'ground', colour: 'grey', at: [1, 1, 1], to: [1, 3, 1] },
    { kind: 'point', label: 'P', at: [0, 1, 1] }, { kind: 'line', at: [0, 1, 1], to: [1, 1, 3] },
    { kind: 'spring', at: [0, 1, 1], to: [3, 3, 3] }, { kind: 'trace', at: [0, 1, 1] },
    { kind: 'trace', at: [2, 1, 1] }, { kind: 'point', at: [2, 2, 2] },
    { kind: 'arrow', family: 0, at: [0, 1, 1], to: [3, 1, 1], size: [3] },
    { kind: 'arrow', family: 0, at: [2, 1, 1], to: [2, 1, 1], size: [3] },
    { kind: 'blade', at: [0, 1, 1], to: [3, 3, 1], size: [3] },
    { kind: 'curve', points: [[1, 1, 1], [3, 1, 1], [2, 2, 1]] },
    ...SOLIDS.map(kind => ({ kind, ...solid })),
    ...SOLIDS.map(kind => ({ kind, ...solid, at: [2, 1, 1] })),
    ...SOLIDS.map(kind => ({ kind, ...solid, turn: [2, 2, 2, 2] }))
  ].map(s => ({ colour: 'blue', ...s }));
  for (const flat of [true, false])
    for (const t of [0, 0.5, 1, 2, 3]) {
      const s = scene({ flat, shapes, channels: [[0, 1, 2], 0, [0, null, 4], 1] });
      const view = player.firstView(s, 800, 500, false, player.firstAngles(s));
      const moment = player.locate(s.time, t), context = recorder();
      const c = player.makeCamera(s, view, player.focus(s, moment));
      const { pieces } = player.paint(context, s, c, moment, theme, options);
      check(pieces > 50, `pieces ${pieces}`);
      check(context.calls.bad === 0, `no NaN reaches the canvas: ${context.calls.bad}`);
      check(context.calls.fillText >= 1, 'the label');
    }
  const nothing = scene({ low: [0, 0, 0], high: [0, 0, 0], size: 0, reach: 0, view: 1,
                          time: [0], channels: [0, 0, 0], energy: [null] });
  const view = player.firstView(nothing, 800, 500, false, player.firstAngles(nothing));
  check(isFinite(view.scale), 'a motion without extent');
  const context = recorder(), moment = player.locate([0], 0);
  player.paint(context, nothing, player.makeCamera(nothing, view, [0, 0, 0]), moment, theme, options);
  check(context.calls.arc === 1, 'one dot');
});

/* Two programs, one picture: dots, and the valves of wheels, are where the canvas has them in the
 * still <svg> too. */
for (const file of process.argv.slice(2))
  test(`still_and_canvas_agree_${path.basename(file, '.html')}`, () => {
    const page = fs.readFileSync(file, 'utf8');
    const figure = /<figure class="scene">([\s\S]*?)<\/figure>/.exec(page);
    if (!figure) return check(false, 'the page has no scene');
    const data = /<script[^>]*class="scene-data"[^>]*>([\s\S]*?)<\/script>/.exec(figure[1]);
    const s = JSON.parse(data[1]), time = +/data-time="([^"]*)"/.exec(figure[1])[1];
    const moment = player.locate(s.time, time);
    const view = player.firstView(s, 800, 500, s.follow, player.firstAngles(s));
    const c = player.makeCamera(s, view,
                                s.follow ? player.focus(s, moment) : player.middle(s));
    const dots = [...figure[1].matchAll(/<circle cx="([^"]*)" cy="([^"]*)" r="6"/g)]
      .map(m => [+m[1], +m[2]]);
    const points = s.shapes.filter(shape => shape.kind === 'point');
    const valves = [...figure[1].matchAll(/<path d="M(\S+) (\S+)L(\S+) (\S+)"[^>]*stroke-width="4"/g)]
      .map(m => m.slice(1).map(Number));
    const wheels = s.shapes.filter(shape => shape.kind === 'wheel');
    check(dots.length === points.length, `${dots.length} dots`);
    check(valves.length === wheels.length, `${valves.length} valves`);
    check(dots.length + valves.length > 0, 'something to compare');
    for (const shape of points) {
      const p = player.project(c, player.shapeAt(s, shape, moment, null).at);
      check(dots.some(d => near(d[0], p[0], 0.15) && near(d[1], p[1], 0.15)),
            `${shape.label} at ${p[0]}, ${p[1]} among ${dots.join(' | ')}`);
    }
    for (const shape of wheels) {
      const { at, axis, size } = player.shapeAt(s, shape, moment, null);
      const rim = at.map((x, k) => x + 0.84 * size[0] * axis[0][k]);
      const ends = [...player.project(c, at).slice(0, 2), ...player.project(c, rim).slice(0, 2)];
      check(valves.some(v => v.every((x, k) => near(x, ends[k], 0.3))),
            `valve at ${ends} among ${valves.join(' | ')}`);
    }
  });

console.log(`1..${count}`);
console.log(`# ${count - failed} passed, ${failed} failed`);
process.exit(failed ? 1 : 0);
