/* web/scene.js - a scene at a moment, painted on a canvas: numbers between frames, a camera, shapes
 * sorted from far to near.
 *
 * What figure/scene_json.c writes; figure/scene_svg.c draws the same shapes and looks from the same
 * side. Offered as anholo.scene to player.js, to tests by `require`. */
(function () {
  'use strict';

  /* ---- Vectors, rotations ------------------------------------------------------------------ */

  const add = (a, s, b) => [a[0] + s * b[0], a[1] + s * b[1], a[2] + s * b[2]];
  const dot = (a, b) => a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
  const cross = (a, b) => [
    a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]];
  const norm = a => Math.sqrt(dot(a, a));
  const unit = (a, otherwise) => {
    const l = norm(a);
    return l > 0 && isFinite(l) ? [a[0] / l, a[1] / l, a[2] / l] : otherwise;
  };
  const finite = a => isFinite(a[0]) && isFinite(a[1]) && isFinite(a[2]);

  /* Between two unit quaternions w, x, y, z by the shorter way. */
  function slerp(p, q, s) {
    let c = p[0] * q[0] + p[1] * q[1] + p[2] * q[2] + p[3] * q[3];
    const sign = c < 0 ? -1 : 1;
    c = Math.min(1, Math.abs(c));
    const angle = Math.acos(c);
    const a = angle < 1e-4 ? 1 - s : Math.sin((1 - s) * angle) / Math.sin(angle);
    const b = sign * (angle < 1e-4 ? s : Math.sin(s * angle) / Math.sin(angle));
    const r = [0, 1, 2, 3].map(k => a * p[k] + b * q[k]);
    const l = Math.hypot(...r);
    return r.map(x => x / l);
  }

  /* The axes of the turned solid, in space. */
  function axes([w, x, y, z]) {
    return [
      [1 - 2 * (y * y + z * z), 2 * (x * y + w * z), 2 * (x * z - w * y)],
      [2 * (x * y - w * z), 1 - 2 * (x * x + z * z), 2 * (y * z + w * x)],
      [2 * (x * z + w * y), 2 * (y * z - w * x), 1 - 2 * (x * x + y * y)]];
  }

  /* ---- Time -------------------------------------------------------------------------------- */

  /* The frame before the time, and how far it is to the next. */
  function locate(times, t) {
    const last = times.length - 1;
    if (last < 1 || !(t > times[0])) return { frame: 0, share: 0 };
    if (t >= times[last]) return { frame: last, share: 0 };
    let low = 0, high = last;
    while (high - low > 1) {
      const middle = (low + high) >> 1;
      if (times[middle] <= t) low = middle; else high = middle;
    }
    return { frame: low, share: (t - times[low]) / (times[high] - times[low]) };
  }

  /* A channel between two frames; what does not exist is NaN. */
  function sample(channel, { frame, share }) {
    if (typeof channel === 'number') return channel;
    if (channel === null || channel === undefined) return NaN;
    const a = channel[frame];
    if (!share || a === null) return a === null || a === undefined ? NaN : a;
    const b = channel[frame + 1];
    return b === null || b === undefined ? NaN : a + share * (b - a);
  }

  const SPEEDS = [0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5, 10];

  /* As it happens, unless that is too short or too long to watch. */
  function usualSpeed(duration) {
    if (duration >= 3 && duration <= 40) return 1;
    return SPEEDS.reduce((best, s) =>
      Math.abs(Math.log(duration / s / 8)) < Math.abs(Math.log(duration / best / 8)) ? s : best, 1);
  }

  /* ---- Camera ------------------------------------------------------------------------------ */

  const ALONG = -1.13, ACROSS = -0.44, ELEVATION = 0.35, DISTANCE = 2.6, MARGIN = 46;

  function makeCamera(scene, view, centre) {
    const ahead = cross(scene.up, scene.right);
    if (scene.flat)
      return { e: [scene.right, scene.up, cross(scene.right, scene.up)], centre,
               distance: Infinity, scale: view.scale, x: view.x, y: view.y };
    const level = Math.cos(view.elevation);
    let e2 = add([0, 0, 0], level * Math.cos(view.azimuth), scene.right);
    e2 = add(add(e2, level * Math.sin(view.azimuth), ahead), Math.sin(view.elevation), scene.up);
    const e0 = unit(cross(scene.up, e2), scene.right);
    return { e: [e0, cross(e2, e0), e2], centre, distance: DISTANCE * scene.view,
             scale: view.scale, x: view.x, y: view.y };
  }

  /* Pixels right and down, height above the picture; null behind us. */
  function project(c, r) {
    const d = add(r, -1, c.centre), z = dot(d, c.e[2]);
    const closer = c.distance === Infinity ? 1 : c.distance / (c.distance - z);
    if (!(closer > 0) || closer > 20) return null;
    return [c.x + c.scale * closer * dot(d, c.e[0]), c.y - c.scale * closer * dot(d, c.e[1]), z,
            closer];
  }

  const middle = scene => [0, 1, 2].map(k => (scene.low[k] + scene.high[k]) / 2);

  /* Nearly across the longer side of the ground. */
  function firstAngles(scene) {
    const ahead = cross(scene.up, scene.right), diagonal = add(scene.high, -1, scene.low);
    const along = Math.abs(dot(diagonal, scene.right)) >= Math.abs(dot(diagonal, ahead));
    return { azimuth: along ? ALONG : ACROSS, elevation: ELEVATION };
  }

  /* All corners of the box into the frame; where the view follows, the bodies. */
  function firstView(scene, width, height, follow, angles) {
    const view = { scale: (Math.min(width, height) - MARGIN) / scene.view, x: width / 2,
                   y: height / 2, ...angles };
    if (follow) return view;
    const camera = makeCamera(scene, view, middle(scene)), x = [], y = [];
    for (let i = 0; i < 8; i++) {
      const s = project(camera, [0, 1, 2].map(k => (i >> k & 1 ? scene.high : scene.low)[k]));
      if (s) { x.push(s[0]); y.push(s[1]); }
    }
    const wide = Math.max(...x) - Math.min(...x), tall = Math.max(...y) - Math.min(...y);
    const scale = Math.min(wide > 0 ? (width - 2 * MARGIN) / wide : Infinity,
                           tall > 0 ? (height - 2 * MARGIN) / tall : Infinity);
    if (!isFinite(scale)) return view;
    view.x += scale * (width / 2 - (Math.max(...x) + Math.min(...x)) / 2);
    view.y += scale * (height / 2 - (Math.max(...y) + Math.min(...y)) / 2);
    view.scale *= scale;
    return view;
  }

  /* 1, 2 or 5 times a power of ten, not above x. */
  function nice(x) {
    const power = Math.pow(10, Math.floor(Math.log10(x)));
    return x >= 5 * power ? 5 * power : x >= 2 * power ? 2 * power : power;
  }

  /* The outline of points in the plane (Andrew's monotone chain). */
  function hull(points) {
    const p = points.slice().sort((a, b) => a[0] - b[0] || a[1] - b[1]);
    const half = list => {
      const out = [];
      for (const q of list) {
        while (out.length > 1) {
          const [a, b] = out.slice(-2);
          if ((b[0] - a[0]) * (q[1] - a[1]) - (b[1] - a[1]) * (q[0] - a[0]) > 0) break;
          out.pop();
        }
        out.push(q);
      }
      out.pop();
      return out;
    };
    return p.length < 3 ? p : half(p).concat(half(p.reverse()));
  }

  /* ---- Colours ----------------------------------------------------------------------------- */

  const COLOURS = {
    blue: [0, 114, 178], orange: [230, 159, 0], green: [0, 158, 115], red: [213, 94, 0],
    purple: [170, 95, 160], yellow: [216, 190, 40], cyan: [86, 180, 233], grey: [128, 132, 138],
    black: [60, 62, 66]
  };

  function parseColour(text, otherwise) {
    const hex = /^\s*#([0-9a-f]{6})\s*$/i.exec(text || '');
    return hex ? [0, 2, 4].map(k => parseInt(hex[1].slice(k, k + 2), 16)) : otherwise;
  }

  /* shade 0: black, 1: as it is, 2: white. */
  function shaded(rgb, shade, opacity) {
    const c = rgb.map(x => Math.round(shade <= 1 ? x * shade : x + (255 - x) * (shade - 1)));
    return opacity === undefined || opacity >= 1 ? `rgb(${c})` : `rgba(${c},${opacity})`;
  }

  /* ---- Painting ---------------------------------------------------------------------------- */

  const AROUND = 64, SPOKES = 8, COILS = 9, CHUNK = 12, PROFILE = 16, TURN = 2 * Math.PI;
  const circle = Array.from({ length: AROUND + 1 },
                            (_, i) => [Math.cos(TURN * i / AROUND), Math.sin(TURN * i / AROUND)]);

  /* One picture: pieces are kept with their depths and painted from far to near. */
  class Painter {
    constructor(context, camera, scene, theme) {
      Object.assign(this, { context, camera, scene, theme, pieces: [] });
    }

    path(points, closed) {
      const g = this.context;
      let pen = false, count = 0;
      g.beginPath();
      for (const r of points) {
        const s = finite(r) ? project(this.camera, r) : null;
        if (!s) {
          if (closed) return false;
          pen = false;
          continue;
        }
        if (pen) g.lineTo(s[0], s[1]); else g.moveTo(s[0], s[1]);
        pen = true;
        count++;
      }
      if (closed) g.closePath();
      return count > 1;
    }

    /* In the plane what is said later lies above. */
    keep(depth, lift, paint) {
      this.pieces.push({ depth: (this.scene.flat ? 0 : depth) + (lift || 0), paint });
    }

    polygon(points, closed, style, lift) {
      let depth = 0, count = 0;
      for (const r of points)
        if (finite(r)) {
          depth += dot(add(r, -1, this.camera.centre), this.camera.e[2]);
          count++;
        }
      if (count > 1) this.keep(depth / count, lift, () => this.stroke(points, closed, style));
    }

    stroke(points, closed, { fill, line, width, opacity }) {
      const g = this.context;
      if (!this.path(points, closed)) return;
      g.globalAlpha = opacity === undefined ? 1 : opacity;
      if (fill) { g.fillStyle = fill; g.fill(); }
      if (line) { g.strokeStyle = line; g.lineWidth = width; g.stroke(); }
      g.globalAlpha = 1;
    }

    dot(r, pixels, { fill, line, width }, lift) {
      const s = finite(r) ? project(this.camera, r) : null;
      if (!s) return;
      this.keep(s[2], lift, () => {
        const g = this.context;
        g.beginPath();
        g.arc(s[0], s[1], Math.max(pixels, 0), 0, TURN);
        if (fill) { g.fillStyle = fill; g.fill(); }
        if (line) { g.strokeStyle = line; g.lineWidth = width; g.stroke(); }
      });
    }

    text(r, dx, dy, s) {
      const at = finite(r) ? project(this.camera, r) : null;
      if (!at) return;
      this.keep(0, Infinity, () => {
        const g = this.context;
        g.font = 'italic 15px "STIX Two Text", "Latin Modern Roman", Georgia, serif';
        g.lineWidth = 3;
        g.strokeStyle = this.theme.halo;
        g.strokeText(s, at[0] + dx, at[1] + dy);
        g.fillStyle = this.theme.ink;
        g.fillText(s, at[0] + dx, at[1] + dy);
      });
    }

    end() {
      const g = this.context;
      g.lineCap = g.lineJoin = 'round';
      this.pieces.sort((a, b) => a.depth - b.depth);
      for (const piece of this.pieces) piece.paint();
    }

    /* A face that looks towards us, lit from above and a little from the left. */
    face(points, rgb, tone) {
      const c = this.camera;
      const quad = points.length === 4; /* one of its sides may be a point: then by the diagonals */
      const n = unit(cross(add(points[quad ? 2 : 1], -1, points[0]),
                           add(points[quad ? 3 : 2], -1, points[quad ? 1 : 0])), null);
      if (!n) return;
      const eye = c.distance === Infinity ? c.e[2]
        : add(add(c.centre, c.distance, c.e[2]), -1, points[0]);
      if (dot(n, eye) <= 0) return;
      const light = unit(add(add(c.e[2], 1, c.e[1]), -0.6, c.e[0]), c.e[2]);
      const shade = tone * (this.scene.flat ? 1 : 0.62 + 0.45 * Math.max(dot(n, light), 0));
      const paint = shaded(rgb, shade);
      this.polygon(points, true, { fill: paint, line: paint, width: 0.7 });
    }
  }

  /* ---- Solids ------------------------------------------------------------------------------ */

  /* A place along the axes of a solid. */
  const inside = (s, a, b, c) => add(add(add(s.at, a, s.axis[0]), b, s.axis[1]), c, s.axis[2]);

  function ring(w, s, radius, height, rgb, tone) {
    for (let i = 0; i < AROUND; i++) {
      const corner = (k, side) =>
        inside(s, radius[side] * circle[k][0], radius[side] * circle[k][1], height[side]);
      w.face([corner(i, 0), corner(i + 1, 0), corner(i + 1, 1), corner(i, 1)], rgb, tone);
    }
  }

  /* Four quarters, two by two of one tone: so one sees it turn. */
  function cap(w, s, radius, height, up) {
    for (let quarter = 0; quarter < 4; quarter++) {
      const points = [inside(s, 0, 0, height)];
      for (let i = 0; i <= AROUND / 4; i++) {
        const [x, y] = circle[quarter * AROUND / 4 + i];
        points.push(inside(s, radius * x, up * radius * y, height));
      }
      w.face(points, s.rgb, quarter % 2 ? 1.45 : 1);
    }
  }

  /* About the third axis, from one [radius, height] of the profile to the next, quarters in two tones. */
  function turned(w, s, profile, axis = s.axis) {
    const parts = AROUND / 2, own = { at: s.at, axis };
    const corner = (k, i) => inside(own, profile[k][0] * circle[2 * i][0], profile[k][0] * circle[2 * i][1], profile[k][1]);
    for (let k = 0; k + 1 < profile.length; k++)
      for (let i = 0; i < parts; i++) {
        const odd = (Math.floor(4 * i / parts) + (2 * k >= profile.length - 1)) % 2;
        w.face([corner(k, i), corner(k, i + 1), corner(k + 1, i + 1), corner(k + 1, i)], s.rgb, odd ? 1.25 : 1);
      }
  }

  const profileOf = place => Array.from({ length: PROFILE + 1 }, (_, k) => place(k / PROFILE));

  const SOLIDS = {
    disc(w, s) {
      const [r, h] = s.size;
      ring(w, s, [r, r], [-h / 2, h / 2], s.rgb, 0.9);
      cap(w, s, r, h / 2, 1);
      cap(w, s, r, -h / 2, -1);
    },
    wheel(w, s) {
      const [r, width] = s.size, inner = 0.84 * r, h = width / 2, tread = w.theme.rgb.black;
      ring(w, s, [r, r], [-h, h], tread, 1);
      for (const up of [1, -1]) { /* a side in one piece: once around, and back inside */
        const loop = (a, list) => list.map(([x, y]) => inside(s, a * x, up * a * y, up * h));
        w.face(loop(r, circle).concat(loop(inner, circle).reverse()), tread, 1.15);
      }
      ring(w, s, [inner, inner], [h, -h], tread, 1.3);
      for (let i = 0; i < SPOKES; i++) {
        const a = TURN * i / SPOKES;
        w.polygon([s.at, inside(s, inner * Math.cos(a), inner * Math.sin(a), 0)], false,
                  { line: shaded(i ? s.rgb : w.theme.rgb.red, 1), width: i ? 2 : 4 });
      }
      const p = project(w.camera, s.at);
      if (p) w.dot(s.at, 0.09 * r * w.camera.scale * p[3], { fill: shaded(s.rgb, 0.8) }, 0.01 * r);
    },
    ellipsoid(w, s) {
      turned(w, s, profileOf(x => [Math.sin(TURN / 2 * x), -Math.cos(TURN / 2 * x)]),
             s.axis.map((a, k) => add([0, 0, 0], s.size[k], a)));
    },
    torus(w, s) { /* where the tube is the thicker, what is left is a spindle: up to its axis */
      const [R, tube] = s.size, end = tube > R ? Math.acos(-R / tube) : TURN / 2;
      turned(w, s, profileOf(x => {
        const a = end * (2 * x - 1);
        return [Math.max(R + tube * Math.cos(a), 0), tube * Math.sin(a)];
      }));
    },
    cone(w, s) {
      const [r, h] = s.size;
      turned(w, s, [[r, 0], [0, h]]);
      cap(w, s, r, 0, -1);
    },
    box(w, s) {
      for (let k = 0; k < 6; k++) {
        const a = k % 3, b = (a + 1) % 3, c = (a + 2) % 3, sign = k < 3 ? 1 : -1;
        w.face([0, 1, 2, 3].map(i => {
          const x = [0, 0, 0];
          x[a] = sign * s.size[a] / 2;
          x[b] = sign * (i === 1 || i === 2 ? 1 : -1) * s.size[b] / 2;
          x[c] = (i >= 2 ? 1 : -1) * s.size[c] / 2;
          return inside(s, ...x);
        }), s.rgb, 1);
      }
    },
    sphere(w, s) {
      const p = project(w.camera, s.at), r = s.size[0], edge = shaded(s.rgb, 0.7);
      if (!p) return;
      const pixels = r * w.camera.scale * p[3], g = w.context;
      const fill = g.createRadialGradient(p[0] - 0.3 * pixels, p[1] - 0.4 * pixels, 0.1 * pixels,
                                          p[0], p[1], pixels);
      fill.addColorStop(0, shaded(s.rgb, 1.5));
      fill.addColorStop(1, shaded(s.rgb, 0.75));
      w.dot(s.at, pixels, { fill, line: edge, width: 1 });
      for (let k = 0; k < 3; k++)
        w.polygon(circle.map(([c, d]) => {
          const x = [0, 0, 0];
          x[k] = r * c;
          x[(k + 1) % 3] = r * d;
          const place = inside(s, ...x);
          return dot(add(place, -1, s.at), w.camera.e[2]) < 0 ? [NaN, NaN, NaN] : place;
        }), false, { line: edge, width: 1, opacity: 0.8 }, r);
    }
  };

  /* What a solid covers on the ground: the places around it. */
  function outline(s, up) {
    if (s.kind === 'box') {
      const out = [];
      for (let k = 0; k < 8; k++)
        out.push(inside(s, ...[0, 1, 2].map(i => (k >> i & 1 ? 0.5 : -0.5) * s.size[i])));
      return out;
    }
    const [r, b = 0] = s.size, out = [];
    const rim = (radius, height) => circle.forEach(([x, y]) => out.push(inside(s, radius * x, radius * y, height)));
    if (s.kind === 'sphere' || s.kind === 'ellipsoid') { /* where the vertical touches x = A u: u at right angles to A⁻¹ up */
      const size = s.kind === 'sphere' ? [r, r, r] : s.size;
      const m = unit(s.axis.map((a, k) => dot(up, a) / Math.max(size[k], 1e-9)), [0, 0, 1]);
      const u = unit(cross(m, Math.abs(m[0]) < 0.9 ? [1, 0, 0] : [0, 0, 1]), [1, 0, 0]), v = cross(m, u);
      for (const [x, y] of circle) out.push(inside(s, ...[0, 1, 2].map(k => size[k] * (x * u[k] + y * v[k]))));
    } else if (s.kind === 'torus') {
      rim(r, -b), rim(r + b, 0), rim(r, b);
    } else if (s.kind === 'cone') {
      rim(r, 0), rim(0, b);
    } else {
      rim(r, -b / 2), rim(r, b / 2);
    }
    return out;
  }

  /* ---- Lines and planes -------------------------------------------------------------------- */

  const across = (w, along) => unit(cross(w.camera.e[2], along), w.camera.e[0]);

  const LINES = {
    point(w, s) {
      w.dot(s.at, 6.5, { fill: shaded(s.rgb, 1), line: w.theme.halo, width: 1.2 },
            0.02 * w.scene.view);
    },
    line(w, s) {
      w.polygon([s.at, s.to], false, { line: shaded(s.rgb, 1), width: 3 });
    },
    spring(w, s) {
      const along = add(s.to, -1, s.at), side = across(w, along), points = [s.at];
      for (let i = 0; i <= 2 * COILS; i++) {
        const out = i === 0 || i === 2 * COILS ? 0 : i % 2 ? 1 : -1;
        points.push(add(add(s.at, 0.12 + 0.76 * i / (2 * COILS), along),
                        0.02 * out * w.scene.view, side));
      }
      points.push(s.to);
      w.polygon(points, false, { line: shaded(s.rgb, 1), width: 1.8 });
    },
    arrow(w, s) {
      const length = s.size[0] * norm(s.to), pixel = 1 / w.camera.scale;
      if (!(length > pixel)) return;
      const along = unit(s.to, null), side = across(w, along), paint = shaded(s.rgb, 1);
      const tip = add(s.at, length, along), head = Math.min(12 * pixel, 0.5 * length);
      const neck = add(tip, -head, along), lift = 0.05 * w.scene.view;
      w.polygon([s.at, neck], false, { line: paint, width: 2.6 }, lift);
      w.polygon([tip, add(neck, 0.4 * head, side), add(neck, -0.4 * head, side)], true,
                { fill: paint, line: paint, width: 1 }, lift);
    },
    blade(w, s) {
      const l = s.size[0], along = unit(s.to, w.scene.right), paint = shaded(s.rgb, 1);
      const ends = [add(s.at, -l / 2, along), add(s.at, l / 2, along)];
      const side = w.scene.flat ? across(w, along) : w.scene.up;
      const points = w.scene.flat
        ? [ends[0], add(s.at, -0.05 * l, side), ends[1], add(s.at, 0.05 * l, side)]
        : [ends[0], ends[1], add(add(s.at, 0.42 * l, along), 0.14 * l, side),
           add(add(s.at, -0.42 * l, along), 0.14 * l, side)];
      w.polygon(points, true, { fill: paint, line: paint, width: 1.5 });
    },
    curve(w, s) {
      w.polygon(s.points, false, { line: shaded(s.rgb, 1), width: 1.8, opacity: 0.8 });
    }
  };

  function grid(w, origin, u, v) {
    const half = w.scene.flat ? 0.6 * w.diagonal / w.camera.scale /* all of the picture */
      : 0.75 * (w.follow ? 2 : 1) * w.scene.view / Math.min(w.zoom, 1);
    const step = nice(half / 5), to = add(w.camera.centre, -1, origin);
    const a = Math.round(dot(to, u) / step), b = Math.round(dot(to, v) / step);
    const lines = Math.ceil(half / step);
    w.step = step;
    const at = (x, y) => add(add(origin, (a + x) * step, u), (b + y) * step, v);
    for (let i = -lines; i <= lines; i++)
      for (let k = -lines; k < lines; k++) {
        const far = Math.hypot(i, k + 0.5) / lines; /* fades out */
        const style = { line: w.theme.ink, width: 0.8,
                        opacity: (w.scene.flat ? 0.13 : 0.26 * Math.max(0, 1.1 - far)) };
        w.stroke([at(i, k), at(i, k + 1)], false, style);
        w.stroke([at(k, i), at(k + 1, i)], false, style);
      }
  }

  /* Seen from the side: a line with hatches below. */
  function floor(w, s, normal) {
    const along = cross(normal, w.camera.e[2]), view = w.scene.view / Math.min(w.zoom, 1);
    const half = (w.follow ? 2 : 0.8) * view, step = view / 30;
    const d = dot(add(w.camera.centre, -1, s.at), along);
    const first = Math.floor((d - half) / step), style = { line: shaded(s.rgb, 1), width: 1.6 };
    w.stroke([add(s.at, d - half, along), add(s.at, d + half, along)], false, style);
    for (let i = first; i * step < d + half; i++) {
      const top = add(s.at, i * step, along);
      w.stroke([top, add(add(top, -0.6 * step, normal), -0.6 * step, along)], false,
               { line: shaded(s.rgb, 1), width: 1, opacity: 0.6 });
    }
  }

  function ground(w, s) {
    const up = w.scene.up, placed = s.placed && finite(s.at);
    const at = placed ? s.at : add([0, 0, 0], w.scene.ground, up);
    const n = placed && finite(s.to) ? unit(s.to, up) : up;
    if (w.scene.flat) {
      if (placed && Math.abs(n[2]) < 0.5) floor(w, s, n);
      return;
    }
    const x = Math.abs(dot(n, w.scene.right)) < 0.9 ? w.scene.right : cross(up, w.scene.right);
    const u = unit(add(x, -dot(x, n), n), x);
    grid(w, at, u, cross(n, u));
    w.shade = { at, n };
  }

  /* Shadows straight down onto the ground. */
  function shadows(w, solids) {
    if (!w.shade) return;
    const { at, n } = w.shade, g = w.context;
    const down = r => add(r, -dot(add(r, -1, at), n), n);
    g.fillStyle = w.theme.shadow;
    for (const s of solids) {
      if (!finite(s.at)) continue;
      const seen = outline(s, n).map(r => project(w.camera, down(r))).filter(Boolean);
      const edge = hull(seen);
      g.beginPath();
      edge.forEach((p, i) => i ? g.lineTo(p[0], p[1]) : g.moveTo(p[0], p[1]));
      g.fill();
    }
  }

  /* The box of two coordinates that are no lengths. */
  function configuration(w) {
    const corners = [[0, 0, 0], [1.5, 0, 0], [1.5, 1, 0], [0, 1, 0]];
    w.polygon(corners, true, { line: w.theme.ink, width: 1, opacity: 0.5 }, -1);
    w.scene.axes.forEach((axis, k) => {
      const number = x => x === null ? '' : String(+x.toPrecision(3));
      w.text([k ? 0 : 0.75, k ? 0.5 : 0, 0], k ? -36 : -4, k ? 4 : 32, axis.name);
      w.text(corners[0], k ? -42 : 0, k ? -4 : 18, number(axis.low));
      w.text(corners[k ? 3 : 1], k ? -42 : -20, k ? 12 : 18, number(axis.high));
    });
  }

  /* ---- Shapes at a moment ------------------------------------------------------------------ */

  function vectorAt(scene, refs, moment) {
    return refs ? refs.map(k => sample(scene.channels[k], moment)) : [NaN, NaN, NaN];
  }

  function turnAt(scene, refs, moment) {
    const at = m => refs.map(k => sample(scene.channels[k], m));
    const before = at({ frame: moment.frame, share: 0 });
    if (!moment.share) return before;
    return slerp(before, at({ frame: moment.frame + 1, share: 0 }), moment.share);
  }

  function shapeAt(scene, shape, moment, theme) {
    return {
      kind: shape.kind,
      rgb: theme ? theme.rgb[shape.colour] : null,
      placed: !!shape.at,
      at: vectorAt(scene, shape.at, moment),
      to: vectorAt(scene, shape.to, moment),
      axis: shape.turn ? axes(turnAt(scene, shape.turn, moment)) : null,
      size: (shape.size || []).map(k => sample(scene.channels[k], moment)),
      points: (shape.points || []).map(p => vectorAt(scene, p, moment))
    };
  }

  const BODIES = new Set(['point', 'line', 'spring', 'disc', 'wheel', 'sphere', 'ellipsoid', 'torus', 'cone', 'box', 'blade']);

  /* The middle of the bodies, of lines only where there is nothing else: a view that follows looks
   * there. */
  function focus(scene, moment) {
    const low = [Infinity, Infinity, Infinity], high = [-Infinity, -Infinity, -Infinity];
    const include = r => {
      for (let k = 0; k < 3 && finite(r); k++) {
        low[k] = Math.min(low[k], r[k]);
        high[k] = Math.max(high[k], r[k]);
      }
    };
    const lines = new Set(['line', 'spring']);
    for (const shape of scene.shapes)
      if (BODIES.has(shape.kind) && !lines.has(shape.kind))
        include(vectorAt(scene, shape.at, moment));
    for (const shape of scene.shapes)
      if (lines.has(shape.kind) && !isFinite(low[0])) {
        include(vectorAt(scene, shape.at, moment));
        include(vectorAt(scene, shape.to, moment));
      }
    const [a, b] = isFinite(low[0]) ? [low, high] : [scene.low, scene.high];
    return [0, 1, 2].map(k => (a[k] + b[k]) / 2);
  }

  /* In pieces, so that a body can stand between them. */
  function trace(w, scene, shape, moment) {
    const rgb = w.theme.rgb[shape.colour], last = scene.time.length - 1;
    const at = f => vectorAt(scene, shape.at, { frame: f, share: 0 });
    const lift = -0.01 * scene.view;
    const now = vectorAt(scene, shape.at, moment);
    const stretch = (points, style) => {
      for (let i = 0; i + 1 < points.length; i += CHUNK)
        w.polygon(points.slice(i, i + CHUNK + 1), false, style, lift);
    };
    const past = [], future = [now];
    for (let f = 0; f <= moment.frame; f++) past.push(at(f));
    past.push(now);
    for (let f = moment.frame + 1; f <= last; f++) future.push(at(f));
    stretch(future, { line: shaded(rgb, 1), width: 1.1, opacity: 0.22 });
    stretch(past, { line: shaded(rgb, 1), width: 1.8, opacity: 0.9 });
  }

  function paint(context, scene, camera, moment, theme, options) {
    const w = new Painter(context, camera, scene, theme);
    w.follow = options.follow;
    w.zoom = options.zoom;
    w.diagonal = options.diagonal;
    context.lineCap = context.lineJoin = 'round';
    if (scene.flat && !scene.axes) grid(w, [0, 0, 0], scene.right, scene.up);
    const now = scene.shapes.map(shape => shapeAt(scene, shape, moment, theme));
    now.filter(s => s.kind === 'ground').forEach(s => ground(w, s));
    const solids = now.filter(s => s.kind in SOLIDS && finite(s.at) && finite(s.axis[2]));
    if (!scene.flat) shadows(w, solids);
    if (scene.axes) configuration(w);
    scene.shapes.forEach((shape, i) => {
      const s = now[i];
      if (s.kind === 'trace') {
        if (options.traces) trace(w, scene, shape, moment);
      } else if (s.kind in SOLIDS) {
        if (solids.includes(s)) SOLIDS[s.kind](w, s);
      } else if (s.kind in LINES && (s.kind !== 'arrow' || options.arrows)) {
        if (s.kind === 'curve' || finite(s.at)) LINES[s.kind](w, s);
      }
      const hidden = s.kind === 'ground' || (s.kind === 'arrow' && !options.arrows);
      if (shape.label && !hidden) w.text(s.at, 9, -9, shape.label);
    });
    w.end();
    return { pieces: w.pieces.length, step: w.step };
  }

  const scene = {
    add, dot, cross, slerp, axes, locate, sample, SPEEDS, usualSpeed, makeCamera, project, middle,
    firstAngles, firstView, nice, hull, COLOURS, parseColour, shaded, shapeAt, focus, paint };
  if (typeof module === 'object' && module.exports) module.exports = scene;
  else window.anholo = { ...window.anholo, scene };
})();
