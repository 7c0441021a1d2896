# SPDX-License-Identifier: GPL-3.0-or-later
"""A web server on loopback that behaves like a slower link: so many bytes a second, so much silence before an answer."""
import subprocess
import sys
from pathlib import Path

PROGRAM = Path(__file__).parent.parent / "demo-server"


class Server:
    def __init__(self, folder, rate, delay_milliseconds):
        self.arguments = [str(folder), "--rate", str(rate), "--delay", str(delay_milliseconds)]

    def __enter__(self):
        self.process = subprocess.Popen([sys.executable, str(PROGRAM), *self.arguments], stdout=subprocess.PIPE, text=True)
        self.address = self.process.stdout.readline().strip()
        return self

    def __exit__(self, *_):
        self.process.terminate()
        self.process.wait()

    def url(self, name):
        return f"{self.address}/{name}"
