#!/usr/bin/env python3
"""The player of animations (src/report/web/scene.js, player.js): its syntax, its geometry, and that its canvas
shows what the still pictures of the library show. Needs node."""
import pathlib
import shutil
import subprocess
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).parent / "harness"))
import tap

NODE = shutil.which("node")
WEB = tap.ROOT / "src" / "report" / "web"
PAGES = ["double_pendulum_free", "skate_pendulum", "rolling_disc_pendulum", "bead_on_wire", "tire",
         "coaxial_discs", "bicycle"]


def page(folder, name):
    """The page of a model, or None."""
    out = folder / f"{name}.html"
    command = [tap.BUILD / "anholo", "report", tap.ROOT / "models" / f"{name}.ah", "-o", out]
    done = subprocess.run(command, capture_output=True, text=True, timeout=60)
    return out if done.returncode == 0 and out.exists() else None


def main():
    if not NODE:
        tap.skip("all", "node is not installed")
        tap.done()
    for script in sorted(WEB.glob("*.js")):
        done = subprocess.run([NODE, "--check", script], capture_output=True, text=True, timeout=60)
        tap.check(done.returncode == 0, f"syntax_of_{script.stem}", done.stderr)
    text = (WEB / "scene.js").read_text() + (WEB / "player.js").read_text()
    tap.check(not any(word in text for word in ("http://", "https://", "fetch(", "XMLHttpRequest",
                                                "innerHTML", "eval(")), "no_network_and_no_markup")
    with tempfile.TemporaryDirectory() as folder:
        pages = [page(pathlib.Path(folder), name) for name in PAGES]
        tap.check(all(pages), "pages_are_made")
        done = subprocess.run([NODE, tap.ROOT / "tests" / "player.js"] + [p for p in pages if p],
                              capture_output=True, text=True, timeout=120)
    results = [line for line in done.stdout.splitlines() if line.startswith(("ok", "not ok"))]
    notes = [line[2:] for line in done.stdout.splitlines() if line.startswith("# ")]
    for line in results:
        tap.check(line.startswith("ok"), line.split(" - player.")[1], *notes, done.stderr)
    tap.check(done.returncode == 0 and len(results) > 5, "all_ran", done.stderr)
    tap.done()


main()
