// SPDX-License-Identifier: GPL-3.0-or-later

/// A set of available bytes of a file: disjoint, non-adjacent, ascending half-open ranges.
public struct ByteRangeSet: Sendable, Equatable {
    public private(set) var ranges: [ByteRange] = []

    public init() {}

    public init(_ ranges: some Sequence<ByteRange>) {
        for range in ranges { insert(range) }
    }

    public var isEmpty: Bool { ranges.isEmpty }

    /// The number of bytes in all ranges together.
    public var count: Int64 { ranges.reduce(0) { $0 + Int64($1.count) } }

    /// The end of the last range; `nil` if the set is empty.
    public var upperBound: Int64? { ranges.last?.upperBound }

    /// Adds `range`, joining all ranges that it overlaps or touches.
    public mutating func insert(_ range: ByteRange) {
        guard !range.isEmpty else { return }
        let first = ranges.partitioningIndex { $0.upperBound >= range.lowerBound }
        let afterLast = ranges.partitioningIndex { $0.lowerBound > range.upperBound }
        guard first < afterLast else { return ranges.insert(range, at: first) }
        let joined = min(range.lowerBound, ranges[first].lowerBound)
            ..< max(range.upperBound, ranges[afterLast - 1].upperBound)
        ranges.replaceSubrange(first..<afterLast, with: CollectionOfOne(joined))
    }

    /// Removes every byte of `range`.
    public mutating func subtract(_ range: ByteRange) {
        guard !range.isEmpty else { return }
        let first = ranges.partitioningIndex { $0.upperBound > range.lowerBound }
        let afterLast = ranges.partitioningIndex { $0.lowerBound >= range.upperBound }
        guard first < afterLast else { return }
        let head = ranges[first].lowerBound..<max(ranges[first].lowerBound, range.lowerBound)
        let tail = min(ranges[afterLast - 1].upperBound, range.upperBound)..<ranges[afterLast - 1].upperBound
        ranges.replaceSubrange(first..<afterLast, with: [head, tail].filter { !$0.isEmpty })
    }

    /// Removes every byte that is not in `other`.
    public mutating func formIntersection(_ other: ByteRangeSet) {
        var rest = self
        for range in other.ranges { rest.subtract(range) }
        for range in rest.ranges { subtract(range) }
    }

    /// True if every byte of `range` is in the set.
    public func contains(_ range: ByteRange) -> Bool {
        range.isEmpty || contiguousEnd(from: range.lowerBound) >= range.upperBound
    }

    /// Returns the end of the contiguous run of bytes that starts at `offset`, or `offset` itself if that byte is
    /// missing.
    public func contiguousEnd(from offset: Int64) -> Int64 {
        let candidate = ranges.partitioningIndex { $0.upperBound > offset }
        guard candidate < ranges.count, ranges[candidate].lowerBound <= offset else { return offset }
        return ranges[candidate].upperBound
    }

    /// Returns the first missing range inside `bounds`, or `nil` if no byte is missing.
    public func firstGap(in bounds: ByteRange) -> ByteRange? {
        let start = contiguousEnd(from: bounds.lowerBound)
        guard start < bounds.upperBound else { return nil }
        let next = ranges.partitioningIndex { $0.lowerBound > start }
        let end = next < ranges.count ? min(ranges[next].lowerBound, bounds.upperBound) : bounds.upperBound
        return start..<end
    }

    /// Returns the number of missing bytes inside `bounds`.
    public func missing(in bounds: ByteRange) -> Int64 {
        var outside = self
        outside.subtract(bounds)
        return Int64(bounds.count) - (count - outside.count)
    }
}

/// A half-open range of byte offsets, counted from the first byte of an enclosure.
public typealias ByteRange = Range<Int64>
