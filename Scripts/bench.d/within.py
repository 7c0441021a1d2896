# SPDX-License-Identifier: GPL-3.0-or-later
"""Runs the programs of Benchmarks, which measure internals that other players do not expose."""
import json
import os
import resource
import subprocess
import sys

import material

KINDS = (("CBR 128", "-b128"), ("VBR, tag", "-V4"), ("VBR, no tag", "-V4", "-t"))


def seek(contestants, given):
    """Milliseconds from a seek in a complete hour to the first sample passed to the device."""
    table = {}
    for kind, *options in KINDS:
        table[kind] = rows = run(given, "SeekLatency", str(given.seed), str(given.seeks), str(material.talk(3600, *options)))
        for row in rows:
            print(f"seek         {kind:11} {row['ground']:5} ground: median {row['median_ms']:.1f} ms, 95 % "
                  f"{row['p95_ms']:.1f} ms, longest {row['max_ms']:.1f} ms of {row['seeks']}", flush=True)
    return table


def soak(contestants, given):
    """Random seeks, pauses and skips in virtual time, with each sample and position compared with mpg123's output."""
    files = []
    for _, *options in KINDS:
        path = material.talk(material.LONGEST_PIECE, *options)
        files += [str(path), str(reference(path))]
    (row,) = run(given, "SeekSoak", str(given.seed), str(given.minutes), *files)
    (before, after), threads, opened = row["resident_kilobytes"], row["threads"], row["open_files"]
    print(f"soak         {row['sound_seconds']} s of sound, seed {given.seed}, {row['orders']} orders: "
          f"{row['frames_compared']} frames compared, {row['mismatches']} differ", flush=True)
    print(f"soak         order to landing: median {row['median_ms']:.1f} ms, 95 % {row['p95_ms']:.1f} ms, "
          f"longest {row['max_ms']:.1f} ms", flush=True)
    print(f"soak         after a tenth and at the end: {before / 1000:.1f} and {after / 1000:.1f} MB resident, "
          f"{threads[0]} and {threads[1]} threads, {opened[0]} and {opened[1]} open files", flush=True)
    return row


def align(contestants, given):
    """The cost of recognizing an episode with different advertisements, compared with the cost of decoding it."""
    path = material.talk(3600, "-b128")
    (row,) = run(given, "AlignmentCost", str(given.seed), str(path))
    row["decode_ms"] = 1000 * processor_seconds("mpg123", "-q", "-t", str(path))
    print(f"align        {row['packets']} packets hashed in {row['hash_ms']:.1f} ms, "
          f"{100 * row['hash_ms'] / row['decode_ms']:.2f} % of decoding them", flush=True)
    print(f"align        two versions of 3 h: {row['align_ms']:.1f} ms (longest {row['align_max_ms']:.1f}) and "
          f"{row['align_kilobytes'] / 1000:.1f} MB; {row['arriving_ms']:.1f} ms in total while one arrives", flush=True)
    return row


def processor_seconds(*command):
    """Returns the processor time of the program and its children."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run(command, check=True)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def reference(path):
    """Returns a file of all samples as mpg123 decodes and trims them."""
    kept = path.with_suffix(".f32")
    if not kept.exists():
        with open(f"{kept}.part", "wb") as file:
            subprocess.run(["mpg123", "-q", "-e", "f32", "-s", str(path)], stdout=file, check=True)
        os.replace(f"{kept}.part", kept)
    return kept


def run(given, program, *arguments):
    """Returns the JSON objects that the program prints."""
    return [json.loads(line) for line in lines(given, program, *arguments)]


def lines(given, program, *arguments):
    """Returns the lines that the program prints; exits if the program fails."""
    if not given.programs:
        sys.exit(f"bench: {program} was not built; start the measurement with Scripts/bench")
    found = subprocess.run([f"{given.programs}/{program}", *arguments], stdout=subprocess.PIPE, text=True)
    if found.returncode:
        sys.exit(f"bench: {program} failed (status {found.returncode})")
    return found.stdout.splitlines()
