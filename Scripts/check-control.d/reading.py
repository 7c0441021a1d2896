# SPDX-License-Identifier: GPL-3.0-or-later
"""A client that does not read, and other clients beside it and beside faulty servers."""
import json
import queue
import signal
import socket
import subprocess
import sys
import threading
import time

from service import Client, PATIENCE, now, percentile, wait

SECONDS = 60
TOPICS = ["player", "queue", "library", "notes"]
READER = """
import socket, sys
client = socket.socket(socket.AF_UNIX)
client.connect(sys.argv[1])
client.sendall(sys.argv[2].encode() + b"\\n")
while data := client.recv(65536):
    sys.stdout.buffer.write(data)
    sys.stdout.buffer.flush()
"""


class Reader:
    """A process that subscribes with ticks and writes what it reads."""

    def __init__(self, path):
        request = {"id": 1, "method": "subscribe", "params": {"topics": TOPICS, "ticks": 0.2}}
        self.process = subprocess.Popen(
            [sys.executable, "-c", READER, path, json.dumps(request)], stdout=subprocess.PIPE, text=True)
        self.messages = queue.Queue()
        threading.Thread(target=self.read, daemon=True).start()

    def read(self):
        for line in self.process.stdout:
            self.messages.put(json.loads(line))

    def next(self, wanted):
        """Returns the next message for which `wanted` is true; `None` if none comes."""
        end = now() + PATIENCE
        while now() < end:
            try:
                if wanted(message := self.messages.get(timeout=end - now())):
                    return message
            except queue.Empty:
                break

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.process.kill()
        self.process.wait()


def cpu_share(service, client, seconds):
    """Returns the part of a processor that the service uses, and the times of pings."""
    before, begin = service.cpu(), now()
    times = client.pings(seconds, 0.1)
    return (service.cpu() - before) / (now() - begin), times


def reading(stage):
    home = stage.home()
    with home.serve() as service:
        client = service.client
        client.call("player.play", targets=[stage.long_file()])
        client.wait("playing")
        with Reader(home.socket) as reader:
            reader.next(lambda message: message.get("params", {}).get("isTick") or "id" in message)
            seconds = stage.seconds(SECONDS)
            time.sleep(min(15, seconds / 2))
            reads, _ = cpu_share(service, client, seconds / 2)
            before = service.memory("Pss_Anon")
            reader.process.send_signal(signal.SIGSTOP)
            stops, times = cpu_share(service, client, seconds)
            grown = service.memory("Pss_Anon") - before
            stage.see(stops < 1.5 * reads + 0.005,
                      f"a client that is stopped for {seconds:.0f} s: {stops:.1%} of a processor, before {reads:.1%}")
            stage.see(grown < 1, f"the memory of the service grew by {grown:.2f} MB")
            p99 = percentile(times, 0.99)
            stage.see(p99 < 0.02, f"pings of another client: p50 {percentile(times, 0.5) * 1e3:.2f} ms, "
                                  f"p99 {p99 * 1e3:.2f} ms, at most {times[-1] * 1e3:.1f} ms of {len(times)}")


def overflow(stage, service, reader):
    """Publishes more than the service keeps for the stopped client, which then gets a gap with the present state."""
    for number in range(6000):
        service.client.call("player.volume", percent=50 + number % 2)
    service.client.call("player.pause")
    service.client.wait("paused")
    reader.process.send_signal(signal.SIGCONT)
    gap = reader.next(lambda message: message.get("params", {}).get("event") == "gap")
    fresh = Client(service.home.socket)
    snapshot = fresh.call("subscribe", topics=TOPICS)["snapshot"]
    fresh.close()
    found = gap["params"]["snapshot"] if gap else None
    for state in (snapshot, found or {}):
        state.get("player", {}).pop("at", None)
    stage.see(found == snapshot, f"it then reads a gap, with {'the state' if found == snapshot else 'another state than'}"
                                 " of a new client")
