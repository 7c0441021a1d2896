// SPDX-License-Identifier: GPL-3.0-or-later
import Media

/// A sparse map of frames and byte offsets: about one entry for each 256 packets.
struct SeekCheckpoints: Sendable {
    struct Entry: Sendable, Equatable {
        var frame: Int64
        var offset: Int64
        /// The container's own number of the place: a packet, or 0.
        var index: Int64
    }

    /// The least distance of two entries in packets.
    static let interval: Int64 = 256

    /// In ascending order of frames.
    private(set) var entries: [Entry] = []

    /// Inserts an entry unless one with its frame exists.
    mutating func insert(_ entry: Entry) {
        guard let last = entries.last, last.frame >= entry.frame else { return entries.append(entry) }
        let place = entries.partitioningIndex { $0.frame >= entry.frame }
        guard entries[place].frame != entry.frame else { return }
        entries.insert(entry, at: place)
    }

    mutating func removeEverySecond() {
        entries = entries.indices.filter { $0.isMultiple(of: 2) }.map { entries[$0] }
    }

    /// The last entry at or before a frame.
    func last(atOrBefore frame: Int64) -> Entry? { entries.lastSorted { $0.frame <= frame } }

    /// The last entry whose index is at or before `index`, for entries whose indices ascend.
    func last(atOrBeforeIndex index: Int64) -> Entry? { entries.lastSorted { $0.index <= index } }

    /// The last entry at or before an offset. Offsets normally ascend; otherwise the result is any entry before it.
    func last(atOrBeforeOffset offset: Int64) -> Entry? { entries.lastSorted { $0.offset <= offset } }

    /// Returns the offset of a frame, linear between two entries; `nil` outside of them.
    func offset(ofFrame frame: Int64) -> Int64? {
        let next = entries.partitioningIndex { $0.frame > frame }
        guard next > 0 else { return nil }
        let lower = entries[next - 1]
        guard next < entries.count else { return lower.frame == frame ? lower.offset : nil }
        return Self.interpolate(
            frame - lower.frame, of: entries[next].frame - lower.frame, from: lower.offset, to: entries[next].offset)
    }

    /// Returns the frame at an offset, linear between two entries; `nil` outside of them.
    func frame(atOffset offset: Int64) -> Int64? {
        let next = entries.partitioningIndex { $0.offset > offset }
        guard next > 0 else { return nil }
        let lower = entries[next - 1]
        guard next < entries.count else { return lower.offset == offset ? lower.frame : nil }
        return Self.interpolate(
            offset - lower.offset, of: entries[next].offset - lower.offset, from: lower.frame, to: entries[next].frame)
    }

    private static func interpolate(_ part: Int64, of whole: Int64, from start: Int64, to end: Int64) -> Int64 {
        guard whole > 0 else { return start }
        return start + Int64(Double(end - start) * Double(part) / Double(whole))
    }
}
