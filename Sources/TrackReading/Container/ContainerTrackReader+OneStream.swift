// SPDX-License-Identifier: GPL-3.0-or-later
import AudioContainers
import Media

/// A comparison that shows without reading all bytes that a complete FLAC file is one stream: docs/decisions/0083.
extension ContainerTrackReader {
    /// Two packets that are compared have at most this part of the bytes before them between them.
    private static let part: Int64 = 8

    /// Returns true if the numbers of packets increase up to the end of the file, and the last packet ends at the
    /// stated number of frames.
    /// - Parameter offset: the offset before which no other stream begins.
    func hasOneStream(from offset: Int64, total: Int64) -> Bool {
        guard segments.count == 1, let frames = declaredFrames, let start = index.audioStart else { return false }
        let end = total - Self.endLength
        var copy = parser
        var distance = (offset - start) / Self.part
        guard var place = Self.place(in: offset..<offset + distance, &copy, source) else { return false }
        while place.offset < end {
            distance = (place.offset - start) / Self.part
            let range = min(place.offset + distance / 2, end)..<place.offset + distance
            guard let next = Self.place(in: range, &copy, source), next.frame > place.frame else { return false }
            place = next
        }
        return Self.lastFrame(of: &copy, source) == frames
    }

    /// Returns true if the numbers of packets begin again in a complete FLAC file, or if there are more frames than it
    /// states: FFmpeg joins files without the header of the second one.
    func restartsNumbers(total: Int64) -> Bool {
        guard segments.count == 1, let frames = declaredFrames, let start = index.audioStart else { return false }
        let length = (total - start) / Self.part
        var copy = parser
        var reached: Int64 = 0
        for number in 1..<Self.part {
            let offset = start + number * length
            guard let place = Self.place(in: offset..<offset + length, &copy, source) else { return false }
            guard place.frame >= reached else { return true }
            reached = place.frame
        }
        copy.synchronize(from: max(start, total - Self.endLength))
        guard let end = Self.lastFrame(of: &copy, source) else { return false }
        return end < reached || end > frames
    }

    /// Returns the place of the first packet in a range; `nil` if there is none, or another stream begins before it.
    private static func place(
        in range: Range<Int64>, _ parser: inout any ContainerParser, _ source: any ByteSource
    ) -> FrameSearch.Place? {
        parser.synchronize(from: range.lowerBound)
        while true {
            switch parser.next() {
            case .packet(let packet):
                guard let frame = packet.frame, range.contains(packet.offset) else { return nil }
                return FrameSearch.Place(offset: packet.offset, frame: frame)
            case .track, .failed: return nil
            case .metadata, .chapters, .gain, .garbage: continue
            case nil:
                guard !parser.isDone, parser.readOffset < range.upperBound, parser.read(source) else { return nil }
            }
        }
    }
}
