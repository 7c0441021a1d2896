# SPDX-License-Identifier: GPL-3.0-or-later
"""Compares the cost of parsing a feed with a bare XML parser and the installed feed parsers."""
import importlib.util
import os
import shutil
import statistics
import subprocess
import sys
import threading
import time

import composed
from material import WORK

SIZES, RUNS, INTERVAL = (10, 1_000, 10_000), 5, 0.001
PEERS = {
    "feedparser": "import feedparser, sys; print(len(feedparser.parse(open(sys.argv[1], 'rb')).entries))",
    "podcastparser": "import podcastparser, sys; print(len(podcastparser.parse('', open(sys.argv[1], 'rb'))['episodes']))",
    "fastfeedparser": "import fastfeedparser, sys; print(len(fastfeedparser.parse(open(sys.argv[1]).read()).entries))"}


def feeds(contestants, given):
    """Processor seconds and memory to parse a feed of 10, 1,000 or 10,000 episodes, with notes in CDATA or escaped."""
    table = {}
    for escaped in (False, True):
        for episodes in SIZES:
            kind = f"{episodes:6} {'escaped' if escaped else 'CDATA':7}"
            path = composed.write(WORK / f"feed-{episodes}{'-escaped' if escaped else ''}.xml", episodes, escaped)
            for name, row in measured(list(programs(given)), path, episodes).items():
                table[f"{kind} {name}"] = row
                rate = path.stat().st_size / 1e6 / max(row["processor_seconds"], 1e-4)
                print(f"feeds        {kind} {name:18} {row['processor_seconds']:7.3f} s of the processor ({rate:6.1f} MB/s), "
                      f"{row['seconds']:7.3f} s, peak {row['peak_megabytes']:6.1f} MB", flush=True)
    return table


def measured(chosen, path, episodes):
    """Returns a row for each program. They take turns, so that other load on the machine affects them equally."""
    spans = {name: [] for name, _ in chosen}
    for turn in range(RUNS):
        for name, command in chosen:
            if turn == 0 or episodes < SIZES[-1] or name not in PEERS:
                spans[name].append(spent([*command, str(path)]))
    rows = {}
    for name, command in chosen:
        seconds, wall = zip(*spans[name])
        rows[name] = {"processor_seconds": round(statistics.median(seconds), 4),
                      "seconds": round(statistics.median(wall), 4), "peak_megabytes": peak([*command, str(path)])}
    return rows


def programs(given):
    """Yields the name and the command of each program; the caller appends the file."""
    yield "earshot --json", [given.earshot, "feed", "parse", "--json"]
    if given.programs:
        yield "earshot, streamed", [f"{given.programs}/FeedStream"]
    if shutil.which("xmllint"):
        yield "xmllint --stream", ["xmllint", "--stream", "--noout"]
    for name, program in PEERS.items():
        if importlib.util.find_spec(name):
            yield name, [sys.executable, "-c", program]


def spent(command):
    """Returns the processor seconds and the elapsed seconds of one run."""
    began = time.monotonic()
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL)
    _, status, used = os.wait4(process.pid, 0)
    if status:
        sys.exit(f"bench: {' '.join(command)} failed")
    return used.ru_utime + used.ru_stime, time.monotonic() - began


def peak(command):
    """Returns the peak of resident memory in MB, from a separate run: a child's rusage includes its parent's pages."""
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL)
    most = 0
    done = threading.Event()
    threading.Thread(target=lambda: (process.wait(), done.set()), daemon=True).start()
    while not done.wait(INTERVAL):
        most = max(most, high_water(process.pid))
    return round(most / 1024, 1)


def high_water(identity):
    try:
        with open(f"/proc/{identity}/status", encoding="ascii", errors="replace") as status:
            return next((int(line.split()[1]) for line in status if line.startswith("VmHWM:")), 0)
    except OSError:
        return 0
