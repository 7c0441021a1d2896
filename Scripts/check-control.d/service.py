# SPDX-License-Identifier: GPL-3.0-or-later
"""The program in folders of its own, its service, and clients of the control socket."""
import json
import os
import signal
import socket
import subprocess
import time

PATIENCE = 60.0


def now():
    """Returns the time of the clock that `at` in events belongs to."""
    return time.clock_gettime(time.CLOCK_MONOTONIC)


def wait(condition, limit=PATIENCE):
    """Returns the first true value of the condition, or its last value when the time is over."""
    end = now() + limit
    while not (value := condition()) and now() < end:
        time.sleep(0.01)
    return value


class Home:
    """Folders for one user, and the program that uses them."""

    def __init__(self, program, folder, **variables):
        self.program, self.folder = program, str(folder)
        names = {"RUNTIME_DIR": "run", "DATA_HOME": "data", "STATE_HOME": "state", "CACHE_HOME": "cache",
                 "CONFIG_HOME": "config"}
        absent = {"DBUS_SESSION_BUS_ADDRESS", "NOTIFY_SOCKET", "LISTEN_FDS", "LISTEN_PID", "JOURNAL_STREAM"}
        self.environment = {name: value for name, value in os.environ.items() if name not in absent}
        self.environment |= {f"XDG_{key}": f"{folder}/{name}" for key, name in names.items()}
        self.environment |= {"HOME": self.folder, "LC_ALL": "C.UTF-8", **variables}
        os.makedirs(f"{folder}/run", mode=0o700, exist_ok=True)
        self.socket = f"{folder}/run/earshot/control"

    def start(self, *words, **more):
        return subprocess.Popen([self.program, *words], env=self.environment, **{"stderr": subprocess.DEVNULL} | more)

    def run(self, *words, limit=PATIENCE):
        return self.tool(self.program, *words, limit=limit)

    def tool(self, *words, limit=PATIENCE):
        """Runs any program with the variables of this user."""
        return subprocess.run(
            words, env=self.environment, capture_output=True, text=True, errors="replace", timeout=limit)

    def serve(self, *words, output="null"):
        return Service(self, self.start("serve", "--output", output, *words))

    def saved(self, episode):
        """Returns the saved position of an episode of the library."""
        return json.loads(self.run("show", str(episode), "--json").stdout.splitlines()[0])["position"]

    def longest_episode(self):
        """Returns the episode of the library with the largest file."""
        episodes = [json.loads(line) for line in self.run("episodes", "--json").stdout.splitlines()]
        return max(episodes, key=lambda episode: episode["enclosure"]["length"] or 0)["id"]


class Service:
    """A running service, and what the system knows of it."""

    def __init__(self, home, process):
        self.home, self.process, self.pid = home, process, process.pid
        self.client = Client.of(self)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.client.close()
        if self.process.poll() is None:
            self.process.kill()
        self.process.wait()

    def stop(self):
        """Ends the service by SIGTERM. Returns its status and the time that it took."""
        begin = now()
        self.process.send_signal(signal.SIGTERM)
        return self.process.wait(PATIENCE), now() - begin

    def kill(self):
        self.process.kill()
        self.process.wait()

    def cpu(self):
        """Returns the processor seconds so far."""
        with open(f"/proc/{self.pid}/stat") as file:
            fields = file.read().rsplit(")", 1)[1].split()
        return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")

    def switches(self):
        """Returns the context switches of each thread so far."""
        counts = {}
        for thread in os.listdir(f"/proc/{self.pid}/task"):
            with open(f"/proc/{self.pid}/task/{thread}/status") as file:
                counts[thread] = sum(int(line.split()[1]) for line in file if "ctxt_switches" in line)
        return counts

    def switches_in(self, seconds):
        """Returns the context switches in a time. The start and the end of a thread count as well."""
        before = self.switches()
        time.sleep(seconds)
        after = self.switches()
        return sum(after.get(thread, before.get(thread, 0) + 1) - before.get(thread, 0) for thread in before | after)

    def memory(self, kind="Pss"):
        """Returns the proportional memory in MB."""
        with open(f"/proc/{self.pid}/smaps_rollup") as file:
            return next(int(line.split()[1]) for line in file if line.startswith(kind + ":")) * 1024 / 1e6

    def files(self):
        return len(os.listdir(f"/proc/{self.pid}/fd"))


class Client:
    """A client of the control socket."""

    def __init__(self, path):
        self.socket = socket.socket(socket.AF_UNIX)
        self.socket.settimeout(PATIENCE)
        self.socket.connect(path)
        self.lines = self.socket.makefile("r", encoding="utf-8")
        self.hello = json.loads(self.lines.readline())["params"]
        self.number, self.events = 0, []

    @classmethod
    def of(cls, service):
        """Connects to a service as soon as it answers."""
        end = now() + PATIENCE
        while now() < end:
            try:
                client = cls(service.home.socket)
                if client.hello["pid"] != service.pid:
                    raise SystemExit("the socket belongs to another process")
                return client
            except (FileNotFoundError, ConnectionRefusedError):
                if service.process.poll() is not None:
                    break
                time.sleep(0.005)
        raise SystemExit(f"the service does not answer; its status: {service.process.poll()}")

    def close(self):
        self.socket.close()
        self.lines.close()

    def request(self, method, **params):
        """Sends a request. Returns its number."""
        self.number += 1
        line = json.dumps({"id": self.number, "method": method, "params": params}) + "\n"
        self.socket.sendall(line.encode())
        return self.number

    def call(self, method, **params):
        """Returns the result of a request, or its error. Keeps the events before it."""
        number = self.request(method, **params)
        for line in self.lines:
            message = json.loads(line)
            if message.get("id") == number:
                return message["result"] if "result" in message else message["error"]
            self.events.append(message.get("params", {}))
        raise SystemExit(f"the service closed the connection during {method}")

    def next(self, event, **values):
        """Waits for an event with these values, and returns it."""
        while True:
            while self.events:
                found = self.events.pop(0)
                if found.get("event") == event and values.items() <= found.items():
                    return found
            self.events.append(json.loads(self.lines.readline()).get("params", {}))

    def wait(self, *states):
        """Waits until the player has one of these states, and returns its status."""
        status = wait(lambda: (found := self.call("player.status"))["state"] in states and found)
        if not status:
            raise SystemExit(f"the player does not reach {states}, but is {self.call('player.status')['state']}")
        return status

    def position(self):
        """Returns the position of this moment, and the duration."""
        status = self.call("player.status")
        return (status["position"] or 0) + (now() - status["at"]) * status["rate"], status["duration"] or 0

    def pings(self, seconds, interval=0.05):
        """Returns the times of pings, sorted."""
        times, end = [], now() + seconds
        while now() < end:
            begin = now()
            self.call("ping")
            times.append(now() - begin)
            time.sleep(interval)
        return sorted(times)


def percentile(sorted_values, part):
    return sorted_values[min(len(sorted_values) - 1, int(len(sorted_values) * part))]
