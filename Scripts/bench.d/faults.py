# SPDX-License-Identifier: GPL-3.0-or-later
"""Compares players and download programs on an episode whose server or network is faulty."""
import os
import queue
import shutil
import subprocess
import tempfile
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import material

# The expected result of each scenario: v1 or v2: that complete version. keep: the received bytes are kept, and the
# missing rest is reported. lossy: the received bytes are played, and a loss is reported. fail: nothing, with an error.
WANTED = {
    "ok": "v1", "burst-drop-150k": "v1", "reset-300k": "v1", "chunked-drop-300k": "v1", "drop-once-norange-300k": "v1",
    "drop-norange-300k": "keep", "drop-wrongrange-300k": "v1", "drop-bare206-300k": "v1", "range-416-300k": "v1",
    "etag-change-300k": "v2", "silent-change-300k": "v2", "weak-etag-300k": "v1", "range-cap-200k": "v1",
    "signed-2-300k": "v1", "no-length": "v1", "close-delimited": "v1", "close-delimited-drop-300k": "v1", "short": "v1",
    "truncated-but-200": "keep", "stall-300k": "v1", "hang": "fail", "jitter-5": "v1", "500-then-ok-2": "v1",
    "drop-then-500-300k-2": "v1", "503-retry-after-3": "v1", "html-instead": "fail", "drop-then-html-300k-1": "v1",
    "gzip-audio": "v1 or fail", "gzip-bomb": "fail", "garbage-4k": "lossy", "404": "fail", "redirect-loop": "fail",
    "redirect-scheme": "fail", "redirect-scheme-ftp": "fail", "auth-redirect": "v1", "auth-redirect-port": "v1",
    "huge-header": "v1 or fail", "header-injection": "v1"}
LIMIT, AT_ONCE, LARGEST, RATE = 35, 6, 64 << 20, 300 << 10
FFMPEG = ["-rw_timeout", "10000000", "-reconnect", "1", "-reconnect_streamed", "1", "-reconnect_on_network_error", "1",
          "-reconnect_delay_max", "4"]


def programs(earshot):
    """Returns the command line of each program that writes a URL to a file, as the episode's bytes or its samples.

    A program that has the options waits ten seconds and tries eight times."""
    return {
        "earshot play": [earshot, "play", "--quiet", "--keep-dir", "{home}/keep", "--output", "raw:{file}", "{url}"],
        "earshot download": [earshot, "download", "--quiet", "--keep-dir", "{home}/keep", "-o", "{file}", "{url}"],
        "curl": ["curl", "-sSL", "--fail", "--retry", "8", "--retry-all-errors", "--connect-timeout", "10",
                 "--retry-delay", "1", "--speed-limit", "1", "--speed-time", "10", "-o", "{file}", "{url}"],
        "wget": ["wget", "-q", "--tries=8", "--timeout=10", "--waitretry=2", "--retry-on-http-error=500,503",
                 "-O", "{file}", "{url}"],
        "mpv": ["mpv", "--no-config", "--no-video", "--msg-level=all=error", "--network-timeout=10", "--ao=pcm",
                "--ao-pcm-waveheader=no", "--ao-pcm-file={file}", "{url}"],
        "ffmpeg": ["ffmpeg", "-nostdin", "-loglevel", "error", "{flags}", "-i", "{url}", "-f", "s16le", "{file}"],
    }


def faults(contestants, given):
    """The result under each of 38 faults: whole, truncated or mixed; reported or not; bytes sent again; duration."""
    first, second = versions()
    chosen = {name: command for name, command in programs(given.earshot).items()
              if shutil.which(command[0]) and (not given.only or name in given.only)}
    known = {name: (decoded(command, first), decoded(command, second)) for name, command in chosen.items()}
    servers = queue.Queue()
    for _ in range(AT_ONCE):
        servers.put(Server(given.faults, first, second))
    runs = [(scenario, name) for scenario in WANTED for name in chosen]

    def run(scenario, name):
        server = servers.get()
        try:
            return one(server, scenario, chosen[name], known[name])
        finally:
            servers.put(server)

    with ThreadPoolExecutor(AT_ONCE) as pool:
        cells = dict(zip(runs, pool.map(lambda run_of: run(*run_of), runs)))
    show(cells, list(chosen))
    return {f"{scenario} {name}": cell for (scenario, name), cell in cells.items()}


def versions():
    """Returns a minute at 128 kbit/s, and the same episode after the packets of six seconds of other audio."""
    tones = material.talk(60, "-b128")
    second = material.WORK / "talk-60-changed.mp3"
    if not second.exists():
        second.write_bytes(material.episode(6, "-b128", "-t").read_bytes() + material.talk(60, "-b128", "-t").read_bytes())
    return tones, second


def decoded(command, path):
    """Returns the program's output for a version in a local file."""
    if command[0] in ("curl", "wget") or "download" in command:
        return path.read_bytes()
    with tempfile.TemporaryDirectory(prefix="earshot-bench-") as home:
        subprocess.run(filled(command, home, str(path)), env={**os.environ, "HOME": home}, stdin=subprocess.DEVNULL,
                       check=True)
        return Path(home, "out").read_bytes()


def filled(command, home, url):
    words = [word.format(home=home, file=f"{home}/out", url=url, flags="{flags}") for word in command]
    # ffmpeg rejects HTTP flags for a local file.
    flags = FFMPEG if "://" in url else []
    return [part for word in words for part in (flags if word == "{flags}" else [word])]


class Server:
    """A FaultServing process, which serves one scenario at a time."""
    lock = threading.Lock()

    def __init__(self, program, first, second):
        with self.lock:
            self.process = subprocess.Popen(
                [program, str(first), str(second), str(RATE)], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)

    def begin(self, scenario):
        return self.ask(scenario)

    def end(self):
        """Ends the scenario and returns its log of requests and responses, as lists of words."""
        lines = [self.ask("")]
        while lines[-1]:
            lines.append(self.process.stdout.readline().strip())
        return [line.split() for line in lines[:-1]]

    def ask(self, line):
        self.process.stdin.write(line + "\n")
        self.process.stdin.flush()
        return self.process.stdout.readline().strip()


def one(server, scenario, command, known):
    with tempfile.TemporaryDirectory(prefix="earshot-bench-") as home:
        url, began = server.begin(scenario), time.monotonic()
        process = subprocess.Popen(
            ["prlimit", f"--fsize={LARGEST}", *filled(command, home, url)], env={**os.environ, "HOME": home},
            stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, start_new_session=True)
        try:
            said, is_over = process.communicate(timeout=LIMIT)[1], True
        except subprocess.TimeoutExpired:
            process.kill()
            said, is_over = process.communicate()[1], False
        took, log = time.monotonic() - began, server.end()
        out = Path(home, "out")
        found = finding(out.read_bytes() if out.exists() else b"", *known)
        if found == "nothing" and "download" in command:
            found = kept(Path(home, "keep"), *known)
    sent = sum(int(words[3]) for words in log if words[2] in ("200", "206"))
    cell = {"found": found, "status": process.returncode, "over": is_over, "seconds": round(took, 1), "sent": sent,
            "said": bool(said.strip()) or process.returncode != 0,
            "leak": any(words[0] != "episode" and words[4] == "password" for words in log),
            "contacted": "scheme" in scenario and any(words[0] == "elsewhere" for words in log)}
    cell["mark"], cell["text"] = verdict(WANTED[scenario], cell, isHeard="raw:{file}" in command)
    return cell


def kept(folder, first, second):
    """Returns the finding for the partial file of an incomplete download."""
    parts = [path for path in folder.glob("*.partial")] if folder.exists() else []
    return finding(parts[0].read_bytes(), first, second) if parts else "nothing"


def finding(data, first, second):
    """Returns the relation of the bytes to the two versions."""
    if not data:
        return "nothing"
    for name, whole in (("v1", first), ("v2", second)):
        if data == whole:
            return name
        if whole.startswith(data):
            return f"part of {name}"
    start = common(data, first)
    if second.endswith(data[start:]) and start > len(first) // 8:
        return "v1, then v2"
    return "damaged" if start > len(first) // 3 and abs(len(data) - len(first)) < len(first) // 50 else "other"


def common(one, other):
    """Returns the length of the common prefix."""
    low, high = 0, min(len(one), len(other))
    while low < high:
        middle = (low + high + 1) // 2
        low, high = (middle, high) if one[:middle] == other[:middle] else (low, middle - 1)
    return low


def verdict(wanted, cell, isHeard):
    """Returns good (""), poor ("~") or bad ("!"), and the reason in a word."""
    found, said = cell["found"], cell["said"]
    if cell["leak"]:
        return "!", "LEAK"
    if cell["contacted"]:
        return "!", "CONTACTED"
    if found in wanted.split(" or "):
        if not cell["over"]:
            return "~", f"{found}, no end"
        return ("", "ok" if found == "v1" else found) if cell["status"] == 0 else ("~", "ok+err")
    # The received part of v1 was played, then v2 from the same position: no repetition, no gap, and a message.
    if found == "v1, then v2":
        return ("", "v1, then v2") if wanted == "v2" and said and isHeard else ("!", "MIXED")
    if found == "other":
        return "!", "OTHER"
    if found == "damaged":
        return ("", "plays") if wanted == "lossy" else ("!", "MIXED")
    if not cell["over"]:
        return "~", "no end"
    if found == "nothing":
        return ("" if "fail" in wanted else "~", "err") if said else ("!", "NOTHING")
    if not said:
        return "!", "SHORT"
    return ("" if wanted == "keep" and found == "part of v1" else "~"), "short"


def show(cells, names):
    rows = []
    for scenario, wanted in WANTED.items():
        rows.append([scenario, wanted] + [summary(cells[scenario, name]) for name in names])
    totals = [[cells[scenario, name]["mark"] for scenario in WANTED] for name in names]
    rows.append(["good / poor / bad", ""] + [f"{m.count('')} / {m.count('~')} / {m.count('!')}" for m in totals])
    print("faults       results by program; ~ poor, ! bad; MB sent, if more than one and a half episodes")
    head = ["scenario", "wanted", *names]
    widths = [max(len(row[column]) for row in [head, *rows]) for column in range(len(head))]
    for row in [head, *rows]:
        print("faults       " + "  ".join(text.ljust(width) for text, width in zip(row, widths)).rstrip(), flush=True)


def summary(cell):
    sent = f" {cell['sent'] / 1e6:.1f}MB" if cell["sent"] > 1_500_000 else ""
    return cell["mark"] + cell["text"] + sent + (f" {cell['seconds']:.0f}s" if cell["seconds"] > 8 else "")
