# SPDX-License-Identifier: GPL-3.0-or-later
"""`earshot play` beside the service, on a terminal and a real sound server."""
import os
import pty
import signal
import threading

from service import wait
from stage import ROOT, SHORT, Sound

OTHER = ROOT / "feeds/part4.mp3"


class Terminal:
    """A program on a terminal of its own."""

    def __init__(self, home, *words):
        controller, terminal = pty.openpty()
        self.process = home.start(*words, stdin=terminal, stdout=terminal, stderr=terminal, start_new_session=True)
        os.close(terminal)
        self.controller, self.text = controller, b""
        threading.Thread(target=self.read, daemon=True).start()

    def read(self):
        try:
            while data := os.read(self.controller, 4096):
                self.text += data
        except OSError:
            pass

    def press(self, key):
        """Presses a key. Returns the exit status."""
        os.write(self.controller, key.encode())
        return self.process.wait(60)

    def close(self):
        """Closes the terminal. Returns the exit status."""
        self.process.send_signal(signal.SIGHUP)
        status = self.process.wait(60)
        os.close(self.controller)
        return status


def beside(stage):
    home = stage.home()
    folder = stage.home().folder
    with Sound(folder) as sound:
        home.environment |= sound.variables
        with home.serve(output="pulse") as service:
            clients(stage, home, service)
            alone(stage, home, service)


def streams(home):
    """Returns the processes that play on the sound server."""
    text = home.tool("pactl", "list", "sink-inputs").stdout
    return [int(line.split('"')[1]) for line in text.splitlines() if "application.process.id" in line]


def play(home, service, path, *words):
    terminal = Terminal(home, "play", str(path), *words)
    wait(lambda: (status := service.client.call("player.status"))["state"] == "playing"
         and status["item"]["location"] == str(path), 20)
    return terminal


def clients(stage, home, service):
    """Plays as a client of the service: each way to leave, and each end."""
    state = lambda: service.client.call("player.status")["state"]
    terminal = play(home, service, SHORT)
    wait(lambda: len(streams(home)) > 0, 10)
    stage.see(streams(home) == [service.pid], f"`play` beside the service: {len(streams(home))} stream of the service")
    wait(lambda: b"0:0" in terminal.text, 10)
    stage.see(b"Part 6" in terminal.text, "its terminal shows the status line")
    status = terminal.press("d")
    stage.see(status == 0 and state() == "playing", f"`d`: status {status}, {state()}")
    status = play(home, service, OTHER).close()
    stage.see(status == 129 and state() == "playing", f"a closed terminal: status {status}, {state()}")
    status = play(home, service, SHORT).press("q")
    wait(lambda: state() == "idle", 10)
    stage.see(status == 0 and state() == "idle", f"`q`: status {status}, {state()}")
    status = home.run("play", str(OTHER), "--until", "1").returncode
    stage.see(status == 0, f"its end: status {status}")
    missing = home.run("play", "/nowhere.mp3")
    stage.see(missing.returncode == 66, f"a missing file: status {missing.returncode}, {missing.stderr.strip()}")


def alone(stage, home, service):
    terminal = play(home, service, SHORT, "--repeat", "one")
    apart = Terminal(home, "play", str(OTHER), "--here")
    found = wait(lambda: len(found := streams(home)) == 2 and found, 20) or streams(home)
    stage.see(sorted(found) == sorted([service.pid, apart.process.pid]), "`--here` plays in its own process beside it")
    status = apart.press("q")
    item = service.client.call("player.status")
    stage.see(status == 0 and item["state"] == "playing" and item["item"]["location"] == str(SHORT),
              f"`q` there: status {status}, the service is {item['state']}")
    terminal.press("q")
