# SPDX-License-Identifier: GPL-3.0-or-later
"""Finds where a stretch of sound lies in another, to the frame, by correlation."""
import numpy

SURE = 0.6  # of 1, where every sample is the same


def locate(whole, piece):
    """Index in `whole` where `piece` fits best, and how well: 1 is exactly."""
    whole, piece = (numpy.asarray(samples, numpy.float32) / 32768 for samples in (whole, piece))
    if len(piece) == 0 or len(whole) < len(piece):
        return 0, 0.0
    length = 1 << (len(whole) + len(piece) - 1).bit_length()
    spectrum = numpy.fft.rfft(whole, length) * numpy.conj(numpy.fft.rfft(piece, length))
    products = numpy.fft.irfft(spectrum, length)[: len(whole) - len(piece) + 1]
    energy = numpy.concatenate([[0], numpy.cumsum(whole.astype(numpy.float64) ** 2)])
    loudness = numpy.sqrt(numpy.maximum(energy[len(piece):] - energy[:-len(piece)], 0))
    own = float(numpy.sqrt(numpy.sum(piece.astype(numpy.float64) ** 2)))
    # Where it is next to silent there is no match, however well the little there is fits.
    likeness = products / (numpy.maximum(loudness, 0.3 * own) * own + 1e-9)
    best = int(numpy.argmax(likeness))
    return best, float(likeness[best])


def locate_far(whole, piece, near, window=1 << 21):
    """As `locate`, in a recording of any length: first around the frame `near`, then everywhere. None: nowhere."""
    for start in [max(0, near - window // 2), *range(0, len(whole), window - len(piece))]:
        place, likeness = locate(whole[start:start + window], piece)
        if likeness > SURE:
            return start + place
    return None
