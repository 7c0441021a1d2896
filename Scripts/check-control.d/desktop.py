# SPDX-License-Identifier: GPL-3.0-or-later
"""MPRIS as playerctl, busctl, gdbus and dbus-monitor see it."""
import json
import os
import re
import subprocess
import time

from service import now, wait
from stage import Bus, SHORT

NAME, OBJECT = "org.mpris.MediaPlayer2.earshot", "/org/mpris/MediaPlayer2"
PLAYER = "org.mpris.MediaPlayer2.Player"
# The properties of each interface with their types, and whether a player must have them. Source: MPRIS 2.2.
PROPERTIES = {
    "org.mpris.MediaPlayer2": {
        "CanQuit": "b", "CanRaise": "b", "HasTrackList": "b", "Identity": "s", "SupportedUriSchemes": "as",
        "SupportedMimeTypes": "as", "DesktopEntry": "s?", "Fullscreen": "b?", "CanSetFullscreen": "b?"},
    PLAYER: {
        "PlaybackStatus": "s", "Rate": "d", "Metadata": "a{sv}", "Volume": "d", "Position": "x", "MinimumRate": "d",
        "MaximumRate": "d", "CanGoNext": "b", "CanGoPrevious": "b", "CanPlay": "b", "CanPause": "b", "CanSeek": "b",
        "CanControl": "b", "LoopStatus": "s?", "Shuffle": "b?"}}
METADATA = {
    "mpris:trackid": "o", "mpris:length": "x", "mpris:artUrl": "s", "xesam:album": "s", "xesam:artist": "as",
    "xesam:genre": "as", "xesam:title": "s", "xesam:url": "s", "xesam:contentCreated": "s"}


class Desktop:
    """The tools of a desktop, and the signals that dbus-monitor has seen."""

    def __init__(self, home):
        self.home, self.seen = home, 0
        self.log = open(f"{home.folder}/signals", "w+", errors="replace")
        self.monitor = None

    def watch(self):
        self.monitor = subprocess.Popen(
            ["dbus-monitor", f"path={OBJECT}"], env=self.home.environment, stdout=self.log, stderr=subprocess.DEVNULL)
        # It prints its own name when it listens.
        wait(lambda: os.path.getsize(self.log.name) > 0)

    def end(self):
        self.monitor.kill()
        self.monitor.wait()
        self.log.close()

    def all(self):
        """Returns the signals of the player so far."""
        with open(self.log.name, errors="replace") as file:
            parts = re.split(r"(?=^(?:signal|method|error) )", file.read(), flags=re.M)
        return [part for part in parts if part.startswith("signal") and OBJECT in part]

    def news(self, settled=0.8):
        """Returns the signals since the last call, after the present ones have arrived."""
        time.sleep(settled)
        new = self.all()[self.seen:]
        self.seen += len(new)
        return new

    def playerctl(self, *words):
        return self.home.tool("playerctl", "-p", "earshot", *words).stdout.strip()

    def busctl(self, *words):
        return self.home.tool("busctl", "--user", "--json=short", *words)

    def call(self, method, *values):
        return self.home.tool(
            "gdbus", "call", "--session", "--dest", NAME, "--object-path", OBJECT, "--method", method, *values)


def member(signal):
    return re.search(r"member=(\w+)", signal)[1]


def seeks(signals):
    return [int(re.search(r"int64 (-?\d+)", one)[1]) / 1e6 for one in signals if member(one) == "Seeked"]


def desktop(stage):
    home = stage.home()
    with Bus(home.folder) as bus:
        home.environment["DBUS_SESSION_BUS_ADDRESS"] = bus.address
        with home.serve() as service:
            tools = Desktop(home)
            wait(lambda: "earshot" in home.tool("playerctl", "-l").stdout)
            stage.see("earshot" in (names := home.tool("playerctl", "-l").stdout.split()), f"playerctl -l: {names}")
            tools.watch()
            types(stage, tools, "stopped")
            seeking(stage, service, tools)
            types(stage, tools, "playing")
            places(stage, service, tools)
            controls(stage, service, tools)
            signals = [one for one in tools.all() if member(one) == "PropertiesChanged"]
            stage.see(signals and not any('string "Position"' in one for one in signals),
                      f"Position is in none of {len(signals)} PropertiesChanged")
            tools.end()
            lose(stage, service, home, bus)


def types(stage, tools, state):
    """Compares the properties with the specification, all together and each alone."""
    wrong, values = [], {}
    for interface, wanted in PROPERTIES.items():
        text = tools.busctl(
            "call", NAME, OBJECT, "org.freedesktop.DBus.Properties", "GetAll", "s", interface).stdout
        found = json.loads(text)["data"][0]
        wrong += [name for name, type in wanted.items() if name not in found and "?" not in type]
        for name, value in found.items():
            alone = tools.busctl("get-property", NAME, OBJECT, interface, name).stdout
            if not wanted.get(name, "").strip("?") == value["type"] == json.loads(alone)["type"]:
                wrong.append(name)
        values |= found
    metadata = values["Metadata"]["data"]
    wrong += [name for name, value in metadata.items() if METADATA.get(name) != value["type"]]
    stage.see(not wrong, f"{state}: {len(values)} properties and {len(metadata)} fields of metadata "
                         f"{'have another type: ' + str(wrong) if wrong else 'have the types of MPRIS'}")


def seeking(stage, service, tools):
    """Starts in the middle, seeks, and compares the signals with where the sound is."""
    client = service.client
    client.call("subscribe", topics=["player"])
    client.call("player.play", targets=[stage.long_file()], **{"from": "1:00:00"})
    client.wait("playing")
    signals = tools.news()
    titled = [index for index, one in enumerate(signals) if "xesam:title" in one]
    seeked = [index for index, one in enumerate(signals) if member(one) == "Seeked"]
    stage.see(len(seeked) == 1 and bool(titled) and titled[0] < seeked[0] and abs(seeks(signals)[0] - 3600) < 1,
              f"a start at 3600 s: Seeked to {seeks(signals)}, after the metadata")
    client.events = []
    tools.playerctl("position", "5000")
    landed = client.next("seek", phase="landed")
    found = seeks(tools.news())
    stage.see(len(found) == 1 and abs(found[0] - landed["position"]) < 0.2,
              f"playerctl position 5000: Seeked to {found}, landed at {landed['position']:.3f} s")
    delay(stage, client, tools)


def delay(stage, client, tools):
    """Measures the time from the landing of a seek to its signal."""
    delays = []
    for place in range(1000, 6000, 1000):
        count = len(seeks(tools.all()))
        client.events = []
        client.call("player.seek", to=str(place))
        landed = client.next("seek", phase="landed")
        wait(lambda: len(seeks(tools.all())) > count, 10)
        delays.append(now() - landed["at"])
    tools.news()
    stage.see(max(delays) < 0.1, f"Seeked follows the landing within {max(delays) * 1e3:.0f} ms")


def places(stage, service, tools):
    """Sets positions that must change nothing, and relative ones."""
    def position():
        return float(tools.playerctl("position"))

    track = json.loads(tools.busctl("get-property", NAME, OBJECT, PLAYER, "Metadata").stdout)["data"]
    stage.see(track["mpris:length"]["data"] > 10_790_000_000, f"three hours: length {track['mpris:length']['data']} µs")
    before, begin = position(), now()
    tools.call(f"{PLAYER}.SetPosition", "/org/earshot/item/stale", "5")
    for place in ("-5", "99999999999999"):
        tools.call(f"{PLAYER}.SetPosition", track["mpris:trackid"]["data"], place)
    time.sleep(0.3)
    moved = position() - before - (now() - begin)
    stage.see(abs(moved) < 0.5, f"SetPosition of another item, below 0 and after the end: moved by {moved:.2f} s")
    before, begin = position(), now()
    tools.playerctl("position", "10-")
    moved = wait(lambda: (moved := position() - before - (now() - begin)) < -5 and moved, 10)
    stage.see(abs((moved or 0) + 10) < 1, f"playerctl position 10-: moved by {moved or 0:.1f} s")
    refused = tools.busctl("set-property", NAME, OBJECT, PLAYER, "Position", "x", "5")
    stage.see(refused.returncode != 0, f"Position cannot be set: {refused.stderr.strip()}")


def controls(stage, service, tools):
    """Presses every button."""
    client = service.client
    tools.playerctl("play-pause")
    client.wait("paused")
    stage.see(tools.playerctl("status") == "Paused", f"play-pause: {tools.playerctl('status')}")
    tools.playerctl("play")
    client.wait("playing")
    tools.playerctl("loop", "Track")
    stage.see(wait(lambda: tools.playerctl("loop") == "Track", 10), f"loop Track: {tools.playerctl('loop')}")
    tools.playerctl("loop", "None")
    tools.playerctl("volume", "0.4")
    stage.see(wait(lambda: tools.playerctl("volume").startswith("0.4"), 10), f"volume 0.4: {tools.playerctl('volume')}")
    tools.busctl("set-property", NAME, OBJECT, PLAYER, "Volume", "d", "--", "-1")
    stage.see(wait(lambda: tools.playerctl("volume").startswith("0.0"), 10), f"volume -1: {tools.playerctl('volume')}")
    length = tools.playerctl("metadata", "--format", "{{duration(mpris:length)}}")
    stage.see(length.startswith("3:00:0"), f"metadata: duration {length}")
    client.call("player.play", targets=[str(SHORT)], place="next")
    tools.playerctl("next")
    client.next("track", phase="begin")
    title = client.call("player.status")["item"]["title"]
    stage.see(wait(lambda: tools.playerctl("metadata", "title") == title, 10), f"next: {title}")
    tools.playerctl("stop")
    client.wait("idle")
    stage.see(wait(lambda: tools.playerctl("status") == "Stopped", 10), f"stop: {tools.playerctl('status')}")
    can = tools.busctl("get-property", NAME, OBJECT, PLAYER, "CanPlay").stdout.strip()
    tools.playerctl("play")
    item = client.wait("playing")["item"]
    stage.see('"data":true' in can and item["location"] == str(SHORT), f"a media key resumes {item['title']}")


def lose(stage, service, home, bus):
    """Ends the bus, and starts another one."""
    service.client.call("player.pause")
    service.client.wait("paused")
    bus.process.kill()
    bus.process.wait()
    # The output closes some time after the pause.
    time.sleep(10)
    before = service.cpu()
    count = service.switches_in(5)
    spent = service.cpu() - before
    stage.see(count == 0 and spent == 0, f"without a bus: {count} context switches and {spent:.2f} s of CPU in 5 s")
    service.client.call("player.play")
    service.client.wait("playing")
    if os.path.exists(path := f"{home.folder}/bus"):
        os.unlink(path)
    begin = now()
    with Bus(home.folder):
        found = wait(lambda: "earshot" in home.tool("playerctl", "-l").stdout, 20)
        stage.see(bool(found), f"it plays on, and is on a new bus after {now() - begin:.1f} s")
