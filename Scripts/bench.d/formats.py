# SPDX-License-Identifier: GPL-3.0-or-later
"""Compares the formats: an hour of each on three links, a start at 45 minutes, and memory."""
import os
import statistics
import subprocess
import time

import numpy

import links
import material
import players
import sound
from deep import LINKS, TARGET, landing

LIMIT = 20
AAC = ("-c:a", "aac", "-b:a", "96k")
# The name, the extension, and the options for ffmpeg.
KINDS = (
    ("MP3", "mp3", ("-c:a", "libmp3lame", "-b:a", "128k")),
    ("M4A, moov first", "first.m4a", (*AAC, "-movflags", "+faststart")),
    ("M4A, moov last", "last.m4a", AAC),
    ("M4A, fragments", "fragments.m4a", (*AAC, "-movflags", "frag_keyframe+empty_moov", "-frag_duration", "2000000")),
    ("ADTS", "aac", AAC),
    ("Opus", "opus", ("-c:a", "libopus", "-b:a", "64k")),
    ("Vorbis", "ogg", ("-c:a", "libvorbis", "-q:a", "2")),
    ("FLAC", "flac", ("-c:a", "flac", "-ac", "1")),
    ("WAV", "wav", ("-c:a", "pcm_s16le", "-ac", "1")),
)
# These need more bytes per second than the slow link sends.
WIDE = {"FLAC", "WAV"}


def formats(contestants, given):
    """An hour of each format: first sound, start at 45 minutes with its error, and memory, as tables."""
    # mpg123 plays only MP3.
    contestants = [(name, command) for name, command in contestants if name != "mpg123"]
    table, expected = {}, reference()
    names = [name for name, _ in contestants]
    for link, rate, delay in LINKS:
        rows, deep_rows = [], []
        with links.Server(material.WORK, rate, delay) as server, sound.SoundServer() as pulse:
            for kind, ending, options in KINDS:
                if kind in WIDE and rate == 64_000:
                    continue
                url = server.url(hour(ending, options).name)
                first = [started(given.runs, pulse, command, url) for _, command in contestants]
                deep = [started(given.runs, pulse, [*command, *players.starting_at(name, TARGET)], url, expected)
                        for name, command in contestants]
                rows.append([kind, *map(cell, first), f"{silence(hour(ending, options)):.3f}"])
                deep_rows.append([kind, *map(cell, deep)])
                table[f"{link} {kind}"] = {"first": dict(zip(names, first)), "deep": dict(zip(names, deep))}
        show(f"first sound, {link}", [*names, "silence first"], rows)
        show(f"start at 45 min, {link}", names, deep_rows)
    table["memory"] = memory(contestants, names)
    return table


def memory(contestants, names):
    """Returns the resident and the peak megabytes after 4 s of each file on disk."""
    rows, table = [], {}
    with sound.SoundServer() as pulse, sound.Ear(pulse):
        for kind, ending, options in KINDS:
            row = []
            for _, command in contestants:
                with players.Player(command, [str(hour(ending, options))], pulse.environment) as player:
                    time.sleep(4)
                    row.append((round(player.memory("VmRSS"), 1), round(player.memory("VmHWM"), 1)))
            table[kind] = dict(zip(names, row))
            rows.append([kind, *(f"{resident} / {peak}" for resident, peak in row)])
    show("memory in MB, resident / peak", names, rows)
    return table


def started(times, pulse, command, url, expected=None):
    """Returns the seconds to the first sound of each run, and the errors of the position in seconds."""
    runs = []
    while len(runs) < times and (not runs or runs[0][0] is not None):
        with sound.Ear(pulse) as ear:
            began = time.monotonic()
            with players.Player(command, [url], pulse.environment):
                seconds, error = ear.first_sound(began, LIMIT), None
                if seconds is not None and expected is not None:
                    time.sleep(1.5)
                    frames = landing(ear.left(), expected)
                    error = None if frames is None else round(frames / material.RATE, 3)
        runs.append((seconds, error))
    return runs


def silence(path):
    """Returns the seconds before the first audible frame of a decoded file. Where nothing states the delay of the
    encoder, as in ADTS, every player plays it."""
    command = ["ffmpeg", "-loglevel", "error", "-i", str(path), "-t", "1", "-ac", "1", "-f", "s16le", "-"]
    samples = numpy.frombuffer(subprocess.run(command, stdout=subprocess.PIPE, check=True).stdout, "<i2")
    return int(numpy.argmax(abs(samples.astype(int)) > sound.AUDIBLE)) / material.RATE


def cell(runs):
    """Returns the median time, and the largest error of the position if it was compared."""
    seconds = [seconds for seconds, _ in runs if seconds is not None]
    if not seconds:
        return f"> {LIMIT}"
    errors = [error for _, error in runs if error is not None]
    return f"{statistics.median(seconds):.2f}" + (f" ({max(errors, key=abs):+.3f} s)" if errors else "")


def show(title, names, rows):
    """Prints a table."""
    print(f"formats      {title}")
    head = ["", *names]
    widths = [max(len(row[column]) for row in [head, *rows]) for column in range(len(head))]
    for row in [head, *rows]:
        print("formats      " + "  ".join(text.ljust(width) for text, width in zip(row, widths)).rstrip(), flush=True)


def whole():
    """Returns an hour of a melody as FLAC, from which all others are encoded."""
    path = material.WORK / "hour-source.flac"
    if not path.exists():
        starts = range(0, 3600, material.LONGEST_PIECE)
        pieces = (material.melody(material.LONGEST_PIECE * material.RATE, start, 0.01) for start in starts)
        pipe(["-f", "s16le", "-ar", str(material.RATE), "-ac", "1", "-i", "-", "-c:a", "flac"], path, pieces)
    return path


def hour(ending, options):
    """Returns an hour in one format."""
    path = material.WORK / ("hour-" + (ending if "." in ending else "whole." + ending))
    if not path.exists():
        pipe(["-i", str(whole()), "-ac", "2", *options], path)
    return path


def pipe(options, path, pieces=()):
    """Runs ffmpeg, with samples on its standard input."""
    part = path.with_name("part-" + path.name)
    command = ["ffmpeg", "-y", "-loglevel", "error", *options, str(part)]
    with subprocess.Popen(command, stdin=subprocess.PIPE) as encoder:
        for piece in pieces:
            encoder.stdin.write((piece * 32767).clip(-32768, 32767).astype("<i2").tobytes())
    if encoder.returncode:
        raise SystemExit(f"bench: ffmpeg could not encode {path.name}")
    os.replace(part, path)


def reference():
    """Returns the expected samples in 16 bits."""
    kept = material.WORK / "hour-source.left"
    if not kept.exists():
        pipe(["-i", str(whole()), "-f", "s16le"], kept.with_suffix(".raw"))
        os.replace(kept.with_suffix(".raw"), kept)
    return numpy.memmap(kept, "<i2", "r")
