#!/usr/bin/env python3
"""scripts/setup.sh on pretended machines: what is installed, who one is, what apt answers."""
import pathlib
import subprocess
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).parent / "harness"))
import tap

BUILD = ("gcc libc6-dev make cmake ninja-build libflint-dev libgmp-dev liblapacke-dev "
         "liblapack-dev libtcc-dev libsuitesparse-dev libsundials-dev libflint-arb-dev").split()

# Fake commands; $HERE is the pretended machine: installed/NAME, uid, log, fail, flint (the version that is offered).
FAKES = {
    "dpkg-query": '[ -e "$HERE/installed/$(eval echo \\${$#})" ] || exit 1; '
                  'case $* in *Version*) cat "$HERE/flint" ;; *) echo installed ;; esac',
    "apt-cache": 'grep -q update "$HERE/log" && echo "Version: $(cat "$HERE/flint")"',
    "id": 'cat "$HERE/uid"',
    "apt-get": 'echo "apt-get $*" >>"$HERE/log"; [ ! -e "$HERE/fail" ]',
    "sudo": 'echo sudo >>"$HERE/log"; "$@"',
}


class Machine:
    def __init__(self, folder, installed=(), uid=0, sudo=True, dpkg=True, fail=False, flint="2.9.0-5"):
        self.folder = pathlib.Path(folder)
        (self.folder / "installed").mkdir()
        (self.folder / "bin").mkdir()
        for package in installed:
            (self.folder / "installed" / package).touch()
        (self.folder / "uid").write_text(f"{uid}\n")
        (self.folder / "flint").write_text(f"{flint}\n")
        if fail:
            (self.folder / "fail").touch()
        for name, body in FAKES.items():
            if (name == "sudo" and not sudo) or (name == "dpkg-query" and not dpkg):
                continue
            fake = self.folder / "bin" / name
            fake.write_text(f"#!/bin/sh\n{body}\n")
            fake.chmod(0o755)
        for tool in ("cat", "echo", "env", "grep", "sh"):
            (self.folder / "bin" / tool).symlink_to(f"/bin/{tool}")

    def need(self, *groups):
        script = f". {tap.ROOT}/scripts/setup.sh; need {' '.join(groups)}; echo reached"
        return subprocess.run(
            ["/bin/sh", "-eu", "-c", script], capture_output=True, text=True,
            env={"PATH": str(self.folder / "bin"), "HERE": str(self.folder)})

    def log(self):
        log = self.folder / "log"
        return log.read_text() if log.exists() else ""


def on(**machine):
    """Runs `need build` on such a machine: (machine, what it said)."""
    with tempfile.TemporaryDirectory() as folder:
        pretended = Machine(folder, **machine)
        said = pretended.need("build")
        return pretended.log(), said


log, said = on(installed=BUILD)
tap.check((said.stdout, said.stderr, log) == ("reached\n", "", ""), "nothing_missing_is_silent",
          said.stdout, said.stderr, log)

log, said = on(installed=BUILD[2:])
tap.check(log.splitlines()[0].startswith("apt-get update"), "updates_first", log)
tap.check(log.splitlines()[1].endswith(" gcc libc6-dev"), "installs_only_what_is_missing", log)
tap.check(said.stdout == "Installing: gcc libc6-dev\nreached\n", "says_what_it_installs",
          said.stdout)

log, said = on(uid=1000)
tap.check(log.count("sudo") == 2 and "apt-get install" in log and "reached" in said.stdout,
          "through_sudo", log)

log, said = on(uid=1000, sudo=False)
tap.check(said.returncode == 1 and log == "" and "only root" in said.stderr
          and "libflint-arb-dev" in said.stderr, "neither_root_nor_sudo", said.stderr)

log, said = on(fail=True)
tap.check(said.returncode == 1 and "Could not install" in said.stderr, "apt_fails", said.stderr)

log, said = on(dpkg=False)
tap.check("not Debian" in said.stderr and "reached" in said.stdout and log == "", "not_debian",
          said.stderr)

for version, arb in (("3.2.1-1", False), ("3.0.1-3.1build1", False), ("2.8.4-2", True), ("1:2.9.0-5", True)):
    log, said = on(flint=version)
    tap.check("libflint-dev" in log and ("libflint-arb-dev" in log) == arb, f"arb_by_what_apt_offers.{version}", log)
log, said = on(installed=BUILD[:-1], flint="3.2.1-1")
tap.check(log == "" and said.stdout == "reached\n", "arb_is_in_flint_3", log)

with tempfile.TemporaryDirectory() as folder:
    pretended = Machine(folder, installed=["chromium"])
    pretended.need("browser")
    wanted = pretended.log().splitlines()[-1]
tap.check(wanted.endswith(" fonts-stix nodejs npm"), "browser", wanted)

listed = (tap.ROOT / "CONTRIBUTING.md").read_text()
tap.check("`chromium fonts-stix nodejs npm`" in listed, "browser.documented")
tap.done()
