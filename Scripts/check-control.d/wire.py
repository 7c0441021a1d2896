# SPDX-License-Identifier: GPL-3.0-or-later
"""The lines of the control socket: plain tools, malformed input, many clients, and other users."""
import json
import os
import random
import socket
import subprocess
import sys

from service import percentile
from stage import SHORT

MALFORMED = [
    b"\0\0\0\n", b"{\n", b"{}\n", b"[]\n", b'[{"id":1,"method":"ping"}]\n', b'{"id":1,"method":"nope"}\n',
    b'{"id":1,"method":"player.seek","params":{"to":5}}\n', b'{"id":{},"method":"ping"}\n',
    b'{"id":1,"method":"ping","params":{"x":1}}\n', b"noise\n", b"\xff\xfe\xfd\n", b'{"id":1e400,"method":"ping"}\n',
    b'{"id":1,"method":"player.volume","params":{"percent":99999999999999999999}}\n', b"a" * 1_000_000 + b"\n",
    b"{" * 70_000 + b"\n", b'{"a":' * 3000 + b"1" + b"}" * 3000 + b"\n", b"seek 99999999999999999999\n",
    b'{"id":1,"method":"subscribe","params":{"topics":["x"],"ticks":-1}}\n']
# A connection ends without an answer only for these.
SILENT = [b'{"half', b"\n\n\n\n", b""]
MOST_CLIENTS = 64
STRANGER = """
import socket, sys
client = socket.socket(socket.AF_UNIX)
client.settimeout(5)
try:
    client.connect(sys.argv[1])
    client.sendall(b'{"id":1,"method":"player.status"}\\n')
    print("read", client.recv(1000))
except OSError as error:
    print("refused:", type(error).__name__)
"""


def wire(stage):
    home = stage.home()
    with home.serve() as service:
        service.client.call("player.play", targets=[str(SHORT)])
        service.client.call("player.repeat", mode="one")
        service.client.wait("playing")
        tools(stage, home)
        malformed(stage, home, service)
        crowd(stage, home, service)
        strangers(stage, home, service)


def tools(stage, home):
    """Speaks to the socket as a shell does."""
    def say(text):
        words = ["socat", "-t1", "-", f"UNIX:{home.socket}"]
        out = subprocess.run(words, input=text, capture_output=True, text=True, timeout=30).stdout
        return [json.loads(line) for line in out.splitlines()]

    lines = say('{"id":1,"method":"player.status"}\n')
    names = [line.get("method") or f"id {line.get('id')}" for line in lines]
    stage.see(names == ["hello", "id 1"], f"socat gets {' and '.join(names)}")
    lines = say("seek 0:05\npause\n")
    answers = [(line.get("command"), line.get("ok")) for line in lines if line.get("event") == "answer"]
    stage.see(answers == [("seek 0:05", True), ("pause", True)], f"two lines get the answers {answers}")
    say("play\n")


def connect(home):
    client = socket.socket(socket.AF_UNIX)
    client.settimeout(10)
    client.connect(home.socket)
    return client


def malformed(stage, home, service):
    unanswered = [line[:40] for line in MALFORMED if not is_refused(home, line)]
    stage.see(not unanswered, f"{len(MALFORMED)} malformed lines get an error or end the connection {unanswered or ''}")
    for line in SILENT + [random.randbytes(random.randrange(2000)) for _ in range(200)]:
        with connect(home) as client:
            try:
                client.sendall(line)
            except OSError:
                pass
    times = service.client.pings(2, 0.005)
    state = service.client.call("player.status")["state"]
    stage.see(state in ("playing", "seeking"),
              f"after 200 connections of random bytes it is {state}; ping p99 {percentile(times, 0.99) * 1e3:.1f} ms")


def is_refused(home, line):
    with connect(home) as client, client.makefile("rb") as lines:
        lines.readline()
        try:
            client.sendall(line)
            answer = json.loads(lines.readline() or '{"error":"closed"}')
        except ConnectionError:
            return True
        except TimeoutError:
            return False
        return "error" in answer or answer.get("ok") is False


def crowd(stage, home, service):
    clients = [connect(home) for _ in range(MOST_CLIENTS + 16)]
    first = [client.makefile("rb").readline() for client in clients]
    greeted = sum(b'"hello"' in line for line in first)
    refused = sum(b"too many clients" in line for line in first)
    stage.see(greeted == MOST_CLIENTS - 1 and refused == len(clients) - greeted and service.client.call("ping") == {},
              f"{len(clients)} more clients: {greeted} greeted, {refused} refused; the first one is served")
    for client in clients:
        client.close()


def strangers(stage, home, service):
    """Connects as another user, although the files allow it."""
    if os.geteuid() != 0:
        return stage.skip("another user: only root can try that")
    os.chmod(home.socket, 0o666)
    folder = os.path.dirname(home.socket)
    while folder.startswith(str(stage.folder)):
        os.chmod(folder, 0o755)
        folder = os.path.dirname(folder)
    stranger = subprocess.run(
        ["setpriv", "--reuid", "65534", "--regid", "65534", "--clear-groups", sys.executable, "-c", STRANGER,
         home.socket], capture_output=True, text=True, timeout=30)
    seen = stranger.stdout.strip()
    stage.see((seen.startswith("refused") or seen == "read b''") and service.client.call("ping") == {},
              f"another user, with a socket that everybody may write: {seen or stranger.stderr.strip()[-80:]}")
