# SPDX-License-Identifier: GPL-3.0-or-later
"""A web server on loopback that simulates a slower link, with a limited rate and a delay before each response."""
import os
import subprocess
import sys
import tempfile
from pathlib import Path

PROGRAM = Path(__file__).parent.parent / "demo-server"


class Server:
    def __init__(self, folder, rate, delay_milliseconds, steps=None):
        """`steps` are pairs of a time in seconds and the rate from then on, shared by all responses."""
        self.arguments = [str(folder), "--rate", str(rate), "--delay", str(delay_milliseconds)]
        self.trace = None
        if steps:
            with tempfile.NamedTemporaryFile("w", suffix=".trace", delete=False) as self.trace:
                self.trace.writelines(f"{seconds} {rate}\n" for seconds, rate in steps)
            self.arguments += ["--trace", self.trace.name]

    def __enter__(self):
        self.process = subprocess.Popen([sys.executable, str(PROGRAM), *self.arguments], stdout=subprocess.PIPE, text=True)
        self.address = self.process.stdout.readline().strip()
        return self

    def __exit__(self, *_):
        self.process.terminate()
        self.process.wait()
        if self.trace:
            os.unlink(self.trace.name)

    def url(self, name):
        return f"{self.address}/{name}"
