# SPDX-License-Identifier: GPL-3.0-or-later
"""What the checks play, the servers that they need, and where they report."""
import os
import subprocess
import tempfile
from pathlib import Path

from service import Home, Service, wait

ROOT = Path(__file__).resolve().parent.parent.parent
SHORT = ROOT / "feeds/part6.mp3"
HOURS, PIECE = 3, 600


class Stage:
    """The options of a run, its folder, and its report."""

    def __init__(self, program, faults, times, sample, folder):
        """`times` is the factor of long durations, and every `sample`-th fault is tried."""
        self.program, self.faults, self.folder = program, faults, Path(folder)
        self.times, self.sample = times, sample
        self.failures, self.check = 0, ""

    def seconds(self, usual):
        return usual * self.times

    def home(self, **variables):
        """Returns new folders."""
        return Home(self.program, tempfile.mkdtemp(dir=self.folder), **variables)

    def demo(self, home):
        """Subscribes to the demo feed. Returns the server, which the caller ends."""
        server = Process([ROOT / "Scripts/demo-server", ROOT / "feeds", "--rate", "2000000"], home.environment)
        address = server.line().rstrip("/")
        home.run("subscribe", address if address.endswith(".xml") else address + "/demo.xml")
        return server

    def music(self, seconds, hertz, before=None, rate=320):
        """Returns an MP3 file of a tone, after the packets of another file."""
        path = self.folder / f"{hertz}-{seconds}-{rate}{'-after' if before else ''}.mp3"
        if not path.exists():
            sound = subprocess.Popen(
                ["sox", "-V1", "-n", "-r", "44100", "-c", "1", "-b", "16", "-t", "wav", "-", "synth", str(seconds), "sine",
                 str(hertz), "tremolo", "3", "gain", "-6"], stdout=subprocess.PIPE)
            data = subprocess.run(
                ["lame", "--quiet", "-b", str(rate), "-t", "-", "-"], stdin=sound.stdout, capture_output=True,
                check=True).stdout
            sound.wait()
            path.write_bytes((Path(before).read_bytes() if before else b"") + data)
        return str(path)

    def long_file(self):
        """Returns an MP3 file of three hours."""
        path = self.folder / "hours.mp3"
        if not path.exists():
            path.write_bytes(Path(self.music(PIECE, 330, rate=32)).read_bytes() * (HOURS * 3600 // PIECE))
        return str(path)

    # MARK: Report

    def see(self, holds, text):
        """Prints what was seen. Counts a failure unless it is as it must be."""
        self.failures += not holds
        print(f"{'ok  ' if holds else 'FAIL'} {self.check:8} {text}", flush=True)

    def skip(self, text):
        print(f"skip {self.check:8} {text}", flush=True)


class Process:
    """A program that runs beside the service, and ends with the `with` statement."""

    def __init__(self, words, environment, **more):
        self.process = subprocess.Popen(
            [str(word) for word in words], env=environment, text=True,
            **{"stdout": subprocess.PIPE, "stderr": subprocess.DEVNULL} | more)

    def line(self):
        return self.process.stdout.readline().strip()

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.process.kill()
        self.process.wait()


class Bus(Process):
    """A message bus at an address in a folder."""

    def __init__(self, folder):
        self.address = f"unix:path={folder}/bus"
        super().__init__(
            ["dbus-daemon", "--session", "--nofork", "--nopidfile", f"--address={self.address}", "--print-address=1"],
            dict(os.environ))
        self.line()


class Sound(Process):
    """A sound server with one null sink."""

    def __init__(self, folder):
        self.path = Path(folder) / "native"
        super().__init__(
            ["pulseaudio", "-n", "--daemonize=no", "--exit-idle-time=-1", "--use-pid-file=no", "-L",
             f"module-native-protocol-unix auth-anonymous=1 socket={self.path}", "-L",
             "module-null-sink sink_name=ear"],
            {**os.environ, "XDG_RUNTIME_DIR": str(folder), "HOME": str(folder)}, stdout=subprocess.DEVNULL)
        if not wait(self.path.exists):
            raise SystemExit("the sound server did not start")
        self.variables = {"PULSE_SERVER": f"unix:{self.path}"}
