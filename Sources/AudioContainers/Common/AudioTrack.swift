// SPDX-License-Identifier: GPL-3.0-or-later
public import Media

/// The audio track of a file.
public struct AudioTrack: Sendable, Equatable {
    public var codec: AudioCodec
    /// The format of the decoded PCM, as the container declares it (AAC with SBR: the doubled rate once known).
    public var format: AudioFormat
    /// Decoded frames to drop at the start: encoder delay or pre-skip.
    public var start: Int64
    /// The number of the first decoded frame after the last one to play; `nil` if it is the end of the stream.
    public var end: Int64?
    /// The decoded frames between `start` and `end` that an edit list leaves out, ascending; they do not overlap.
    public var cuts: [Range<Int64>]
    /// Frames to decode and discard before a seek target so that the output equals a linear decode.
    public var preRoll: Int64
    /// The number of this track in a chained stream, from 0.
    public var ordinal: Int

    public init(
        codec: AudioCodec, format: AudioFormat, start: Int64 = 0, end: Int64? = nil,
        cuts: [Range<Int64>] = [], preRoll: Int64 = 0, ordinal: Int = 0
    ) {
        self.codec = codec
        self.format = format
        self.start = start
        self.end = end
        self.cuts = cuts
        self.preRoll = preRoll
        self.ordinal = ordinal
    }
}

/// Decoded frames, and those of them that are played.
extension AudioTrack {
    /// Returns the number of frames that are played before a decoded frame.
    public func playedFrames(before frame: Int64) -> Int64 {
        let omitted = cuts.reduce(0) { $0 + max(0, min($1.upperBound, frame) - $1.lowerBound) }
        return max(0, frame - start - omitted)
    }

    /// Returns the decoded frame that is played after a number of others.
    public func frame(afterPlaying frames: Int64) -> Int64 {
        cuts.expand(start + frames)
    }

    /// Returns the parts of a range of decoded frames that are played.
    public func playedParts(of range: Range<Int64>) -> [Range<Int64>] {
        let range = range.clamped(to: start..<max(start, end ?? .max))
        var parts: [Range<Int64>] = []
        var frame = range.lowerBound
        for cut in cuts where cut.overlaps(range) {
            if frame < cut.lowerBound { parts.append(frame..<cut.lowerBound) }
            frame = max(frame, cut.upperBound)
        }
        if frame < range.upperBound { parts.append(frame..<range.upperBound) }
        return parts
    }
}

extension [Range<Int64>] {
    /// Expands a position that does not count these ranges, which are in ascending order, to one that does.
    func expand(_ position: Int64) -> Int64 {
        reduce(position) { $1.lowerBound <= $0 ? $0 + Int64($1.count) : $0 }
    }
}

/// One packet of compressed audio: the unit that a decoder accepts.
public struct AudioPacket: Sendable, Equatable {
    /// The first decoded frame, numbered from 0 in this track before trimming; `nil` if it is unknown (an ADTS
    /// stream entered in the middle).
    public var frame: Int64?
    /// The number of PCM frames that the packet decodes to, without those that the container omits at its end.
    public var frames: Int
    /// The offset in the file of its first byte (of its header for ADTS, of the page it begins in for Ogg).
    public var offset: Int64
    /// The length of its payload in bytes. A packet of length 0 is damaged: it stands for `frames` frames of silence,
    /// and `offset` may lie after the end of the file.
    public var length: Int

    public init(frame: Int64?, frames: Int, offset: Int64, length: Int) {
        self.frame = frame
        self.frames = frames
        self.offset = offset
        self.length = length
    }
}
