// SPDX-License-Identifier: GPL-3.0-or-later

/// A stage of the processing chain of one item. A pure value: the output depends only on the input so far, not on how
/// the input is divided.
///
/// The result of `process` and `finish` together represents each source frame of the input exactly once, in order.
/// Stages never drop the first or the last frame of an item.
public protocol ProcessingStage: Sendable {
    /// Takes all of `input`, and appends the frames that are ready to `output`. A stage that looks ahead holds frames
    /// back.
    /// - Parameter input: audio that follows the audio of the last call.
    mutating func process(_ input: MappedAudio.Slice, into output: inout MappedAudio)

    /// Appends the frames that are held back: the item ends here.
    mutating func finish(into output: inout MappedAudio)

    /// Drops the frames that are held back, because the next input is from another position. What the stage has learned
    /// about the item (levels, statistics) stays.
    mutating func restart()
}

extension ProcessingStage {
    /// Takes all of `input`, and appends the frames that are ready to `output`.
    public mutating func process(_ input: borrowing MappedAudio, into output: inout MappedAudio) {
        input.withSlice { process($0, into: &output) }
    }
}
