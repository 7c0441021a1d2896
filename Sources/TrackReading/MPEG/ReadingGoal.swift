// SPDX-License-Identifier: GPL-3.0-or-later
import MPEGAudio
import Media

/// The goal of an item's reader.
enum ReadingGoal: Equatable {
    /// Land at the target as soon as its time is known.
    case land(TimeTarget)
    /// Parse until the packet played at this time is indexed, then land there.
    case reach(Duration)
    /// Decode until the output is correct, then land at `landing` or soon after it; `wanted` is the requested time.
    /// The first packet determines how long that takes.
    case refillReservoir(ReservoirFill?, landing: Duration, wanted: Duration)
    /// Decode the following packets.
    case play
    /// The item is read.
    case end
}
