# SPDX-License-Identifier: GPL-3.0-or-later
"""Compares players; started by Scripts/bench. Only ratios are meaningful: absolute figures depend on this machine."""
import argparse
import json
import statistics
import sys
import time
from pathlib import Path

import links
import players
import sound
from deep import LINKS, deep
from engine import engine
from faults import faults
from feeds import feeds
from formats import formats
from gaps import gaps
from material import LONGEST_PIECE, WORK, episode, long_episode
from library import library
from refresh import refresh
from stalls import stalls
from within import align, seek, soak

# 1.25 times the bit rate of an episode of 128 kbit/s.
TIGHT = ("20 kB/s, 50 ms", 20_000, 50)


def beside(figures):
    """Returns the median of the known figures and their count, as text."""
    known = [figure for figure in figures if figure is not None]
    return f"{statistics.median(known):.3f} s of {len(known)}" if known else "no sound"


def first_sound(contestants, given):
    """Seconds from launch to the first audible frame."""
    table = {}
    for link, rate, delay in (*LINKS, TIGHT):
        for path in (episode(3600, "-b128"), episode(3600, "-V4")):
            with links.Server(WORK, rate, delay) as server, sound.SoundServer() as pulse:
                for name, command in contestants:
                    figures = []
                    for _ in range(given.runs):
                        with sound.Ear(pulse) as ear:
                            began = time.monotonic()
                            with players.Player(command, [server.url(path.name)], pulse.environment):
                                figures.append(ear.first_sound(began, limit=20))
                    table[f"{link} {path.stem} {name}"] = figures
                    print(f"first sound  {link:16} {path.stem:16} {name:9} {beside(figures)}", flush=True)
    return table


def cost(contestants, given):
    """Processor seconds for 30 s of playback, and peak memory, on a three-hour episode."""
    path, table = long_episode(10800, "-b128"), {}
    with links.Server(WORK, 2_000_000, 0) as server, sound.SoundServer() as pulse, sound.Ear(pulse):
        for name, command in contestants:
            with players.Player(command, [server.url(path.name)], pulse.environment) as player:
                time.sleep(3)
                before = player.processor_seconds()
                time.sleep(30)
                spent, peak = player.processor_seconds() - before, player.memory("VmHWM")
            table[name] = {"processor_seconds": round(spent, 2), "peak_megabytes": round(peak, 1)}
            print(f"cost         {name:9} {spent:.2f} s for 30 s of 128 kbit/s, peak {peak:.1f} MB", flush=True)
    return table


def memory(contestants, given):
    """Resident memory while playing a short and a long episode, where it should be equal, and while paused."""
    table = {}
    with sound.SoundServer() as pulse, sound.Ear(pulse):
        for seconds in (60, 10800):
            path = long_episode(seconds, "-b128") if seconds > LONGEST_PIECE else episode(seconds, "-b128")
            for name, command in contestants:
                with players.Player(command, [str(path)], pulse.environment) as player:
                    time.sleep(4)
                    resident, peak = player.memory("VmRSS"), player.memory("VmHWM")
                table[f"{name} {seconds}"] = {"resident": round(resident, 1), "peak": round(peak, 1)}
                print(f"memory       {name:9} {seconds:6} s: resident {resident:.1f} MB, peak {peak:.1f} MB", flush=True)
        for name, command in contestants:
            if name == "earshot":
                idle = players.Player([*command, "--commands", "-"], [str(path)], pulse.environment, says="pause\n")
                with idle as player:
                    time.sleep(4)
                    table[f"{name} paused"] = {"resident": round(player.memory("VmRSS"), 1)}
                print(f"memory       {name:9} paused: resident {table[f'{name} paused']['resident']} MB", flush=True)
    return table


MEASURES = {
    "first-sound": first_sound, "deep": deep, "formats": formats, "stalls": stalls, "gaps": gaps, "seek": seek, "soak": soak, "align": align,
    "cost": cost, "memory": memory, "engine": engine, "feeds": feeds, "refresh": refresh, "library": library,
    "faults": faults}


def described():
    """Returns a description of each measurement, for --help."""
    return "\n".join(f"  {name:12} {measure.__doc__.splitlines()[0]}" for name, measure in MEASURES.items())


def main():
    options = argparse.ArgumentParser(
        prog="Scripts/bench", description=__doc__, epilog=f"measurements:\n{described()}",
        formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("measures", nargs="*", metavar="measurement", help="measurements to run (default: all)")
    options.add_argument("--earshot", required=True, help=argparse.SUPPRESS)
    options.add_argument("--programs", help=argparse.SUPPRESS)
    options.add_argument("--faults", help=argparse.SUPPRESS)
    options.add_argument("--runs", type=int, default=3, help="the number of times each start is measured")
    options.add_argument("--seed", type=int, default=1, help="the seed of the random seeks and the simulated links")
    options.add_argument("--seeks", type=int, default=200, help="the number of random seeks timed in each file")
    options.add_argument("--minutes", type=int, default=20, help="the minutes of audio that the soak test plays")
    options.add_argument("--episodes", type=int, default=100,
                         help="the number of episodes simulated for each family of links")
    options.add_argument("--only", type=lambda text: text.split(","),
                         help="the names of the players to measure, separated by commas")
    options.add_argument("--json", help="write the results to this file")
    given = options.parse_args()
    if unknown := set(given.measures) - set(MEASURES):
        names = ", ".join(sorted(unknown))
        sys.exit(f"bench: unknown measurement {names}; the measurements are {', '.join(MEASURES)}")
    WORK.mkdir(exist_ok=True)
    WORK.chmod(0o755)
    contestants = list(players.installed(given.earshot, given.only))
    table = {name: MEASURES[name](contestants, given) for name in given.measures or MEASURES}
    if given.json:
        Path(given.json).write_text(json.dumps(table, indent=1) + "\n")


if __name__ == "__main__":
    main()
