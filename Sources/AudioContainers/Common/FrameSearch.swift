// SPDX-License-Identifier: GPL-3.0-or-later

/// A search for the place in a file at which a frame is decoded, for containers that number their packets or fragments
/// if no table leads to the frame: Ogg, FLAC, fragmented MP4, and files whose table names bytes that they lack.
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
    /// The most bytes that count as the distance of packets: behind damage, the next one may be far away.
    private static let longestSpacing: Int64 = 2 << 20
    private let frame: Int64
    private let start: Place
    /// The last known packet at or before the frame: the place to start from.
    public private(set) var result: Place
    /// An offset from which only later packets are found, and the frame found there; `nil` if it is unknown.
    private var upper: (offset: Int64, frame: Int64?)
    /// The greatest distance to a later packet so far: the places at which packets are found may lie as far apart, as
    /// long fragments do.
    private var spacing: Int64 = 0
    /// True if `upper` was found, rather than estimated by the caller.
    private var isUpperFound = false
    /// True if the end may be that of another stream, whose frames have the same numbers.
    public let isEndDoubtful: Bool
    private var steps = 0
    /// The number of steps in succession that have moved `result`; negative if they have moved `upper`.
    private var streak = 0

    /// The number of steps after which every second one halves the range, in case the numbers mislead interpolation.
    private static let interpolations = 6
    /// The part of the way of the first step if the end is doubtful: the rate up to there predicts the next one.
    private static let firstPart: Int64 = 4

    /// - Parameters:
    ///   - frame: The wanted frame, minus the pre-roll.
    ///   - start: A packet at or before the frame.
    ///   - end: The end of the bytes to search, and its frame, known or estimated.
    ///   - nearFrames: The search ends when the result is less than so many frames before the frame.
    ///   - isEndDoubtful: True if the end may be that of another stream, whose frames have the same numbers.
    public init(
        for frame: Int64, from start: Place, to end: (offset: Int64, frame: Int64?), nearFrames: Int64,
        isEndDoubtful: Bool = false
    ) {
        self.frame = max(frame, start.frame)
        (self.start, result, upper) = (start, start, end)
        self.nearFrames = max(1, nearFrames)
        self.isEndDoubtful = isEndDoubtful
    }

    /// The offset from which to synchronize next; `nil` if the search has ended.
    public var nextOffset: Int64? {
        let bytes = upper.offset - result.offset
        guard bytes > max(Self.nearBytes, spacing), frame - result.frame >= nearFrames else { return nil }
        let mayInterpolate = steps < Self.interpolations || steps.isMultiple(of: 2)
        guard mayInterpolate, let distance else { return result.offset + bytes / 2 }
        // The aim is a little early, because packets before the frame are wanted.
        let margin = max(Self.nearBytes / 4, min(spacing, bytes / 2))
        let aim = Int64(min(Double(bytes), distance)) - margin
        let step = min(max(aim, Self.nearBytes / 4), bytes - margin)
        return result.offset + (isEndDoubtful && steps == 0 ? step / Self.firstPart : step)
    }

    /// The estimated bytes from `result` to the frame: at the rate before `result`, or between two places that were
    /// found, or that the caller estimates.
    ///
    /// Where the bit rate varies, plain interpolation moves only one of the two places, in small steps. So the frames
    /// to the other place count half as much after each such step (Illinois method), until the aim is beyond the frame.
    private var distance: Double? {
        var before = Double(frame - result.frame)
        if !isUpperFound, result.frame > start.frame {
            return before * Double(result.offset - start.offset) / Double(result.frame - start.frame)
        }
        guard let last = upper.frame, last > result.frame else { return nil }
        var after = Double(max(0, last - frame))
        let weight = Double(sign: .plus, exponent: -max(0, abs(streak) - 1), significand: 1)
        if streak > 0 { after *= weight } else { before *= weight }
        return Double(upper.offset - result.offset) * before / (before + after)
    }

    /// Records the first packet that was found from `nextOffset` on; `nil` if there is none before the end.
    /// - Parameter start: the start of the fragment that contains the packet. A search from a later offset does not
    ///   find the packet, even if it lies behind that offset, as sound does that follows the picture.
    public mutating func found(_ place: Place?, inFragmentAt start: Int64? = nil) {
        guard let tried = nextOffset else { return }
        steps += 1
        // The samples of `moov` are found from each offset.
        let origin = place.map { max(tried, min(start ?? $0.offset, $0.offset)) } ?? tried
        // Frames whose numbers begin again belong to another stream.
        if let place, result.frame...frame ~= place.frame, place.offset >= result.offset, origin < upper.offset {
            // The next attempt must be at a later offset even if the same packet is found again.
            result = Place(offset: max(place.offset, tried), frame: place.frame)
            streak = max(0, streak) + 1
        } else {
            (upper, isUpperFound) = ((tried, place?.frame), true)
            spacing = min(Self.longestSpacing, max(spacing, origin - tried))
            streak = min(0, streak) - 1
        }
    }
}
