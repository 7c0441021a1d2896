# SPDX-License-Identifier: GPL-3.0-or-later
"""Asking a thousand feeds for news at once, beside curl and xmllint one after the other."""
import json
import random
import resource
import shutil
import socket
import subprocess
import tempfile
import time
from pathlib import Path

import material
import within

FEEDS, EPISODES = 1000, 100
WORDS = ("of the and to in a is that for it as was with be by on not he his but at are this have from or had an they "
         "which one you were her all she there would their we him been has when who will more no if out so what up said "
         "its about into than them can only other new some could time these two may then do first any my now such like "
         "our over man me even most made after also did many before must through back years where much your way well "
         "down should because each just those people how too little state good very make world still see own work long "
         "here get both between life being under never day same another know while last might us great old").split()
TEXT_BYTES = 1180


def refresh(contestants, given):
    """Seconds to fetch and parse 1,000 feeds of 100 episodes from this machine, and to hear that none has changed."""
    with tempfile.TemporaryDirectory(dir=material.WORK) as folder, Nginx(Path(folder)) as server:
        compose(server.root)
        tags = {path.name: server.etag(path.name) for path in sorted(server.root.iterdir())}
        table = {}
        for case, known in (("all changed", {}), ("none changed", tags)):
            table[case] = runs = [measure(given, server, list(tags), known) for _ in range(given.runs)]
            say(case, runs)
    return table


def measure(given, server, names, known):
    """One run of each, by turns, so that a busy moment of the machine does not meet one alone."""
    run = {"fetch": cost(lambda: fetch(server, names, known)), "parse": {"seconds": 0, "processor_seconds": 0}}
    if not known:
        run["parse"] = cost(lambda: parse(server, names))
    run["earshot"] = ours(given, server, names, known)
    expected = {"unchanged": len(names)} if known else {"changed": len(names), "episodes": FEEDS * EPISODES}
    if any(run["earshot"][word] != count for word, count in expected.items()):
        raise SystemExit(f"bench: earshot did not get what is there: {run['earshot']}")
    return run


def fetch(server, names, known):
    """All of them by curl, 24 at once, the bodies dropped."""
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


def ours(given, server, names, known):
    """What the refresher says it took."""
    with tempfile.NamedTemporaryFile("w", dir=server.folder, suffix=".list") as file:
        file.writelines(f"{server.url(name)} {known.get(name, '')}".strip() + "\n" for name in names)
        file.flush()
        (row,) = within.run(given, "FeedRefresh", file.name)
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
        spent = row["user_seconds"] + row["system_seconds"]
        print(f"refresh      {case:12} curl {run['fetch']['seconds']:.2f} s, xmllint {run['parse']['seconds']:.2f} s; "
              f"earshot {row['seconds']:.2f} s ({row['seconds'] / peers:.2f} of both), processor {spent:.2f} s, "
              f"peak {row['peak_kilobytes'] / 1000:.1f} MB", flush=True)


def compose(root):
    """Feeds as hosts send them, about 3.2 KB an episode."""
    chance = random.Random(1)
    texts = [" ".join(chance.choices(WORDS, k=TEXT_BYTES // 5)) for _ in range(200)]
    for feed in range(FEEDS):
        items = "".join(item(feed, number, texts, chance) for number in range(EPISODES))
        (root / f"{feed}.xml").write_text(
            '<?xml version="1.0" encoding="UTF-8"?>\n<rss version="2.0" '
            'xmlns:itunes="http://www.itunes.com/dtds/podcast-1.0.dtd" '
            'xmlns:content="http://purl.org/rss/1.0/modules/content/" '
            'xmlns:podcast="https://podcastindex.org/namespace/1.0">\n<channel>\n'
            f"<title>Podcast {feed}</title>\n<link>https://example.org/{feed}</link>\n<language>en</language>\n"
            f"<description>{texts[feed % 200][:300]}</description>\n<itunes:author>Somebody</itunes:author>\n"
            f'<itunes:image href="https://example.org/{feed}.jpg"/>\n{items}</channel>\n</rss>\n')


def item(feed, number, texts, chance):
    text, notes = chance.choice(texts), chance.choice(texts)
    page = f"https://example.org/{feed}/episodes/{number}"
    day = time.strftime("%a, %d %b %Y %H:%M:%S +0000", time.gmtime(1_700_000_000 - number * 604_800))
    return (
        f"<item>\n<title>Episode {number}: {text[:40]}</title>\n<link>{page}</link>\n"
        f'<guid isPermaLink="false">{feed:08x}-{number:04x}-4000-8000-{chance.getrandbits(48):012x}</guid>\n'
        f"<pubDate>{day}</pubDate>\n<description>{text}</description>\n"
        f"<content:encoded><![CDATA[<p>{notes[:600]}</p>\n<p>See <a href=\"{page}?a=1&b=2\">the page</a>.</p>\n"
        f"<ul><li>{notes[600:800]}</li><li>{notes[800:]}</li></ul>]]></content:encoded>\n"
        f"<itunes:duration>{chance.randrange(7200)}</itunes:duration>\n<itunes:explicit>false</itunes:explicit>\n"
        f"<itunes:episode>{number}</itunes:episode>\n<itunes:episodeType>full</itunes:episodeType>\n"
        f'<itunes:image href="{page}.jpg"/>\n<podcast:transcript url="{page}.vtt" type="text/vtt"/>\n'
        f'<enclosure url="https://media.example.org/{feed}/{number}.mp3?source=feed" type="audio/mpeg" '
        f'length="{chance.randrange(10**7, 10**8)}"/>\n</item>\n')


class Nginx:
    """The stock web server on a free port, as fast as it goes, with its ETags."""

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
        """As nginx makes it: time and size in hexadecimal."""
        state = (self.root / name).stat()
        return f'"{int(state.st_mtime):x}-{state.st_size:x}"'
