# SPDX-License-Identifier: GPL-3.0-or-later
"""Sleep of the machine and notifications, with imitations of logind and of a notification daemon (python-dbusmock)."""
import http.server
import re
import subprocess
import threading
import time

from service import now, wait
from stage import Bus, Process, SHORT

REFRESHES = 5
LOGIND = "org.freedesktop.login1"


def session(stage):
    home = stage.home()
    with Bus(home.folder) as bus:
        home.environment["DBUS_SESSION_BUS_ADDRESS"] = home.environment["DBUS_SYSTEM_BUS_ADDRESS"] = bus.address
        with Mock(home, "--system", "logind", LOGIND) as logind, \
                Mock(home, "--session", "notification_daemon", "org.freedesktop.Notifications") as daemon:
            with home.serve() as service:
                sleep(stage, home, service, logind)
            news(stage, home, daemon)


class Mock(Process):
    """A service of a desktop, which logs its calls."""

    def __init__(self, home, bus, template, name):
        self.log = f"{home.folder}/{template}"
        # The module is a Debian package, for the interpreter of Debian.
        super().__init__(
            ["/usr/bin/python3", "-u", "-m", "dbusmock", bus, "--template", template], home.environment,
            stdout=open(self.log, "w"))
        address = home.environment["DBUS_SESSION_BUS_ADDRESS"]
        if home.tool("gdbus", "wait", "--address", address, "--timeout", "30", name).returncode:
            raise SystemExit(f"the imitation of {name} did not start")

    def calls(self, method):
        with open(self.log, errors="replace") as file:
            return [line.strip() for line in file if f" {method} " in line]


def sleep(stage, home, service, logind):
    client = service.client
    wait(lambda: any('"delay"' in call for call in logind.calls("Inhibit")), 10)
    quiet = logind.calls("Inhibit")
    stage.see(not any('"block"' in call for call in quiet), "while nothing plays, sleep is not blocked")
    before = service.files()
    client.call("player.play", targets=[str(SHORT)])
    client.call("player.repeat", mode="one")
    client.wait("playing")
    blocks = wait(lambda: [call for call in logind.calls("Inhibit") if '"block"' in call], 10)
    stage.see(bool(blocks), f"playing: {blocks[0].split(maxsplit=1)[1] if blocks else 'sleep is not blocked'}")
    time.sleep(1)
    playing = service.files()
    client.call("player.pause")
    client.wait("paused")
    time.sleep(1)
    paused = service.files()
    stage.see(paused < playing, f"pause closes the inhibitor: {playing} open files, then {paused}; {before} before")
    client.call("player.play")
    client.wait("playing")
    time.sleep(1)
    playing = service.files()
    begin = now()
    prepare(home, True)
    state = client.wait("paused")["state"]
    closed = wait(lambda: service.files() <= playing - 2, 5)
    stage.see(bool(closed) and now() - begin < 1,
              f"before sleep: {state} and both inhibitors closed after {now() - begin:.2f} s")
    prepare(home, False)
    again = wait(lambda: service.files() == paused, 10)
    stage.see(bool(again) and client.call("player.status")["state"] == "paused",
              f"after sleep: {client.call('player.status')['state']}, sleep is delayed again")


def prepare(home, sleeps):
    home.tool(
        "gdbus", "call", "--address", home.environment["DBUS_SYSTEM_BUS_ADDRESS"], "--dest", LOGIND, "--object-path",
        "/org/freedesktop/login1", "--method", "org.freedesktop.DBus.Mock.EmitSignal", f"{LOGIND}.Manager",
        "PrepareForSleep", "b", f"[<{str(sleeps).lower()}>]")


# MARK: News


class Feed(http.server.BaseHTTPRequestHandler):
    """A feed with one more episode after each refresh."""
    count = 1

    def do_GET(self):
        items = "".join(
            f"<item><title>Tide {number} &lt;b&gt;</title><guid>{number}</guid><enclosure type='audio/mpeg' length='1' "
            f"url='http://127.0.0.1/{number}.mp3'/></item>" for number in range(Feed.count))
        text = f"<rss version='2.0'><channel><title>Sea &amp; shore</title>{items}</channel></rss>".encode()
        self.send_response(200)
        self.send_header("Content-Length", str(len(text)))
        self.end_headers()
        self.wfile.write(text)

    def log_message(self, *_):
        pass


def news(stage, home, daemon):
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Feed)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    home.run("subscribe", f"http://127.0.0.1:{server.server_port}/feed.xml")
    for _ in range(REFRESHES):
        Feed.count += 1
        home.run("refresh")
    wait(lambda: len(daemon.calls("Notify")) >= REFRESHES, 10)
    replaced = [int(re.search(r'Notify "[^"]*" (\d+)', call)[1]) for call in daemon.calls("Notify")]
    stage.see(len(replaced) == REFRESHES and replaced[0] == 0 and len(set(replaced[1:])) == 1 and replaced[1] > 0,
              f"{REFRESHES} refreshes with news: the notifications replace {replaced}")
    home.run("settings", "set", "notify", "off")
    Feed.count += 1
    home.run("refresh")
    time.sleep(1)
    count = len(daemon.calls("Notify"))
    stage.see(count == REFRESHES, f"with notify off: {count - REFRESHES} more notifications")
    server.shutdown()
