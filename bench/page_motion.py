"""bench/page_motion.py BUILD - the motion of the models of ./demo as a page computes it, in JavaScript, beside the exported C."""
import pathlib
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[1]
BUILD = pathlib.Path(sys.argv[1]).resolve()
ROWS, TIMES, WANTED = 601, 150, 4

C = """#include "NAME.h"
#include <stdio.h>
#include <time.h>
int main(void)
{
    double best = 1e9, sum = 0;
    for (int k = 0; k < TIMES; k++) {
        NAME_parameters p;
        double y[UPPER_STATES], h = 0, t = NAME_start(y);
        const double t0 = t;
        struct timespec a, b;
        NAME_defaults(&p);
        clock_gettime(CLOCK_MONOTONIC, &a);
        for (int i = 1; i < ROWS; i++)
            if (!NAME_advance(&p, &t, y, t0 + (END - t0) * i / (ROWS - 1), 1e-9, 1e-12, &h)) return 1;
        clock_gettime(CLOCK_MONOTONIC, &b);
        const double taken = (double) (b.tv_sec - a.tv_sec) + 1e-9 * (double) (b.tv_nsec - a.tv_nsec);
        if (taken < best) best = taken;
        sum += y[0];
    }
    printf("%.9g %.17g\\n", best, sum / TIMES);
}
"""
NODE = """
const m = require(process.argv[1]), end = Number(process.argv[2]);
let best = 1e9, last = 0;
for (let k = 0; k < TIMES; k++) {
    const p = m.defaults(), s = {t: m.start.t, y: Float64Array.from(m.start.y), h: 0}, t0 = s.t, begin = performance.now();
    for (let i = 1; i < ROWS; i++) m.advance(p, s, t0 + (end - t0) * i / (ROWS - 1), 1e-9, 1e-12);
    best = Math.min(best, (performance.now() - begin) / 1000);
    last = s.y[0];
}
console.log(best, last);
"""


def must(*words):
    return subprocess.run([str(w) for w in words], check=True, capture_output=True, text=True).stdout


for name, end in (("tire", 10), ("double_pendulum", 3)):
    with tempfile.TemporaryDirectory() as scratch:
        folder = pathlib.Path(scratch)
        for language in ("c", "js"):
            must(BUILD / "anholo", "export", language, ROOT / f"models/{name}.ah", "-o", folder)
        text = C
        for word, value in (("TIMES", TIMES), ("ROWS", ROWS), ("END", f"{end}.0"), ("UPPER", name.upper()), ("NAME", name)):
            text = text.replace(word, str(value))
        (folder / "time.c").write_text(text)
        must("cc", "-O2", "-D_POSIX_C_SOURCE=199309L", folder / "time.c", folder / f"{name}.c", "-o", folder / "time", "-lm")
        own, x = map(float, must(folder / "time").split())
        page, z = map(float, must("node", "-e", NODE.replace("TIMES", str(TIMES)).replace("ROWS", str(ROWS)), folder / f"{name}.js",
                                  end).split())
        ratio = page / own
        print(f"{name:16} C {own*1e3:7.2f} ms   page {page*1e3:7.2f} ms   {ratio:5.2f} times   wanted: below {WANTED}   "
              f"{'yes' if ratio < WANTED else 'NO'}   apart {abs(x - z):.0e}")
