# SPDX-License-Identifier: GPL-3.0-or-later
"""Compares waits on bad links: with other rules in simulation, and with other players in recordings."""
import time
from concurrent.futures import ThreadPoolExecutor

import numpy

import links
import players
import sound
import within
from material import WORK, episode

SECONDS, BYTES_A_SECOND, DELAY = 60, 16_000, 50
# Seconds at which the rate changes, and multiples of the bit rate.
LINKS = (
    ("0.9 x the bit rate", ((0, 0.9),)),
    ("2 x, 12 s outage", ((0, 2), (15, 0), (27, 2))),
    ("0.5 x, then 3 x", ((0, 0.5), (20, 3))),
)
LIMIT = 4 * SECONDS
BLOCK = sound.RATE // 400
# A shorter silence may come from the sound server instead of missing data.
SHORTEST_STALL = 0.1
# Silences at most this many seconds apart count as one stall, because the sound between them is too short to follow.
SHRED = 0.5


def stalls(contestants, given):
    """Stalls, start-up times and their cost: buffering rules on simulated links, players on shaped links."""
    print("\n".join(within.lines(given, "BufferingRegret", "--check")))
    simulated = within.lines(
        given, "BufferingRegret", "--seed", str(given.seed), "--episodes", str(given.episodes))
    print("\n".join(simulated), flush=True)
    table, path = {"simulated": simulated}, episode(SECONDS, "-b128")
    for link, multiples in LINKS:
        steps = [(seconds, multiple * BYTES_A_SECOND) for seconds, multiple in multiples]
        print(f"stalls       {link:18} {'best':9} cost J {best(multiples):6.1f}, with known arrival times", flush=True)
        # All players run at the same time: each has its own link and sound server, and playing costs little.
        with ThreadPoolExecutor(max(1, len(contestants))) as pool:
            heard = pool.map(lambda contestant: listen(contestant[1], path, steps), contestants)
            for (name, _), found in zip(contestants, heard):
                table[f"{link} {name}"] = found
                print(f"stalls       {link:18} {name:9} {summary(found)}", flush=True)
    return table


def best(multiples):
    """Returns the seconds of the shortest start-up without a stall: the maximum lag of the bytes.

    It is so short that a stall would cost more.
    """
    media, lag = 0, 0
    for (begin, multiple), (end, _) in zip(multiples, [*multiples[1:], (float("inf"), 0)]):
        end = min(end, begin + (SECONDS - media) / multiple) if multiple else end
        media += multiple * (end - begin)
        lag = max(lag, end - media)
    return lag


def listen(command, path, steps):
    with links.Server(WORK, 0, DELAY, steps) as server, sound.SoundServer() as pulse, sound.Ear(pulse) as ear:
        before, limit = len(ear.left()), time.monotonic() + LIMIT
        with players.Player(command, [server.url(path.name)], pulse.environment) as player:
            while time.monotonic() < limit and player.process.poll() is None:
                time.sleep(0.1)
            time.sleep(0.5)
        return silences(ear.left()[before:])


def silences(samples):
    """Returns the start-up time, the stalls and the played time in seconds; None if nothing was played."""
    blocks = samples[:len(samples) // BLOCK * BLOCK].reshape(-1, BLOCK).astype(numpy.int32)
    times = numpy.flatnonzero(abs(blocks).max(axis=1) > sound.AUDIBLE) * BLOCK / sound.RATE
    if not len(times):
        return None
    start, stalled = float(times[0]), [end - begin for begin, end in together(times)]
    return {"start": round(start, 2), "stalls": [round(stall, 2) for stall in stalled],
            "heard": round(len(times) * BLOCK / sound.RATE, 2),
            "cost": round(start + max(0, start - 30) + 2 * sum(stalled) + 10 * len(stalled), 1)}


def together(times):
    """Returns the start and the end of each stall, from the times with sound."""
    found = []
    for last in numpy.flatnonzero(numpy.diff(times) > 2.5 * BLOCK / sound.RATE):
        begin, end = float(times[last]), float(times[last + 1])
        if found and begin - found[-1][1] < SHRED:
            begin = found.pop()[0]
        found.append((begin, end))
    return [(begin, end) for begin, end in found if end - begin >= SHORTEST_STALL]


def summary(found):
    if not found:
        return "no sound"
    missing = SECONDS - found["heard"]
    return (f"cost J {found['cost']:6.1f}: start-up {found['start']:5.2f} s, stalls {len(found['stalls']):2}, "
            f"{sum(found['stalls']):5.1f} s stalled" + (f"; {missing:.1f} s not heard" if missing > 1 else ""))
