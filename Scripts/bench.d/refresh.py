# SPDX-License-Identifier: GPL-3.0-or-later
"""Compares a refresh of a thousand feeds with curl followed by xmllint."""
import json
import resource
import shutil
import socket
import subprocess
import tempfile
import time
from pathlib import Path

import composed
import material
import within

FEEDS, EPISODES = 1000, 100


def refresh(contestants, given):
    """Seconds to fetch, parse and merge 1,000 feeds of 100 episodes, and to find them unchanged."""
    with tempfile.TemporaryDirectory(dir=material.WORK) as folder, Nginx(Path(folder)) as server:
        compose(server.root)
        tags = {path.name: server.etag(path.name) for path in sorted(server.root.iterdir())}
        table = {}
        for case, known in (("all changed", {}), ("none changed", tags)):
            table[case] = runs = [measure(given, server, list(tags), known) for _ in range(given.runs)]
            say(case, runs)
        table["library"] = merge(given, server, list(tags))
    return table


def merge(given, server, names):
    """Measures the refresh into a library: all episodes new, none new, and one new in each feed."""
    table, library = {}, str(server.folder / "library.db")
    for case, episodes in (("first time", FEEDS * EPISODES), ("none changed", 0), ("one new each", FEEDS)):
        if case == "one new each":
            for number, name in enumerate(names):
                path = server.root / name
                news = f"<item>\n<title>News</title>\n<guid>news-{number}</guid>\n</item>\n<item>"
                path.write_text(path.read_text().replace("<item>", news, 1))
        table[case] = row = ours(given, server, names, {}, library)
        if row["failed"] or row["episodes"] != episodes:
            raise SystemExit(f"bench: earshot returned the wrong result: {row}")
        print(f"refresh      library, {case:12} {row['seconds']:.2f} s, processor {row['processor_seconds']:.2f} s, "
              f"peak {row['peak_kilobytes'] / 1000:.1f} MB", flush=True)
    return table


def measure(given, server, names, known):
    """Runs each program once, in turns, so that other load on the machine affects all of them."""
    run = {"fetch": cost(lambda: fetch(server, names, known)), "parse": {"seconds": 0, "processor_seconds": 0}}
    if not known:
        run["parse"] = cost(lambda: parse(server, names))
    run["earshot"] = ours(given, server, names, known)
    expected = {"unchanged": len(names)} if known else {"changed": len(names), "episodes": FEEDS * EPISODES}
    if any(run["earshot"][word] != count for word, count in expected.items()):
        raise SystemExit(f"bench: earshot returned the wrong result: {run['earshot']}")
    return run


def fetch(server, names, known):
    """Fetches all feeds with curl, 24 in parallel, and discards the bodies."""
    with tempfile.NamedTemporaryFile("w", dir=server.folder, suffix=".curl") as file:
        file.write("\nnext\n".join(
            f'url = "{server.url(name)}"\noutput = "/dev/null"'
            + (f'\nheader = "If-None-Match: {quoted(known[name])}"' if known else "") for name in names))
        file.flush()
        subprocess.run(["curl", "--silent", "--parallel", "--parallel-max", "24", "--config", file.name], check=True,
                       stderr=subprocess.DEVNULL)


def quoted(text):
    return text.replace('"', '\\"')


def parse(server, names):
    subprocess.run(["xmllint", "--stream", "--noout", *(str(server.root / name) for name in names)], check=True)


def ours(given, server, names, known, *library):
    """Returns the measurements that FeedRefresh prints."""
    with tempfile.NamedTemporaryFile("w", dir=server.folder, suffix=".list") as file:
        file.writelines(f"{server.url(name)} {known.get(name, '')}".strip() + "\n" for name in names)
        file.flush()
        (row,) = within.run(given, "FeedRefresh", file.name, *library)
    return row


def cost(work):
    before, began = resource.getrusage(resource.RUSAGE_CHILDREN), time.monotonic()
    work()
    seconds, after = time.monotonic() - began, resource.getrusage(resource.RUSAGE_CHILDREN)
    spent = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    return {"seconds": round(seconds, 3), "processor_seconds": round(spent, 3)}


def say(case, runs):
    for run in runs:
        row, peers = run["earshot"], run["fetch"]["seconds"] + run["parse"]["seconds"]
        print(f"refresh      {case:12} curl {run['fetch']['seconds']:.2f} s, xmllint {run['parse']['seconds']:.2f} s; "
              f"earshot {row['seconds']:.2f} s ({row['seconds'] / peers:.2f} of both), processor "
              f"{row['processor_seconds']:.2f} s, peak {row['peak_kilobytes'] / 1000:.1f} MB", flush=True)


def compose(root):
    """Writes the feeds, each from a different host."""
    text = composed.write(root / "0.xml", EPISODES).read_text("utf-8")
    for feed in range(FEEDS):
        (root / f"{feed}.xml").write_text(text.replace("composed.example", f"composed{feed}.example"), "utf-8")


class Nginx:
    """An nginx server on a free port, without a rate limit, with its own ETags."""

    def __init__(self, folder):
        self.folder, self.root = folder, folder / "www"

    def __enter__(self):
        self.folder.chmod(0o755)  # Its worker may run as another user.
        self.root.mkdir()
        with socket.socket() as place:
            place.bind(("127.0.0.1", 0))
            self.port = place.getsockname()[1]
        names = ("client_body", "proxy", "fastcgi", "uwsgi", "scgi")
        temporary = " ".join(f"{name}_temp_path {self.folder}/{name};" for name in names)
        (self.folder / "nginx.conf").write_text(
            f"daemon off; pid {self.folder}/pid; worker_processes 1; events {{ worker_connections 256; }}\n"
            f"http {{ access_log off; sendfile on; tcp_nopush on; keepalive_requests 100000; {temporary}\n"
            f"types {{ application/rss+xml xml; }} server {{ listen {self.port}; root {self.root}; }} }}\n")
        program = shutil.which("nginx", path="/usr/sbin:/usr/bin:/usr/local/sbin:/usr/local/bin")
        if not program:
            raise SystemExit("bench: nginx is not installed")
        self.process = subprocess.Popen(
            [program, "-p", self.folder, "-e", self.folder / "error.log", "-c", self.folder / "nginx.conf"])
        while not self.answers():
            time.sleep(0.01)
        return self

    def __exit__(self, *_):
        self.process.terminate()
        self.process.wait()

    def answers(self):
        if self.process.poll() is not None:
            raise SystemExit(f"bench: nginx ended: {(self.folder / 'error.log').read_text()}")
        with socket.socket() as attempt:
            return attempt.connect_ex(("127.0.0.1", self.port)) == 0

    def url(self, name):
        return f"http://127.0.0.1:{self.port}/{name}"

    def etag(self, name):
        """Returns the ETag in the form of nginx: time and size in hexadecimal."""
        state = (self.root / name).stat()
        return f'"{int(state.st_mtime):x}-{state.st_size:x}"'
