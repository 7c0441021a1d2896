# SPDX-License-Identifier: GPL-3.0-or-later
"""Volume, repeat mode and output after a restart, and a change of the output while it plays."""
import time

from service import Service, wait
from stage import SHORT, Sound


def restart(stage):
    for ends in ("SIGTERM", "kill -9"):
        for state in ("idle", "paused", "playing"):
            home = stage.home()
            with Sound(stage.home().folder) as sound:
                home.environment |= sound.variables
                home.tool("pactl", "load-module", "module-null-sink", "sink_name=other")
                once(stage, home, state, ends)


def sinks(home):
    """Returns the names of the sinks that get sound."""
    names = dict(line.split()[:2] for line in home.tool("pactl", "list", "short", "sinks").stdout.splitlines())
    return [names[line.split()[1]] for line in home.tool("pactl", "list", "short", "sink-inputs").stdout.splitlines()]


def once(stage, home, state, ends):
    with Service(home, home.start("serve")) as first:
        if state != "idle":
            first.client.call("player.play", targets=[str(SHORT)])
            first.client.wait("playing")
        first.client.call("player.volume", percent=44)
        first.client.call("player.repeat", mode="all")
        first.client.call("player.output", to="pulse:other")
        if state != "idle":
            moved = wait(lambda: sinks(home) == ["other"], 20)
            stage.see(bool(moved), f"another output while it plays: the sound is on {sinks(home)}")
            wait(lambda: first.client.call("player.status")["position"], 20)
        if state == "paused":
            first.client.call("player.pause")
            first.client.wait("paused")
        # A record is written when something changes.
        time.sleep(1)
        first.kill() if ends == "kill -9" else first.stop()
    with Service(home, home.start("serve")) as second:
        status = second.client.call("player.status")
        if status["state"] == "idle":
            second.client.call("player.play", targets=[str(SHORT)])
        wait(lambda: sinks(home), 20)
        seen = status["volume"], status["repeat"], sinks(home)
        stage.see(seen == (44, "all", ["other"]), f"after {ends} while {state}: volume {seen[0]}, repeat {seen[1]}, on {seen[2]}")
