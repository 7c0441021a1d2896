// SPDX-License-Identifier: GPL-3.0-or-later
import AudioContainers
import MPEGAudio

/// Packets of a container in the order of reading, to find them again in another version of the file. A pure value.
struct PacketHistory {
    /// The first of packets whose frames follow each other.
    private struct Stretch {
        let number: Int
        let segment: Int
        let frame: Int64
    }

    private(set) var hashes = PacketHashes()
    /// The frames of each packet: 0.3 MB for an hour of AAC.
    private var frames: [UInt16] = []
    private var stretches: [Stretch] = []
    /// The segment of the last packet, and the frame after it; `nil` before the first packet.
    private(set) var end: (segment: Int, frame: Int64)?

    /// Adds a packet.
    /// - Parameters:
    ///   - frame: its first decoded frame.
    ///   - bytes: the bytes that are equal in other versions, `AudioCodec.comparedBytes`.
    mutating func append(_ packet: AudioPacket, at frame: Int64, of segment: Int, _ bytes: UnsafeRawBufferPointer) {
        if !isFollowed(by: frame, of: segment) {
            stretches.append(Stretch(number: frames.count, segment: segment, frame: frame))
        }
        hashes.append(hashOf: bytes)
        frames.append(UInt16(clamping: packet.frames))
        end = (segment, frame + Int64(packet.frames))
    }

    /// Returns true if a frame is the one after the last packet.
    func isFollowed(by frame: Int64, of segment: Int) -> Bool {
        end.map { $0.frame == frame && $0.segment == segment } ?? false
    }

    /// Returns the segment and the first frame of the packet with this number; the end for the number after the last.
    func place(of number: Int64) -> (segment: Int, frame: Int64)? {
        guard (0...Int64(frames.count)).contains(number),
            let stretch = stretches.last(where: { $0.number <= number })
        else { return nil }
        let passed = frames[stretch.number..<Int(number)].reduce(0) { $0 + Int64($1) }
        return (stretch.segment, stretch.frame + passed)
    }

    /// Returns the number of the packet that begins with this frame, or the number after the last one; `nil` if there
    /// is none.
    func number(of frame: Int64, in segment: Int) -> Int64? {
        guard let index = stretches.lastIndex(where: { $0.segment == segment && $0.frame <= frame }) else { return nil }
        let last = index + 1 < stretches.count ? stretches[index + 1].number : frames.count
        var (number, start) = (stretches[index].number, stretches[index].frame)
        while start < frame, number < last {
            start += Int64(frames[number])
            number += 1
        }
        return start == frame ? Int64(number) : nil
    }
}
