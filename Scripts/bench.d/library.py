# SPDX-License-Identifier: GPL-3.0-or-later
"""Measures response times in a library of 500 podcasts with 250,000 episodes."""
import os
import re
import resource
import shutil
import statistics
import subprocess
import tempfile
import time
from pathlib import Path

import composed
import material
from refresh import Nginx

PODCASTS, EPISODES = 500, 500
COMMANDS = (
    ("start", "--version"), ("podcasts", "podcasts"), ("first page", "episodes"),
    ("first page, unplayed", "episodes", "--unplayed"), ("one podcast", "episodes", "p17"), ("queue", "queue"),
    ("search, a common word", "search", "harbour"), ("search, three words", "search", "letter", "listener", "winter"),
    ("search, a number", "search", "episode", "417"))


def library(contestants, given):
    """Seconds for lists and searches in a library of 250,000 episodes, compared with newsboat and gpo if installed."""
    table = {}
    with tempfile.TemporaryDirectory(dir=material.WORK) as folder, Nginx(Path(folder)) as server:
        urls = compose(server)
        ours = Program([given.earshot], Path(folder) / "earshot")
        ours.run("import", "-", says=opml(urls))
        table["filled"] = say("first refresh", [ours.run("refresh", "--quiet")])
        table["indexed"] = say("first search", [ours.run("search", "harbour")])
        for name, *words in COMMANDS:
            table[name] = say(name, [ours.run(*words) for _ in range(max(5, given.runs))])
        for name, fill, show in peers(Path(folder), urls):
            table[f"{name} filled"] = say(f"{name}, first refresh", [fill()])
            table[name] = say(f"{name}, list", [show() for _ in range(given.runs)])
    return table


class Program:
    """Runs commands with a separate home directory."""

    def __init__(self, command, home):
        home.mkdir()
        self.command = command
        self.environment = {**os.environ, "HOME": str(home), "XDG_DATA_HOME": str(home)}

    def run(self, *words, says=None):
        """Returns the seconds of the command, and the peak memory of all commands so far in megabytes."""
        began = time.monotonic()
        done = subprocess.run(
            [*self.command, *words], env=self.environment, input=says, text=True, capture_output=True, check=False)
        seconds = time.monotonic() - began
        if done.returncode:
            raise SystemExit(f"bench: {words}: {done.stderr}")
        return seconds, resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss / 1000


def say(name, runs):
    seconds = statistics.median(run[0] for run in runs)
    print(f"library      {name:24} {seconds:.3f} s", flush=True)
    return {"seconds": round(seconds, 3), "runs": [round(run[0], 3) for run in runs]}


def compose(server):
    """Writes feeds with notes of one paragraph, each from a different host, with at most one episode per day."""
    text = composed.write(server.root / "0.xml", EPISODES).read_text("utf-8")
    text = re.sub(r"<content:encoded>.*?</content:encoded>\n?", "", text, flags=re.S)
    for podcast in range(PODCASTS):
        own = text.replace("composed.example", f"composed{podcast}.example")
        own = own.replace("<title>The Composed Hour", f"<title>The Composed Hour {podcast}", 1)
        (server.root / f"{podcast}.xml").write_text(own, "utf-8")
    return [server.url(f"{podcast}.xml") for podcast in range(PODCASTS)]


def opml(urls):
    lines = "".join(f'<outline type="rss" text="feed" xmlUrl="{url}"/>\n' for url in urls)
    return f'<opml version="2.0"><body>\n{lines}</body></opml>\n'


def peers(folder, urls):
    """Yields each installed program with its functions to fill and to list its library."""
    if shutil.which("newsboat"):
        home = folder / "newsboat"
        program = Program(["newsboat"], home)
        (home / ".newsboat").mkdir()
        (home / ".newsboat" / "urls").write_text("".join(f"{url}\n" for url in urls))
        yield "newsboat", lambda: program.run("-x", "reload"), lambda: program.run("-x", "print-unread")
    if shutil.which("gpo"):
        program = Program(["gpo"], folder / "gpo")
        for url in urls[:20]:
            program.run("subscribe", url)
        yield "gpo (20 podcasts)", lambda: program.run("update"), lambda: program.run("list")
