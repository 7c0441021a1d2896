// SPDX-License-Identifier: GPL-3.0-or-later
import AudioContainers
import Media

/// The packets of a file that were read without a gap from its start: a sparse map of frames, bytes and points to
/// resume at.
struct PacketIndex {
    /// A packet's place.
    struct Entry {
        let segment: Int
        let point: ContainerPoint
        /// The offset of the packet in the file.
        let offset: Int64

        var frame: Int64 { point.frame }
    }

    /// The least distance of two entries. A seek parses at most so much more than it needs.
    private static let interval = Duration.seconds(2)

    private var entries: [Entry] = []
    /// The last indexed packet, and the frame after it.
    private(set) var last: Entry?
    private(set) var end: Int64 = 0

    /// The offset of the first packet; `nil` before it.
    var audioStart: Int64? { entries.first?.offset }

    /// Returns true if a packet is the next one to be indexed.
    /// - Parameter isFollowing: true if the parser has read everything between the last indexed packet and this one, so
    ///   that missing frames are lost ones, and repeated ones those of a damaged packet.
    func continues(with packet: AudioPacket, of segment: Int, isFollowing: Bool) -> Bool {
        guard let last else { return segment == 0 && isFollowing }
        guard let frame = packet.frame else { return false }
        if segment == last.segment { return frame == end || isFollowing && frame > last.frame }
        return segment == last.segment + 1 && isFollowing
    }

    /// Adds the next packet.
    mutating func append(_ packet: AudioPacket, at point: ContainerPoint, of segment: Int, format: AudioFormat) {
        let entry = Entry(segment: segment, point: point, offset: packet.offset)
        (last, end) = (entry, point.frame + Int64(packet.frames))
        if let previous = entries.last, previous.segment == segment,
            format.duration(ofFrames: entry.frame - previous.frame) < Self.interval
        {
            return
        }
        entries.append(entry)
    }

    /// Returns the last entry at or before a frame, or the first of the segment; `nil` if the frame is not indexed.
    func entry(for frame: Int64, of segment: Int) -> Entry? {
        guard let last, segment < last.segment || segment == last.segment && frame < end else { return nil }
        let next = entries.partitioningIndex { ($0.segment, $0.frame) > (segment, frame) }
        if next > 0, entries[next - 1].segment == segment { return entries[next - 1] }
        return next < entries.count && entries[next].segment == segment ? entries[next] : nil
    }

    /// Returns the frame and the segment at a byte offset, interpolated between two entries; `nil` if the offset is not
    /// indexed.
    func place(atByte offset: Int64) -> (frame: Int64, segment: Int)? {
        guard let last, offset <= last.offset else { return nil }
        let next = entries.partitioningIndex { $0.offset > offset }
        guard next > 0 else { return nil }
        let (lower, upper) = (entries[next - 1], next < entries.count ? entries[next] : last)
        guard upper.segment == lower.segment, upper.offset > lower.offset else { return (lower.frame, lower.segment) }
        let part = Double(offset - lower.offset) / Double(upper.offset - lower.offset)
        return (lower.frame + Int64(part * Double(upper.frame - lower.frame)), lower.segment)
    }

    /// Returns the byte offset of a frame, interpolated between two entries; `nil` if the frame is not indexed.
    func offset(of frame: Int64, _ segment: Int) -> Int64? {
        guard let lower = entry(for: frame, of: segment) else { return nil }
        let next = entries.partitioningIndex { ($0.segment, $0.frame) > (segment, frame) }
        let upper = next < entries.count ? entries[next] : last
        guard let upper, upper.segment == segment, upper.frame > lower.frame, upper.offset > lower.offset else {
            return lower.offset
        }
        let part = Double(frame - lower.frame) / Double(upper.frame - lower.frame)
        return lower.offset + Int64(max(0, min(1, part)) * Double(upper.offset - lower.offset))
    }
}
