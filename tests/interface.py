#!/usr/bin/env python3
"""What the library shows to the outside: exported symbols, headers that stand alone, and an
installed copy, moved, that a C program and Python find."""
import math
import os
import pathlib
import re
import subprocess
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).parent / "harness"))
import tap

CC = os.environ.get("AH_CC", "cc")
DEFINES = os.environ.get("AH_DEFINES", "").split()
SANITIZED = os.environ.get("AH_SANITIZED") == "1"

PROGRAM = """
#include <anholo/anholo.h>
#include <stdio.h>
int main(void)
{
    ah_ctx *ctx = ah_ctx_create(NULL);
    if (!ctx) return 1;
    const ah_expr x = ah_symbol(ctx, AH_PARAMETER, "x");
    puts(ah_print(ctx, ah_diff(ctx, ah_mul(ctx, x, x), x), AH_ASCII));
    ah_ctx_destroy(ctx);
    return 0;
}
"""


def run(*command, **options):
    return subprocess.run([str(c) for c in command], capture_output=True, text=True, **options)


def exported():
    """Name and version of each symbol; the version itself is a symbol without an address."""
    lines = run("nm", "-D", "--defined-only", "--with-symbol-versions",
                tap.BUILD / "libanholo.so").stdout.splitlines()
    symbols = dict((line.split()[-1].split("@@") + [""])[:2] for line in lines if line.split()[-2] != "A")
    return {n: v for n, v in symbols.items() if not (SANITIZED and re.match(r"__(odr_)?asan", n))}


def interface_version():
    """As the headers tell it: of the interface, MAJOR.MINOR."""
    text = (tap.ROOT / "include/anholo/base.h").read_text()
    return "ANHOLO_" + ".".join(re.search(rf"AH_VERSION_{part} (\d+)", text)[1] for part in ("MAJOR", "MINOR"))


def declared():
    text = "".join(h.read_text() for h in (tap.ROOT / "include/anholo").glob("*.h"))
    text = re.sub(r"/\*.*?\*/", " ", text, flags=re.S)
    return set(re.findall(r"\bAH_API\b[^;{}]*?\b(ah_\w+)\s*\(", text))


def check_symbols():
    versions = exported()
    names = set(versions)
    tap.check(names, "symbols.some")
    tap.check_none(sorted(n for n in names if not n.startswith("ah_")), "symbols.only_ah")
    tap.check_none(sorted(names - declared()), "symbols.all_declared")
    tap.check_none(sorted(declared() - names), "symbols.all_defined")
    tap.check_none(sorted(f"{n}@{v}" for n, v in versions.items() if v != interface_version()), "symbols.version")


def check_program():
    """Nothing in the program hooks itself into printf, as Fortran's quadruple precision does: all output would be slow."""
    names = run("nm", "-D", tap.BUILD / "anholo").stdout
    tap.check("printf" in names and "register_printf" not in names, "program.plain_printf")


def check_headers():
    top = (tap.ROOT / "include/anholo/anholo.h").read_text()
    names = {h.name for h in (tap.ROOT / "include/anholo").glob("*.h")} - {"anholo.h"}
    tap.check_none(sorted(n for n in names if f"<anholo/{n}>" not in top), "headers.all_gathered")

    for folder, wanted in (("include", "public"), ("src", "internal")):
        wrong = []
        for header in sorted((tap.ROOT / folder).rglob("*.h")):
            made = run(CC, "-std=c17", "-Wall", "-Wextra", "-Werror", "-fsyntax-only",
                       "-D_POSIX_C_SOURCE=200809L", *DEFINES, f"-I{tap.ROOT}/include",
                       f"-I{tap.ROOT}/src", f"-I{tap.ROOT}/tests/harness",
                       "-include", header, "-x", "c", "/dev/null")
            if made.returncode:
                wrong.append(made.stderr)
        tap.check_none(wrong, f"headers.{wanted}_stand_alone")


def check_installed():
    """Through DESTDIR, as packagers do, and moved afterwards: program, pkg-config file and Python package find the rest."""
    with tempfile.TemporaryDirectory() as folder:
        made = run("cmake", "--install", tap.BUILD, "--prefix", "/opt/anholo",
                   env={**os.environ, "DESTDIR": folder})
        if not tap.check(made.returncode == 0, "install.destdir", made.stderr):
            return
        prefix = pathlib.Path(folder, "opt/anholo").rename(pathlib.Path(folder, "moved"))
        library = next(prefix.rglob("libanholo.so")).parent
        soname = run("readelf", "-d", library / "libanholo.so").stdout
        tap.check(re.search(r"SONAME.*\[libanholo\.so\.\d+\]", soname), "install.soname", soname)

        env = {**os.environ, "PKG_CONFIG_PATH": str(library / "pkgconfig")}
        version = run("pkg-config", "--modversion", "anholo", env=env).stdout.strip()
        said = run(prefix / "bin/anholo", "--version").stdout
        tap.check(version and version in said, "install.program_runs", version, said)

        source = pathlib.Path(folder, "try.c")
        source.write_text(PROGRAM)
        flags = run("pkg-config", "--cflags", "--libs", "anholo", env=env)
        made = run(CC, "-std=c17", source, "-o", folder + "/try", *flags.stdout.split())
        said = run(folder + "/try", env={**os.environ, "LD_LIBRARY_PATH": str(library)}) \
            if made.returncode == 0 else made
        tap.check(said.stdout == "2*x\n", "install.program_against_it", flags.stderr, made.stderr,
                  said.stdout)
        needed = run("readelf", "-VW", folder + "/try").stdout
        tap.check(f"Name: {interface_version()} " in needed, "install.program_names_version", needed)
        check_beside(prefix, library)


def check_beside(prefix, library):
    """What else lies below the prefix: models, manual pages, the Python package with the library of this prefix."""
    environment = {name: value for name, value in os.environ.items() if not name.startswith("ANHOLO_")}
    said = run(prefix / "bin/anholo", "models", "--folder", env=environment)
    tap.check(said.stdout.strip() == str((prefix / "share/anholo/models").resolve()), "install.models", said.stdout, said.stderr)
    tap.check((prefix / "share/man/man1/anholo.1").exists() and (prefix / "share/man/man1/checkproof.1").exists(), "install.manual")
    model, certificate = prefix / "share/anholo/models/skate.ah", prefix / "skate.json"
    run(prefix / "bin/anholo", "verify", "--states=5", "--certificate", certificate, model, env=environment)
    said = run(prefix / "bin/checkproof", model, certificate, env=environment)
    tap.check(said.returncode == 0 and " checked, 0 wrong, 0 not checked" in said.stdout, "install.checkproof", said.stdout, said.stderr)
    package = next((p.parent for p in prefix.rglob("python3*/*/anholo/__init__.py")), None)
    if not tap.check(package, "install.python"):
        return
    said = run("/usr/bin/python3", "-B", "-c",
               "import anholo; from anholo._library import lib; print(lib._name);"
               "m = anholo.parse('coordinate x\\nkinetic 1/2*x\\'^2\\npotential 1/2*x^2\\nstart x = 1');"
               "print(m.system().simulate(to=1)['x'][-1])",
               env={**environment, "PYTHONPATH": str(package.parent)}, cwd=prefix)
    lines = said.stdout.split()
    tap.check(len(lines) == 2 and lines[0] == str(library.resolve() / "libanholo.so.0") and
              abs(float(lines[1]) - math.cos(1)) < 1e-9, "install.python_finds_it", said.stdout, said.stderr)


def check_hardened():
    for file in ("anholo", "libanholo.so"):
        path = tap.BUILD / file
        optimised = "CMAKE_BUILD_TYPE:STRING=Release" in (tap.BUILD / "CMakeCache.txt").read_text()
        dynamic, headers = run("readelf", "-d", path).stdout, run("readelf", "-hlW", path).stdout
        symbols = run("nm", "-D", path).stdout
        tap.check("GNU_RELRO" in headers and re.search(r"BIND_NOW|FLAGS_1.*NOW", dynamic), f"hardened.{file}.relro")
        tap.check(re.search(r"Type:\s+DYN", headers), f"hardened.{file}.any_address")
        tap.check("__stack_chk_fail" in symbols, f"hardened.{file}.stack")
        if optimised:  # _FORTIFY_SOURCE does nothing without
            tap.check(re.search(r"__(f?printf|vsnprintf|snprintf|memcpy)_chk", symbols), f"hardened.{file}.fortified")


check_symbols()
check_program()
check_headers()
if not SANITIZED:
    check_hardened()
if SANITIZED:
    tap.skip("install", "the copy would need the sanitizers' run-time library")
else:
    check_installed()
tap.done()
