// SPDX-License-Identifier: GPL-3.0-or-later
import Media

/// The index of the fragments after it. Source: ISO/IEC 14496-12 section 8.16.3 (`sidx`).
struct SegmentIndex: Sendable, Equatable {
    struct Segment: Sendable, Equatable {
        /// The presentation time in units of `timescale`; it may differ from the decoding time by the encoder delay.
        var time: Int64
        var offset: Int64
    }

    /// The largest box: 65,535 references of 12 bytes, and its header.
    static let longest: Int64 = 65535 * 12 + 40

    let timescale: Int64
    let segments: [Segment]
    /// The time and the file offset after the last segment.
    let end: Segment

    /// - Parameters:
    ///   - content: the content of the box.
    ///   - anchor: the file offset of its end.
    init?(_ content: ArraySlice<UInt8>, anchor: Int64) {
        var fields = ByteFields(content)
        guard let version = fields.number(4), fields.skip(4), let timescale = fields.number(4), timescale > 0,
            var time = fields.unsigned(isLong: version >> 24 > 0),
            let first = fields.unsigned(isLong: version >> 24 > 0),
            fields.skip(2), let count = fields.number(2)
        else { return nil }
        var offset = anchor + min(first, ByteWindow.farthest)
        time = min(time, ByteWindow.farthest)
        var segments: [Segment] = []
        while segments.count < count, let size = fields.number(4), let duration = fields.number(4), fields.skip(4) {
            segments.append(Segment(time: time, offset: offset))
            // The highest bit marks a reference to another index, which the walk finds at that offset.
            offset += Int64(size & 0x7FFF_FFFF)
            time += Int64(duration)
        }
        self.timescale = Int64(timescale)
        self.segments = segments
        end = Segment(time: time, offset: offset)
    }
}
