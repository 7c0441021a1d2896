# SPDX-License-Identifier: GPL-3.0-or-later
"""A private sound server with one null sink, and a recorder of that sink."""
import array
import os
import shutil
import subprocess
import tempfile
import threading
import time

import numpy

RATE = 44100
AUDIBLE = 650  # of 32768: about -34 dB


class SoundServer:
    def __enter__(self):
        self.folder = tempfile.mkdtemp(prefix="earshot-bench-pulse-")
        os.chmod(self.folder, 0o755)
        socket = self.folder + "/native"
        self.process = subprocess.Popen(
            ["pulseaudio", "-n", "--daemonize=no", "--exit-idle-time=-1", "--use-pid-file=no",
             "-L", f"module-native-protocol-unix auth-anonymous=1 socket={socket}",
             "-L", f"module-null-sink sink_name=ear rate={RATE} channels=2 format=s16le"],
            env={**os.environ, "XDG_RUNTIME_DIR": self.folder, "HOME": self.folder},
            stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        self.environment = {**os.environ, "PULSE_SERVER": "unix:" + socket, "PULSE_SINK": "ear", "SDL_AUDIODRIVER": "pulse"}
        for _ in range(100):
            if os.path.exists(socket):
                return self
            time.sleep(0.05)
        raise SystemExit("bench: the sound server did not start")

    def __exit__(self, *_):
        self.process.terminate()
        self.process.wait()
        shutil.rmtree(self.folder, ignore_errors=True)


class Ear:
    """Records the sink's monitor. Its low latency also keeps the idle sink from rendering in blocks of two seconds."""

    def __init__(self, server):
        self.process = subprocess.Popen(
            ["parec", "--device=ear.monitor", "--format=s16le", f"--rate={RATE}", "--channels=2", "--latency-msec=10", "--raw"],
            env=server.environment, stdout=subprocess.PIPE)
        self.pieces = []
        self.thread = threading.Thread(target=self._listen, daemon=True)
        self.thread.start()
        while not self.pieces:
            time.sleep(0.02)

    def _listen(self):
        while data := os.read(self.process.stdout.fileno(), 4096):
            self.pieces.append((time.monotonic(), data))

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.process.terminate()
        self.process.wait()
        self.thread.join(2)

    def left(self):
        """Returns the left channel of the recording, 16 bits."""
        data = b"".join(data for _, data in list(self.pieces))
        return numpy.frombuffer(data[: len(data) // 4 * 4], "<i2")[::2]

    def first_sound(self, since, limit):
        """Returns the seconds from `since` to the first audible frame; None if none follows within `limit` seconds."""
        looked_at = 0
        while time.monotonic() - since < limit:
            while looked_at < len(self.pieces):
                heard_at, data = self.pieces[looked_at]
                looked_at += 1
                samples = array.array("h", data[: len(data) // 4 * 4])
                loud = next((i for i, sample in enumerate(samples) if abs(sample) > AUDIBLE), None)
                if loud is not None and heard_at >= since:
                    return heard_at - (len(samples) - loud) / 2 / RATE - since
            time.sleep(0.005)
        return None
