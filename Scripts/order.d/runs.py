# SPDX-License-Identifier: GPL-3.0-or-later
"""Runs the program under Scripts/order.d/functions.c: runs.py FUNCTIONS LIST PROGRAM. Prints the called functions."""
import os
import subprocess
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent.parent / "bench.d"))
import links
import players
import sound
from material import WORK, long_episode

FEEDS = Path(__file__).parent.parent.parent / "feeds"
tracer, names, program = sys.argv[1:]


def run(seconds, environment, *arguments):
    """Runs one command with an empty home directory, for a number of seconds at most."""
    sys.stdout.flush()
    with players.Player([tracer, names, str(seconds), program], arguments, environment, to=sys.stdout) as player:
        player.process.wait()


WORK.mkdir(exist_ok=True)
WORK.chmod(0o755)
# The most important run comes first: a download that plays. Tracing makes the start a few seconds slower.
with sound.SoundServer() as pulse, sound.Ear(pulse):
    episode = long_episode(10800, "-b128")
    with links.Server(WORK, 2_000_000, 0) as server:
        run(20, pulse.environment, "play", "--quiet", server.url(episode.name))
    run(10, pulse.environment, "play", str(episode))
for command in (["--version"], ["pause"], ["complete", "names", "a"], ["podcasts"],
                ["feed", "parse", "--json", *map(str, sorted(FEEDS.glob("*.xml")))]):
    run(20, os.environ, *command)
