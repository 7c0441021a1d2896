# SPDX-License-Identifier: GPL-3.0-or-later
"""A service at rest: no thread runs, and its memory is small."""
import os
import time

from service import wait
from stage import Bus, Process, SHORT

SECONDS, LARGEST = 10, 20.0


def rest(stage):
    home = stage.home()
    with Bus(home.folder) as bus:
        home.environment["DBUS_SESSION_BUS_ADDRESS"] = bus.address
        with home.serve() as service:
            subscribers = [Process([home.program, "events"], home.environment, stdout=open(os.devnull, "w"))
                           for _ in range(3)]
            wait(lambda: (status := service.client.call("service.status"))["clients"] == 4 and status["desktop"])
            look(stage, service, "stopped")
            service.client.call("player.play", targets=[str(SHORT)])
            service.client.call("player.repeat", mode="all")
            service.client.wait("playing")
            time.sleep(stage.seconds(20))
            count = service.switches_in(SECONDS)
            stage.see(service.memory() <= LARGEST,
                      f"playing: {count} context switches in {SECONDS} s, {service.memory():.1f} MB")
            service.client.call("player.pause")
            service.client.wait("paused")
            look(stage, service, "paused")
            for subscriber in subscribers:
                subscriber.process.kill()
                subscriber.process.wait()


def look(stage, service, state):
    """Counts the context switches of ten seconds, after the work of the change has ended."""
    time.sleep(8)
    count = service.switches_in(SECONDS)
    stage.see(count == 0 and service.memory() <= LARGEST,
              f"{state}, with three subscribers and a desktop: {count} context switches in {SECONDS} s, "
              f"{service.memory():.1f} MB")
