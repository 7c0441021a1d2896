# SPDX-License-Identifier: GPL-3.0-or-later
"""Measures lost and added frames at each boundary of an album of short tracks, played from URLs."""
import time

import links
import material
import matching
import players
import sound

TRACKS, FRAMES = 6, 4 * material.RATE + 137  # not a multiple of 1152, the length of an MPEG frame
LINKS = (("loopback", 0, 0), ("48 kB/s, 400 ms", 48_000, 400))
# Short, because a player that resamples (VLC) soon drifts from the expected samples.
PROBE, MARGIN = material.RATE // 10, material.RATE // 10
TIMEOUT = 30


def gaps(contestants, given):
    """Frames added (or, below 0, lost) at each boundary of an album and within each track; ? if not recognized."""
    tracks, table = material.album(TRACKS, FRAMES), {}
    expected = [material.decoded(path) for path in tracks]
    for link, rate, delay in LINKS:
        with links.Server(material.WORK, rate, delay) as server, sound.SoundServer() as pulse:
            for name, command in contestants:
                if name in players.ONE_AT_A_TIME:
                    continue
                playlist = [*command, *players.GAPLESS.get(name, [])]
                heard = listen(pulse, playlist, [server.url(path.name) for path in tracks])
                table[f"{link} {name}"] = found = compare(heard, expected)
                print(f"gaps         {link:16} {name:9} {summary(found)}", flush=True)
    return table


def listen(pulse, command, urls):
    with sound.Ear(pulse) as ear:
        limit = time.monotonic() + TRACKS * FRAMES / material.RATE + TIMEOUT
        with players.Player(command, urls, pulse.environment) as player:
            while time.monotonic() < limit and player.process.poll() is None:
                time.sleep(0.1)
            time.sleep(0.5)
        return ear.left()


def compare(heard, expected):
    """Locates each track by a piece near its start and one near its end."""
    starts, ends = [], []
    for track in expected:
        first, sure = matching.locate(heard, track[MARGIN:MARGIN + PROBE])
        last, sure_too = matching.locate(heard, track[-MARGIN - PROBE:-MARGIN])
        starts.append(first - MARGIN if sure > matching.SURE else None)
        ends.append(last + PROBE + MARGIN if sure_too > matching.SURE else None)
    return {"starts": [between(start, next, len(track)) for start, next, track in zip(starts, starts[1:], expected)],
            "borders": [between(end, start) for end, start in zip(ends, starts[1:])],
            "within": [between(start, end, len(track)) for start, end, track in zip(starts, ends, expected)]}


def between(earlier, later, expected=0):
    """Returns the number of extra frames; None if one of the two positions was not found."""
    return None if earlier is None or later is None else later - earlier - expected


def summary(found):
    starts, borders, within = (
        " ".join("?" if frames is None else str(frames) for frames in found[key]) for key in ("starts", "borders", "within"))
    return f"from start to start {starts}: at borders {borders}, within tracks {within}"
