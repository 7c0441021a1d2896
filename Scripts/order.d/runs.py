# SPDX-License-Identifier: GPL-3.0-or-later
"""Runs the program under Scripts/order.d/functions.c: runs.py FUNCTIONS LIST PROGRAM. Prints the called functions."""
import os
import subprocess
import sys
import tempfile
import threading
import time
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


def serve(environment, episode):
    """Runs the service, and controls it as clients do."""
    with tempfile.TemporaryDirectory(prefix="earshot-order-") as folder:
        os.mkdir(f"{folder}/runtime", 0o700)
        environment = environment | {"HOME": folder, "XDG_RUNTIME_DIR": f"{folder}/runtime"}

        def control():
            def client(*words):
                subprocess.run([program, *words], env=environment, stdin=subprocess.DEVNULL,
                               stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, timeout=30)
                time.sleep(0.5)

            # The service starts slowly under the tracer.
            time.sleep(5)
            events = subprocess.Popen([program, "events"], env=environment, stdout=subprocess.DEVNULL)
            player = subprocess.Popen([program, "play", "--quiet", str(episode)], env=environment,
                                      stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL)
            time.sleep(3)
            for words in (["pause"], ["resume"], ["seek", "+30"], ["volume", "50"], ["status", "--json"], ["stop"]):
                client(*words)
            for process in (events, player):
                process.kill()
                process.wait()

        clients = threading.Thread(target=control)
        clients.start()
        run(25, environment, "serve")
        clients.join()


WORK.mkdir(exist_ok=True)
WORK.chmod(0o755)
# The most important run comes first: a download that plays. Tracing makes the start a few seconds slower.
with sound.SoundServer() as pulse, sound.Ear(pulse):
    episode = long_episode(10800, "-b128")
    with links.Server(WORK, 2_000_000, 0) as server:
        run(20, pulse.environment, "play", "--quiet", server.url(episode.name))
    run(10, pulse.environment, "play", str(episode))
    serve(pulse.environment, episode)
for command in (["--version"], ["pause"], ["complete", "names", "a"], ["podcasts"],
                ["feed", "parse", "--json", *map(str, sorted(FEEDS.glob("*.xml")))]):
    run(20, os.environ, *command)
