# SPDX-License-Identifier: GPL-3.0-or-later
"""Compares the cost of the audio engine with loops in C at -O3 and with other libraries."""
import os
import subprocess

from material import long_episode

STREAMS, SECONDS = 64, 20


def engine(contestants, given):
    """Vector operations, conversions, files, voices, streams, mixing, messages and scheduling, compared with C."""
    episode = str(long_episode(10_800, "-b128"))
    runs = [("VectorCost",), ("FileReading", episode), ("VoiceCost",), ("EngineCost",),
            ("StreamingCost", "cost", str(STREAMS), str(SECONDS), episode)]
    runs += [("StreamingCost", "memory", way, episode) for way in ("forward", "backward", "loop")]
    table = {}
    for program, *arguments in runs:
        words = [os.path.join(given.programs, program), *arguments]
        said = subprocess.run(words, check=True, stdout=subprocess.PIPE, text=True).stdout
        name = " ".join([program, *arguments[:2]]) if program == "StreamingCost" else program
        table[name] = said.splitlines()
        for line in table[name]:
            print(f"engine       {line}".rstrip(), flush=True)
    return table
