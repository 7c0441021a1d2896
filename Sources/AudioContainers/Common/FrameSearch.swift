// SPDX-License-Identifier: GPL-3.0-or-later

/// A search for the place in a file at which a frame is decoded, for containers that number their packets but have no
/// table of them: Ogg, and FLAC without a seek table.
///
/// The caller synchronizes a parser from `nextOffset`, and tells the first packet that it returns, until `nextOffset`
/// is `nil`. Then it synchronizes from `result.offset` and skips packets up to the wanted one.
public struct FrameSearch: Sendable {
    /// A packet's place.
    public struct Place: Sendable, Equatable {
        public var offset: Int64
        public var frame: Int64

        public init(offset: Int64, frame: Int64) { (self.offset, self.frame) = (offset, frame) }
    }

    /// The bytes and the frames below which reading on costs less than another jump.
    private static let nearBytes: Int64 = 64 << 10
    private let nearFrames: Int64
    private let frame: Int64
    /// The last known packet at or before the frame: the place to start from.
    public private(set) var result: Place
    /// An offset from which only later packets are found, and the frame found there; `nil` if it is unknown.
    private var upper: (offset: Int64, frame: Int64?)
    private var steps = 0

    /// - Parameters:
    ///   - frame: The wanted frame, minus the pre-roll.
    ///   - start: A packet at or before the frame.
    ///   - end: The end of the bytes to search, and its frame if it is known.
    ///   - sampleRate: The search ends when the result is less than a second before the frame.
    public init(for frame: Int64, from start: Place, to end: (offset: Int64, frame: Int64?), sampleRate: Int) {
        self.frame = max(frame, start.frame)
        result = start
        upper = end
        nearFrames = Int64(max(1, sampleRate))
    }

    /// The offset from which to synchronize next; `nil` if the search has ended.
    public var nextOffset: Int64? {
        let bytes = upper.offset - result.offset
        guard bytes > Self.nearBytes, frame - result.frame >= nearFrames else { return nil }
        // Interpolation alone would approach slowly where the bit rate varies.
        guard steps.isMultiple(of: 2), let last = upper.frame, last > result.frame else {
            return result.offset + bytes / 2
        }
        let part = Double(frame - result.frame) / Double(last - result.frame)
        // The aim is a little early, because packets before the frame are wanted.
        let aim = Int64(Double(bytes) * min(1, part)) - Self.nearBytes / 4
        return result.offset + min(max(aim, Self.nearBytes / 4), bytes - Self.nearBytes / 4)
    }

    /// Records the first packet that was found from `nextOffset` on; `nil` if there is none before the end.
    public mutating func found(_ place: Place?) {
        guard let tried = nextOffset else { return }
        steps += 1
        if let place, place.frame <= frame, place.offset >= result.offset, place.offset < upper.offset {
            // The next attempt must be at a later offset even if the same packet is found again.
            result = Place(offset: max(place.offset, tried), frame: place.frame)
        } else {
            upper = (tried, place?.frame)
        }
    }
}
