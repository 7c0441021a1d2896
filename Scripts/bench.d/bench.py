# SPDX-License-Identifier: GPL-3.0-or-later
"""Measures players side by side; Scripts/bench starts it. Ratios count, not the figures of this machine."""
import argparse
import json
import os
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import links
import players
import sound

WORK = Path(os.environ.get("EARSHOT_BENCH_FOLDER", Path(tempfile.gettempdir()) / "earshot-bench"))
LINKS = (("loopback", 0, 0), ("1 MB/s, 50 ms", 1_000_000, 50), ("64 kB/s, 100 ms", 64_000, 100))


LONGEST_PIECE = 600


def long_episode(seconds, *options):
    """An MP3 of tones without any tag, made once: one piece of ten minutes, again and again."""
    piece, path = episode(LONGEST_PIECE, *options, "-t"), WORK / f"tones-{seconds}{''.join(options)}.mp3"
    if not path.exists():
        path.write_bytes(piece.read_bytes() * (seconds // LONGEST_PIECE))
    return path


def episode(seconds, *options):
    """An MP3 of tones, made once."""
    path = WORK / f"tones-{seconds}{''.join(options)}.mp3"
    if not path.exists():
        tones = subprocess.Popen(
            ["sox", "-R", "-n", "-r", "44100", "-b", "16", "-c", "2", "-t", "wav", "-", "synth", str(seconds), "sine", "330",
             "sine", "440", "tremolo", "3", "60", "gain", "-n", "-3"], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
        subprocess.run(["lame", "--quiet", *options, "-", str(path) + ".part"], stdin=tones.stdout, check=True)
        tones.wait()
        os.replace(str(path) + ".part", path)
    return path


def beside(figures):
    """The middle one of the figures and their spread, as text."""
    known = [figure for figure in figures if figure is not None]
    return f"{statistics.median(known):.3f} s of {len(known)}" if known else "nothing heard"


def first_sound(contestants, runs):
    """Seconds from launch to the first audible frame."""
    table = {}
    for link, rate, delay in LINKS:
        for path in (episode(3600, "-b128"), episode(3600, "-V4")):
            with links.Server(WORK, rate, delay) as server, sound.SoundServer() as pulse:
                for name, command in contestants:
                    figures = []
                    for _ in range(runs):
                        with sound.Ear(pulse) as ear:
                            began = time.monotonic()
                            with players.Player(command, [server.url(path.name)], pulse.environment):
                                figures.append(ear.first_sound(began, limit=20))
                    table[f"{link} {path.stem} {name}"] = figures
                    print(f"first sound  {link:16} {path.stem:16} {name:9} {beside(figures)}", flush=True)
    return table


def cost(contestants, runs):
    """Processor seconds for 30 s of playing, and the peak of memory, on an episode of three hours."""
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


def memory(contestants, runs):
    """What is resident while playing a short and a long episode, which must not grow with the length, and while paused."""
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


MEASURES = {"first-sound": first_sound, "cost": cost, "memory": memory}


def main():
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("measures", nargs="*", metavar="measure", help=", ".join(MEASURES))
    options.add_argument("--earshot", required=True)
    options.add_argument("--runs", type=int, default=3)
    options.add_argument("--only", type=lambda text: text.split(","), help="names of players, with commas")
    options.add_argument("--json", help="write the figures to this file")
    given = options.parse_args()
    unknown = set(given.measures) - set(MEASURES)
    if unknown:
        sys.exit(f"bench: no measure is called {', '.join(sorted(unknown))}; there are {', '.join(MEASURES)}")
    WORK.mkdir(exist_ok=True)
    WORK.chmod(0o755)
    contestants = list(players.installed(given.earshot, given.only))
    table = {name: MEASURES[name](contestants, given.runs) for name in given.measures or MEASURES}
    if given.json:
        Path(given.json).write_text(json.dumps(table, indent=1) + "\n")


if __name__ == "__main__":
    main()
