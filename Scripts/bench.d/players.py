# SPDX-License-Identifier: GPL-3.0-or-later
"""The measured players, with their command lines and the measurement of their cost."""
import os
import shutil
import signal
import subprocess
import tempfile
from pathlib import Path

PEERS = {
    "mpg123": ["mpg123", "-q", "-o", "pulse"],
    "mpv": ["mpv", "--no-config", "--no-video", "--really-quiet", "--ao=pulse"],
    "ffplay": ["ffplay", "-nodisp", "-autoexit", "-loglevel", "quiet"],
    "gst-play": ["gst-play-1.0", "--quiet", "--audiosink=pulsesink"],
    # VLC refuses to run as root.
    "vlc": (["runuser", "-u", "nobody", "--"] if os.geteuid() == 0 else []) + ["cvlc", "-q", "--play-and-exit", "--aout", "pulse"],
}
# The options for gapless playlists, if that is not the default, and the players without playlists.
GAPLESS = {"mpv": ["--gapless-audio=yes"], "gst-play": ["--gapless"]}
ONE_AT_A_TIME = {"ffplay"}
STARTS = {
    "earshot": "--from {seconds}", "mpg123": "-k {packets}", "mpv": "--start={seconds}", "ffplay": "-ss {seconds}",
    "gst-play": "--start-position={seconds}", "vlc": "--start-time={seconds}",
}
HOMES = ("HOME", "XDG_DATA_HOME", "XDG_CACHE_HOME", "XDG_STATE_HOME", "XDG_CONFIG_HOME")


def installed(earshot, only):
    """Yields the name and the command of each installed player, earshot first."""
    players = {"earshot": [earshot, "play", "--quiet"], **PEERS}
    for name, command in players.items():
        program = command[command.index("--") + 1] if command[0] == "runuser" else command[0]
        if shutil.which(program) and (not only or name in only):
            yield name, command


def starting_at(name, seconds):
    """Returns the options that start a player at `seconds` in a recording of 44.1 kHz."""
    return STARTS[name].format(seconds=seconds, packets=seconds * 44100 // 1152).split()


class Player:
    """One run of one player with a separate, empty home directory."""

    def __init__(self, command, targets, environment, says=None, to=subprocess.DEVNULL):
        """`says` is written to the standard input, which then stays open; `to` is the standard output."""
        self.home = tempfile.mkdtemp(prefix="earshot-bench-home-")
        os.chmod(self.home, 0o777)
        environment = {**environment, **{name: f"{self.home}/{name.lower()}" for name in HOMES}}
        self.process = subprocess.Popen(
            [*command, *targets], env=environment, start_new_session=True,
            stdin=subprocess.PIPE if says else subprocess.DEVNULL, stdout=to, stderr=subprocess.DEVNULL)

        if says:
            self.process.stdin.write(says.encode())
            self.process.stdin.flush()

    def __enter__(self):
        return self

    def __exit__(self, *_):
        if self.process.poll() is None:
            os.killpg(self.process.pid, signal.SIGTERM)
            try:
                self.process.wait(3)
            except subprocess.TimeoutExpired:
                os.killpg(self.process.pid, signal.SIGKILL)
                self.process.wait()
        shutil.rmtree(self.home, ignore_errors=True)

    def _family(self, pid):
        yield pid
        try:
            children = Path(f"/proc/{pid}/task/{pid}/children").read_text().split()
        except FileNotFoundError:
            return
        for child in children:
            yield from self._family(int(child))

    def processor_seconds(self):
        """Returns the user and system time of the process and its children so far."""
        ticks = 0
        for pid in self._family(self.process.pid):
            try:
                fields = Path(f"/proc/{pid}/stat").read_text().rsplit(") ", 1)[1].split()
            except FileNotFoundError:
                continue
            ticks += int(fields[11]) + int(fields[12])
        return ticks / os.sysconf("SC_CLK_TCK")

    def memory(self, field):
        """Returns the megabytes of the largest process of the player: VmRSS is the resident memory, VmHWM its peak."""
        most = 0
        for pid in self._family(self.process.pid):
            try:
                for line in Path(f"/proc/{pid}/status").read_text().splitlines():
                    if line.startswith(field + ":"):
                        most = max(most, int(line.split()[1]))
            except FileNotFoundError:
                continue
        return most / 1000
