// SPDX-License-Identifier: GPL-3.0-or-later
import Glibc
import MPEGAudio
import Measuring

/// A file in memory, split into packets.
struct EpisodeFile {
    private let bytes: [UInt8]
    private let packets: [MPEGPacket]

    init(path: String) {
        guard let bytes = Self.bytes(of: path) else { stop("cannot read \(path)") }
        self.bytes = bytes
        packets = Self.packets(of: bytes)
        guard !packets.isEmpty else { stop("\(path) contains no MPEG audio") }
    }

    /// Returns the hashes of all packets, and the time for computing them.
    func hash() -> (hashes: PacketHashes, time: Duration) {
        var hashes = PacketHashes()
        let time = ContinuousClock().measure {
            bytes.withUnsafeBytes { bytes in
                for packet in packets {
                    let start = Int(packet.offset)
                    hashes.append(hashOf: UnsafeRawBufferPointer(rebasing: bytes[start..<start + packet.length]))
                }
            }
        }
        return (hashes, time)
    }

    private static func packets(of bytes: [UInt8]) -> [MPEGPacket] {
        var parser = MPEGStreamParser()
        var packets: [MPEGPacket] = []
        for start in stride(from: 0, to: bytes.count, by: 65536) {
            bytes[start..<min(bytes.count, start + 65536)].withUnsafeBytes { parser.append($0) }
            while let event = parser.next() {
                if case .packet(let packet) = event { packets.append(packet) }
            }
        }
        return packets
    }

    private static func bytes(of path: String) -> [UInt8]? {
        guard let file = fopen(path, "r") else { return nil }
        defer { fclose(file) }
        fseek(file, 0, SEEK_END)
        var bytes = [UInt8](repeating: 0, count: max(0, ftell(file)))
        rewind(file)
        return fread(&bytes, 1, bytes.count, file) == bytes.count ? bytes : nil
    }
}
