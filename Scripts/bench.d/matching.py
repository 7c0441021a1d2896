# SPDX-License-Identifier: GPL-3.0-or-later
"""Finds a piece of sound in a recording, exact to the frame, by correlation."""
import numpy

SURE = 0.6  # 1 means that all samples are equal


def locate(whole, piece):
    """Returns the index in `whole` that matches `piece` best, and the quality of the match, at most 1."""
    whole, piece = (numpy.asarray(samples, numpy.float32) / 32768 for samples in (whole, piece))
    if len(piece) == 0 or len(whole) < len(piece):
        return 0, 0.0
    length = 1 << (len(whole) + len(piece) - 1).bit_length()
    spectrum = numpy.fft.rfft(whole, length) * numpy.conj(numpy.fft.rfft(piece, length))
    products = numpy.fft.irfft(spectrum, length)[: len(whole) - len(piece) + 1]
    energy = numpy.concatenate([[0], numpy.cumsum(whole.astype(numpy.float64) ** 2)])
    loudness = numpy.sqrt(numpy.maximum(energy[len(piece):] - energy[:-len(piece)], 0))
    own = float(numpy.sqrt(numpy.sum(piece.astype(numpy.float64) ** 2)))
    # A nearly silent part never matches, even if its shape is similar.
    likeness = products / (numpy.maximum(loudness, 0.3 * own) * own + 1e-9)
    best = int(numpy.argmax(likeness))
    return best, float(likeness[best])


def locate_far(whole, piece, near, window=1 << 21):
    """Does the same in a recording of any length, first near frame `near`. Returns None without a match."""
    for start in [max(0, near - window // 2), *range(0, len(whole), window - len(piece))]:
        place, likeness = locate(whole[start:start + window], piece)
        if likeness > SURE:
            return start + place
    return None
