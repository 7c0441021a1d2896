// SPDX-License-Identifier: GPL-3.0-or-later

/// The seek table of a FLAC file. A table with many points is thinned out. Source: RFC 9639 section 8.5.
struct FLACSeekTable: Sendable {
    /// The length of a point in the file.
    static let pointLength = 18
    private static let most = 4096

    /// The first sample of a frame, and the offset of that frame from the first one.
    private(set) var points = SeekCheckpoints()
    /// Points are kept if their number is a multiple of this.
    private var step = 1
    private var count = 0

    /// Adds a point of 18 bytes. Ignores placeholders, and points that are out of order.
    mutating func add(_ bytes: ArraySlice<UInt8>) {
        var fields = ByteFields(bytes)
        guard let sample = fields.wideNumber(8), let offset = fields.wideNumber(8),
            sample < 1 << 52, offset < 1 << 52
        else { return }
        let point = SeekCheckpoints.Entry(frame: Int64(sample), offset: Int64(offset), index: 0)
        if let last = points.entries.last, point.frame <= last.frame || point.offset <= last.offset { return }
        defer { count += 1 }
        guard count.isMultiple(of: step) else { return }
        points.insert(point)
        guard points.entries.count > Self.most else { return }
        points.removeEverySecond()
        step *= 2
    }

    /// Returns the last point at or before a sample.
    func point(before sample: Int64) -> SeekCheckpoints.Entry? { points.last(atOrBefore: sample) }

    /// Returns the last point at or before an offset from the first frame.
    func point(beforeOffset offset: Int64) -> SeekCheckpoints.Entry? { points.last(atOrBeforeOffset: offset) }
}
