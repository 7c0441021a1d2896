// SPDX-License-Identifier: GPL-3.0-or-later

extension MappedAudio {
    /// Frames that stay where they are: the input of a stage. Valid only in the call that receives it.
    public struct Slice {
        public let channels: Int
        /// The samples, `frames × channels`.
        public let samples: UnsafeBufferPointer<Float>
        /// The pieces in the order of playback; together they have `frames` frames.
        public let pieces: UnsafeBufferPointer<Piece>

        /// The number of output frames.
        public var frames: Int { samples.count / channels }
    }

    /// Calls `body` with all frames.
    public func withSlice<Result>(_ body: (Slice) -> Result) -> Result {
        pieces.withUnsafeBufferPointer { pieces in
            withSamples { body(Slice(channels: channels, samples: $0, pieces: pieces)) }
        }
    }

    /// Appends the frames and pieces of another value.
    public mutating func append(_ other: borrowing MappedAudio) { other.withSlice { append($0) } }
}

extension MappedAudio.Slice {
    /// Calls `body` with unprocessed frames, `samples.count / channels`, that begin with source frame `sourceFrame`.
    public static func with<Result>(
        _ samples: UnsafeBufferPointer<Float>, channels: Int, from sourceFrame: Int64,
        _ body: (MappedAudio.Slice) -> Result
    ) -> Result {
        let frames = samples.count / channels
        let piece = MappedAudio.Piece(sourceFrame: sourceFrame, sourceFrames: frames, frames: frames)
        return withUnsafePointer(to: piece) {
            let pieces = UnsafeBufferPointer(start: $0, count: frames > 0 ? 1 : 0)
            return body(MappedAudio.Slice(channels: channels, samples: samples, pieces: pieces))
        }
    }
}
