# SPDX-License-Identifier: GPL-3.0-or-later
"""Locates a piece of audio in a recording, to the frame, by correlation."""
import numpy

SURE = 0.6  # 1 if every sample is equal


def locate(whole, piece):
    """Returns the index in `whole` of the best match of `piece`, and its correlation: 1 if exact."""
    whole, piece = (numpy.asarray(samples, numpy.float32) / 32768 for samples in (whole, piece))
    if len(piece) == 0 or len(whole) < len(piece):
        return 0, 0.0
    length = 1 << (len(whole) + len(piece) - 1).bit_length()
    spectrum = numpy.fft.rfft(whole, length) * numpy.conj(numpy.fft.rfft(piece, length))
    products = numpy.fft.irfft(spectrum, length)[: len(whole) - len(piece) + 1]
    energy = numpy.concatenate([[0], numpy.cumsum(whole.astype(numpy.float64) ** 2)])
    loudness = numpy.sqrt(numpy.maximum(energy[len(piece):] - energy[:-len(piece)], 0))
    own = float(numpy.sqrt(numpy.sum(piece.astype(numpy.float64) ** 2)))
    # An almost silent part never matches, even if its few audible samples correlate.
    likeness = products / (numpy.maximum(loudness, 0.3 * own) * own + 1e-9)
    best = int(numpy.argmax(likeness))
    return best, float(likeness[best])


def locate_far(whole, piece, near, window=1 << 21):
    """Like `locate`, in a recording of any length: searches around the frame `near` first, then everywhere.

    Returns None if nothing matches.
    """
    for start in [max(0, near - window // 2), *range(0, len(whole), window - len(piece))]:
        place, likeness = locate(whole[start:start + window], piece)
        if likeness > SURE:
            return start + place
    return None
