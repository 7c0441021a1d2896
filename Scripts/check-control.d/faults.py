# SPDX-License-Identifier: GPL-3.0-or-later
"""Playback from faulty servers through the service, compared with `play --here`, and pings of the service meanwhile."""
import os
import queue
import re
import subprocess
import threading
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from service import Client, now, percentile
from stage import Process

TOGETHER, LIMIT = 6, 45


def faults(stage):
    if not stage.faults:
        return stage.skip("faulty servers: they need the program FaultServing in --faults")
    versions = [stage.music(15, 440), stage.music(15, 440, before=stage.music(3, 880))]
    servers = queue.Queue()
    for _ in range(TOGETHER):
        servers.put(FaultServer(stage.faults, versions))
    first = servers.get()
    names = first.ask("?").split()[::stage.sample]
    servers.put(first)
    known = [Path(path).read_bytes() for path in versions]

    def both(name):
        server = servers.get()
        try:
            home = stage.home()
            apart = outcome(home, server, name, known, ["--here", "--output", "null"])
            home = stage.home()
            with home.serve() as service, Pings(service) as pings:
                beside = outcome(home, server, name, known, [])
            return name, apart, beside, percentile(sorted(pings.times), 0.99)
        finally:
            servers.put(server)

    with ThreadPoolExecutor(TOGETHER) as pool:
        results = list(pool.map(both, names))
    different = [f"{name}: {apart} and {beside}" for name, apart, beside, _ in results if apart != beside]
    stage.see(not different, f"{len(names)} server faults end as with --here, in status, messages and file"
                             + "".join(f"\n{'':14}{text}" for text in different))
    slowest = max((time, name) for name, _, _, time in results)
    stage.see(slowest[0] < 0.1, f"pings of the service meanwhile: p99 at most {slowest[0] * 1e3:.1f} ms ({slowest[1]})")
    while not servers.empty():
        servers.get().__exit__()


class FaultServer(Process):
    """The program FaultServing, which serves one scenario at a time."""

    def __init__(self, program, versions):
        super().__init__([program, *versions, "300000"], dict(os.environ), stdin=subprocess.PIPE)

    def begin(self, scenario):
        return self.ask(scenario)

    def end(self):
        self.ask("")
        while self.line():
            pass

    def ask(self, line):
        self.process.stdin.write(line + "\n")
        self.process.stdin.flush()
        return self.line()


class Pings:
    """Pings a service until the end of the `with` statement."""

    def __init__(self, service):
        self.client, self.times, self.over = Client(service.home.socket), [], threading.Event()
        self.thread = threading.Thread(target=self.run)
        self.thread.start()

    def run(self):
        while True:
            begin = now()
            self.client.call("ping")
            self.times.append(now() - begin)
            if self.over.wait(0.05):
                break

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.over.set()
        self.thread.join()
        self.client.close()


def outcome(home, server, name, known, options):
    """Returns the exit status, the messages, and the relation of the kept file to the two versions."""
    address = server.begin(name)
    run = home.start("play", address, *options, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
    try:
        said, status = run.communicate(timeout=LIMIT)[1].decode(errors="replace"), run.returncode
    except subprocess.TimeoutExpired:
        run.kill()
        said, status = run.communicate()[1].decode(errors="replace"), None
    server.end()
    lines = sorted({re.sub(r"http\S+?(?=[ :,;]|$)|\d+", "…", line) for line in said.splitlines() if line.startswith("earshot: ")})
    kept = [path for path in Path(home.folder).rglob("*") if path.is_file() and is_audio(path)]
    return status, lines, [finding(path, known) for path in kept]


def is_audio(path):
    return "episodes" in path.parts and path.suffix not in (".index", ".origin", ".json", ".journal")


def finding(path, known):
    data, end = path.read_bytes(), " (partial)" if path.suffix == ".partial" else ""
    for name, whole in zip(("first", "second"), known):
        if data == whole:
            return name + end
        if whole.startswith(data):
            return "part of " + name + end
    return "other" + end
