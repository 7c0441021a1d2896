// SPDX-License-Identifier: GPL-3.0-or-later
import MPEGAudio

/// What an item's reader works towards.
enum ReadingGoal: Equatable {
    /// To land there, as soon as it can be told where that is.
    case land(TimeTarget)
    /// To parse on until the packet that sounds then is indexed, then land there.
    case reach(Duration)
    /// To decode until the sound is right, then land there or soon after; `wanted` is what was asked for. How long
    /// that takes the first packet tells.
    case settle(ReservoirFill?, landing: Duration, wanted: Duration)
    /// To decode what comes.
    case play
    /// Nothing more.
    case end
}
