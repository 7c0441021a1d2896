# SPDX-License-Identifier: GPL-3.0-or-later
"""Random commands from five clients, which all must know the same state, and the memory of the service meanwhile."""
import json
import queue
import random
import socket
import threading
import time

from service import now, percentile
from rest import LARGEST
from stage import SHORT

COUNT, SECONDS, BETWEEN = 5, 60, 20
SPEEDS = ["1", "1.5", "2", "+0.1", "-0.1"]
PLACES = ["0:03", "50%", "+3", "-2", "0", "99%"]


class Follower:
    """A client that knows the state only from the first snapshot and the events since."""

    def __init__(self, path, ticks):
        self.socket = socket.socket(socket.AF_UNIX)
        self.socket.connect(path)
        self.replies, self.number, self.times = queue.Queue(), 0, []
        self.state = {}
        threading.Thread(target=self.read, daemon=True).start()
        self.replies.get(timeout=60)
        options = {"ticks": 0.2} if ticks else {}
        snapshot = self.call("subscribe", topics=["player", "queue", "library", "notes"], **options)["snapshot"]
        self.note_snapshot(snapshot)

    def read(self):
        for line in self.socket.makefile("r", encoding="utf-8"):
            message = json.loads(line)
            if "id" in message or message.get("method") == "hello":
                self.replies.put(message)
            else:
                self.note(message["params"])

    def note_snapshot(self, snapshot):
        player = snapshot["player"]
        self.state = {
            "state": player["state"], "volume": player["volume"], "repeat": player["repeat"],
            "queue": snapshot["queue"]["episodes"] if "episodes" in snapshot["queue"] else [],
            "item": player["item"] and player["item"]["id"], "position": player["position"]} | self.state

    def note(self, event):
        match event["event"]:
            case "volume" | "repeat" | "state" as name: self.state[name] = event[name]
            case "queue": self.state["queue"] = event["episodes"]
            case "position": self.state["position"] = event["position"]
            case "track" if event["phase"] in ("begin", "current"): self.state["item"] = event["track"]
            case "gap":
                self.state = {}
                self.note_snapshot(event["snapshot"])

    def call(self, method, **params):
        self.number += 1
        begin = now()
        request = {"id": self.number, "method": method, "params": params}
        self.socket.sendall((json.dumps(request) + "\n").encode())
        reply = self.replies.get(timeout=60)
        self.times.append(now() - begin)
        return reply.get("result", reply.get("error"))


def act(client, episodes):
    """Gives a random command."""
    one = lambda: [str(random.choice(episodes))]
    commands = [
        ("player.play", {"targets": one(), "place": random.choice(["now", "next", "end"])}), ("player.pause", {}),
        ("player.play", {}), ("player.toggle", {}), ("player.next", {}), ("player.previous", {}),
        ("player.seek", {"to": random.choice(PLACES)}), ("player.volume", {"percent": random.randrange(151)}),
        ("player.speed", {"to": random.choice(SPEEDS)}), ("player.repeat", {"mode": random.choice(["off", "one", "all"])}),
        ("queue.add", {"names": one(), "first": random.random() < 0.5}), ("queue.remove", {"names": one()}),
        ("player.status", {}), ("player.trimSilence", {"level": random.choice(["off", "mild"])})]
    method, params = random.choice(commands) if random.random() > 0.01 else ("player.stop", {})
    client.call(method, **params)


def clients(stage):
    home = stage.home()
    with stage.demo(home), home.serve() as service:
        episodes = [json.loads(line)["id"] for line in home.run("episodes", "--json").stdout.splitlines()]
        followers = [Follower(home.socket, ticks=number == 1) for number in range(COUNT)]
        commands, different, looks, memory = 0, [], 0, []
        end = now() + stage.seconds(SECONDS) if stage.times < 10 else now() + 3600
        while now() < end and service.process.poll() is None:
            until = min(end, now() + BETWEEN)
            while now() < until:
                act(random.choice(followers), episodes)
                commands += 1
                time.sleep(random.uniform(0, 0.35))
            different += compare(followers)
            looks += 1
            memory.append(service.memory())
        # The last command may have stopped it already, and others may have followed.
        followers[0].call("player.play", targets=[str(SHORT)])
        service.client.wait("playing")
        followers[0].call("player.stop")
        stage.see(not different, f"{COUNT} clients, {commands} random commands: {looks} times the same state "
                                 f"{different[:3] or ''}")
        times = sorted(time for follower in followers for time in follower.times)
        resting = service.memory()
        stage.see(resting <= LARGEST,
                  f"memory {memory[0]:.1f} MB first, {memory[-1]:.1f} MB last, {max(memory):.1f} MB at most, "
                  f"{resting:.1f} MB at rest, of which {service.memory('Anonymous'):.1f} MB data; "
                  f"replies p50 {percentile(times, 0.5) * 1e3:.1f} ms, p99 {percentile(times, 0.99) * 1e3:.0f} ms")
        status, took = service.stop()
        stage.see(status == 0 and took < 2, f"SIGTERM: status {status} after {took:.2f} s")


def compare(followers):
    """Pauses, and returns the differences between what the clients know and the status of the player."""
    followers[0].call("player.pause")
    time.sleep(1)
    status = followers[0].call("player.status")
    item = status["item"] and status["item"]["id"]
    truth = {"state": status["state"], "volume": status["volume"], "repeat": status["repeat"],
             "queue": [episode["id"] for episode in followers[0].call("queue.list")["queue"]], "item": item}
    # Without an item there is no position.
    if item is not None:
        truth["position"] = status["position"]
    return [{name: (follower.state.get(name), value)} for follower in followers for name, value in truth.items()
            if not same(name, follower.state.get(name), value)]


def same(name, known, value):
    return known == value or name == "position" and abs((known or 0) - (value or 0)) <= 0.35
