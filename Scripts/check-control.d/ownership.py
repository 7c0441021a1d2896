# SPDX-License-Identifier: GPL-3.0-or-later
"""One owner of playback, and what is left of it after a crash."""
import os
import stat

from service import Service, now, wait
from stage import SHORT

STARTS = 50


def ownership(stage):
    home = stage.home()
    with home.serve() as service:
        rights(stage, home)
        second = home.run("serve", "--output", "null")
        stage.see(second.returncode == 75 and str(service.pid) in second.stderr,
                  f"a second service: status {second.returncode}, \"{second.stderr.strip()}\"")
        status, time = service.stop()
        stage.see(status == 0 and time < 2 and not os.path.exists(home.socket),
                  f"SIGTERM while nothing plays: status {status} after {time:.2f} s, no socket remains")
    starts(stage)
    crashes(stage)


def rights(stage, home):
    folder, control = (os.stat(path).st_mode for path in (os.path.dirname(home.socket), home.socket))
    text = f"{stat.filemode(folder)} and {stat.filemode(control)}"
    stage.see(text == "drwx------ and srw-------", f"folder and socket: {text}")


def starts(stage):
    home = stage.home()
    all = [home.start("serve", "--output", "null") for _ in range(STARTS)]
    alive = wait(lambda: len(left := [one for one in all if one.poll() is None]) == 1 and left) or []
    ended = [one.returncode for one in all if one.poll() is not None]
    answers = bool(alive) and Service(home, alive[0]).client.call("ping") == {}
    stage.see(ended == [75] * (STARTS - 1) and answers,
              f"{STARTS} starts together: {len(alive)} runs and answers, the others ended with {set(ended)}")
    for one in all:
        one.kill()
        one.wait()


def crashes(stage):
    """Kills the service while it plays a file that only its own record knows."""
    home = stage.home()
    with home.serve() as first:
        first.client.call("player.play", targets=[str(SHORT)])
        first.client.call("player.repeat", mode="one")
        first.client.wait("playing")
        first.client.call("player.volume", percent=35)
        wait(lambda: first.client.position()[0] > 4)
        expected, _ = first.client.position()
        first.kill()
    begin = now()
    with home.serve() as second:
        answered = now() - begin
        status = second.client.wait("playing")
        # The sound has moved since.
        lost = expected - (status["position"] - (now() - begin))
        stage.see(answered < 1, f"after kill -9, a new service answers after {answered:.2f} s")
        stage.see(lost <= 1, f"it continues to play, {max(0, lost):.2f} s behind")
        stage.see(status["volume"] == 35 and status["repeat"] == "one",
                  f"volume {status['volume']} and repeat mode {status['repeat']} are as before")
        second.kill()
    with home.serve() as third:
        state = third.client.wait("playing", "paused")["state"]
        stage.see(state == "paused", f"after a second kill -9 with the same item, it is {state}")
        status, time = third.stop()
        stage.see(status == 0 and time < 2, f"SIGTERM while paused: status {status} after {time:.2f} s")
    terminates(stage)


def terminates(stage):
    """Ends the service by SIGTERM while it plays an episode."""
    home = stage.home()
    with stage.demo(home), home.serve() as service:
        episode = home.longest_episode()
        service.client.call("player.play", targets=[str(episode)])
        service.client.wait("playing")
        wait(lambda: service.client.position()[0] > 2)
        expected, _ = service.client.position()
        status, time = service.stop()
        lost = expected - home.saved(episode)
        stage.see(status == 0 and time < 2 and lost < 0.5,
                  f"SIGTERM while playing: status {status} after {time:.2f} s, {max(0, lost):.2f} s lost")
    with home.serve() as service:
        state = service.client.call("player.status")["state"]
        stage.see(state == "idle", f"after SIGTERM, the next service is {state}")
