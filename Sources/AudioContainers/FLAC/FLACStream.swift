// SPDX-License-Identifier: GPL-3.0-or-later

/// A FLAC stream, with what its metadata and its first frame state.
struct FLACStream: Sendable {
    /// The place of the stream among those of the file, from 0.
    let ordinal: Int
    let info: FLACStreamInfo
    var comments = VorbisCommentReader()
    var seekTable = FLACSeekTable()
    /// The offset of the first frame; `nil` before it is found.
    var audioStart: Int64?
    /// The number of the first sample, which is not 0 if the beginning of the stream was cut off; `nil` before it is
    /// known.
    var base: Int64?
    /// The number of the next PCM frame; `nil` after a jump to a place whose number is unknown.
    private(set) var next: Int64? = 0
    /// True before the first frame after a jump to a place whose number is known.
    private var hasResumed = false
    /// PCM frames per frame in a stream of fixed block size.
    private var blockSize: Int64?

    init(ordinal: Int, info: FLACStreamInfo) { (self.ordinal, self.info) = (ordinal, info) }

    /// Returns the number of a frame's first sample. Source: RFC 9639 section 9.1.5.
    mutating func sample(of header: FLACFrameHeader) -> Int64 {
        guard !header.isVariable else { return header.number }
        let size = blockSize ?? Int64(max(header.blockSize, info.blockSizes.isFixed ? info.blockSizes.upperBound : 0))
        blockSize = size
        return header.number * size
    }

    /// Continues at a frame whose number is `next`; `nil` if it is unknown.
    mutating func resume(at next: Int64?) { (self.next, hasResumed) = (next, next != nil) }

    /// Numbers a frame, and the following one.
    /// - Parameter isStartDamaged: True if a frame before the first one may be missing.
    /// - Returns: `nil` if the frame belongs before the first one.
    mutating func place(_ header: FLACFrameHeader, isStartDamaged: Bool) -> Int64? {
        let sample = sample(of: header)
        let base = self.base ?? (isStartDamaged ? 0 : sample)
        var frame = sample - base
        self.base = base
        if let next, hasResumed || frame < next {
            // The frames' numbers went back, as in joined streams: the packets' numbers must not. After a jump back,
            // they count as they did there.
            self.base = sample - next
            frame = next
        }
        guard frame >= 0 else { return nil }
        (next, hasResumed) = (frame + Int64(header.blockSize), false)
        return frame
    }
}

extension ClosedRange<Int> {
    /// True if the range has only one value.
    fileprivate var isFixed: Bool { lowerBound == upperBound }
}
