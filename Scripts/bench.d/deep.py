# SPDX-License-Identifier: GPL-3.0-or-later
"""Starts far into a long episode: the time to the first sound, and the error of the position."""
import statistics
import time

import numpy

import links
import material
import matching
import players
import sound

TARGET = 45 * 60
LIMIT = 20
KINDS = (("CBR 128", "-b128"), ("VBR, tag", "-V4"), ("VBR, no tag", "-V4", "-t"))
LINKS = (("loopback", 0, 0), ("1 MB/s, 50 ms", 1_000_000, 50), ("64 kB/s, 100 ms", 64_000, 100))


def deep(contestants, given):
    """Seconds from launch to the first sound at 45 minutes of an hour, and the error of the position."""
    table = {}
    for kind, *options in KINDS:
        path = material.talk(3600, *options)
        expected = material.decoded(path)
        for link, rate, delay in LINKS:
            with links.Server(material.WORK, rate, delay) as server, sound.SoundServer() as pulse:
                for name, command in contestants:
                    started = [*command, *players.starting_at(name, TARGET)]
                    runs = listen_often(given.runs, pulse, started, server.url(path.name), expected)
                    table[f"{link} {kind} {name}"] = [{"first_sound": heard, "off_frames": off} for heard, off in runs]
                    print(f"deep         {link:16} {kind:11} {name:9} {summary(runs)}", flush=True)
    return table


def listen_often(times, *how):
    """Repeats the run, unless the first one produced no sound."""
    runs = [listen(*how)]
    while len(runs) < times and runs[0][0] is not None:
        runs.append(listen(*how))
    return runs


def listen(pulse, command, url, expected):
    """Returns the seconds to the first sound, and the error in frames. Both are None without sound; the error is None
    if the sound is not part of the episode."""
    with sound.Ear(pulse) as ear:
        began = time.monotonic()
        with players.Player(command, [url], pulse.environment):
            seconds = ear.first_sound(began, LIMIT)
            if seconds is None:
                return None, None
            time.sleep(1.5)
        return seconds, landing(ear.left(), expected)


def landing(heard, expected):
    """Returns the number of frames from the requested position to the first recorded frame.

    The recorder reads the sink's silence up to 10 ms ahead. If a stream starts with buffered frames, the recorder loses
    up to 10 ms of its beginning, which counts as a late position.
    """
    audible = int(numpy.argmax(numpy.abs(heard.astype(numpy.int32)) > sound.AUDIBLE))
    # The sound begins after the last silent frame, which can be some frames before the first audible one.
    silent = numpy.flatnonzero(heard[:audible] == 0)
    start = int(silent[-1]) + 1 if len(silent) else audible
    place = matching.locate_far(expected, heard[start + 2000:start + 2000 + material.RATE // 2], TARGET * material.RATE)
    return None if place is None else place - 2000 - TARGET * material.RATE


def summary(runs):
    seconds = [heard for heard, _ in runs if heard is not None]
    if not seconds:
        return f"no sound within {LIMIT} s"
    errors = ", ".join(
        "not in the episode" if off is None else f"{off / material.RATE:+.3f} s ({off:+d} frames)"
        for off in sorted({off for heard, off in runs if heard is not None}, key=str))
    return f"{statistics.median(seconds):.3f} s of {len(seconds)}, position {errors}"
