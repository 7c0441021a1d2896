# SPDX-License-Identifier: GPL-3.0-or-later
"""Checks control of playback with real tools; started by Scripts/check-control."""
import argparse
import subprocess
import sys
import tempfile
import traceback

from beside import beside
from clients import clients
from desktop import desktop
from faults import faults
from ownership import ownership
from reading import reading
from rest import rest
from restart import restart
from session import session
from stage import ROOT, Stage
from wire import wire


def kills(stage):
    """Kills the service again and again."""
    rounds = max(3, int(50 * stage.times)) if stage.times < 10 else 200
    run = subprocess.run([ROOT / "Scripts/kill-service", stage.program, str(rounds)], capture_output=True, text=True)
    stage.see(run.returncode == 0, (run.stdout + run.stderr).strip().splitlines()[-1])


CHECKS = {"1": ownership, "2": wire, "3": reading, "4": rest, "5": desktop, "6": session, "7": beside,
          "restart": restart, "faults": faults, "clients": clients, "kills": kills}


def main():
    options = argparse.ArgumentParser(prog="Scripts/check-control")
    options.add_argument("checks", nargs="*", choices=[*CHECKS, []], metavar="check", help=", ".join(CHECKS))
    length = options.add_mutually_exclusive_group()
    length.add_argument("--quick", action="store_const", dest="times", const=0.2, help="a few minutes")
    length.add_argument("--long", action="store_const", dest="times", const=10, help="some hours")
    options.add_argument("--program", required=True, help="the program; by default the release of this folder")
    options.add_argument("--faults", help=argparse.SUPPRESS)
    options.set_defaults(times=1)
    given = options.parse_args()
    with tempfile.TemporaryDirectory(prefix="earshot-control-") as folder:
        stage = Stage(given.program, given.faults, given.times, 10 if given.times < 1 else 1, folder)
        for name in given.checks or CHECKS:
            run(stage, name)
    print(f"{stage.failures} failed" if stage.failures else "all as designed")
    sys.exit(1 if stage.failures else 0)


def run(stage, name):
    """Runs one check; an exception is a failure of it."""
    stage.check = name
    try:
        CHECKS[name](stage)
    except (Exception, SystemExit) as error:
        traceback.print_exc()
        stage.see(False, f"stopped: {error}")


if __name__ == "__main__":
    main()
