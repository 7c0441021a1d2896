# SPDX-License-Identifier: GPL-3.0-or-later
"""The recordings for the measurements, created once and kept in one folder."""
import os
import subprocess
import tempfile
from pathlib import Path

import numpy

RATE = 44100
WORK = Path(os.environ.get("EARSHOT_BENCH_FOLDER", Path(tempfile.gettempdir()) / "earshot-bench"))
LONGEST_PIECE = 600
STEPS_A_SECOND = 20


def long_episode(seconds, *options):
    """Returns an MP3 of tones without tags: one piece of ten minutes, repeated."""
    piece, path = episode(LONGEST_PIECE, *options, "-t"), WORK / f"tones-{seconds}{''.join(options)}.mp3"
    if not path.exists():
        path.write_bytes(piece.read_bytes() * (seconds // LONGEST_PIECE))
    return path


def episode(seconds, *options):
    """Returns an MP3 of tones."""
    path = WORK / f"tones-{seconds}{''.join(options)}.mp3"
    if not path.exists():
        sound = subprocess.Popen(
            ["sox", "-R", "-n", "-r", "44100", "-b", "16", "-c", "2", "-t", "wav", "-", "synth", str(seconds), "sine", "330",
             "sine", "440", "tremolo", "3", "60", "gain", "-n", "-3"], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
        subprocess.run(["lame", "--quiet", *options, "-", str(path) + ".part"], stdin=sound.stdout, check=True)
        sound.wait()
        os.replace(str(path) + ".part", path)
    return path


def melody(frames, seed, noise=0.002):
    """Returns mono samples, ±1. No tenth of a second equals another, so that a piece can be located."""
    chance, step = numpy.random.default_rng(seed), RATE // STEPS_A_SECOND
    pitch = numpy.repeat(chance.uniform(200, 4000, frames // step + 1), step)[:frames]
    phase = 2 * numpy.pi * numpy.cumsum(pitch / RATE)
    return (0.5 * numpy.sin(phase) + noise * chance.standard_normal(frames)).astype(numpy.float32)


def talk(seconds, *options):
    """Returns an MP3 of a melody with varying noise, so that a variable bit rate varies over minutes."""
    path = WORK / f"talk-{seconds}{''.join(options)}.mp3"
    starts = range(0, seconds, LONGEST_PIECE)
    if not path.exists():
        encode((melody(min(LONGEST_PIECE, seconds - start) * RATE, start, 0.0003 * 4 ** (start // LONGEST_PIECE % 4))
                for start in starts), path, *options)
    return path


def album(tracks, frames):
    """Returns MP3 files of one melody, split into tracks of `frames` frames."""
    whole = melody(tracks * frames, seed=7)
    paths = [WORK / f"album-{frames}-{number}.mp3" for number in range(tracks)]
    for number, path in enumerate(paths):
        if not path.exists():
            encode([whole[number * frames:(number + 1) * frames]], path, "-b192")
    return paths


def encode(pieces, path, *options):
    """Encodes samples piece by piece, the same on both channels."""
    raw = ["lame", "--quiet", "-r", "-s", "44.1", "--bitwidth", "16", "--signed", "--little-endian"]
    with subprocess.Popen([*raw, *options, "-", str(path) + ".part"], stdin=subprocess.PIPE, stderr=subprocess.DEVNULL) as lame:
        for piece in pieces:
            lame.stdin.write(numpy.repeat((piece * 32767).clip(-32768, 32767).astype("<i2"), 2).tobytes())
    if lame.returncode:
        raise SystemExit(f"bench: lame could not encode {path.name}")
    os.replace(str(path) + ".part", path)


def decoded(path):
    """Returns the expected output: the left channel in 16 bits, as mpg123 decodes and trims it."""
    kept = path.with_suffix(".left")
    if not kept.exists():
        command = ["mpg123", "-q", "-s", "-r", str(RATE), "--stereo", str(path)]
        with subprocess.Popen(command, stdout=subprocess.PIPE) as program, open(f"{kept}.part", "wb") as file:
            while block := program.stdout.read(1 << 22):
                file.write(numpy.frombuffer(block, "<i2")[::2].tobytes())
        os.replace(f"{kept}.part", kept)
    return numpy.memmap(kept, "<i2", "r")
