// SPDX-License-Identifier: GPL-3.0-or-later

/// The duration of an Opus packet. Source: RFC 6716 sections 3.1 and 3.2.
enum OpusPacketDuration {
    /// The duration of the shortest frame in PCM frames at 48 kHz. Other durations are multiples of it.
    static let shortestFrame = 120

    /// The durations of the frames of each mode in PCM frames at 48 kHz.
    private static let silk = [480, 960, 1920, 2880]
    private static let hybrid = [480, 960]
    private static let celt = [120, 240, 480, 960]

    /// Returns the number of PCM frames at 48 kHz; `nil` if the packet is invalid.
    static func frames(of packet: UnsafeRawBufferPointer) -> Int? {
        guard let first = packet.first, let count = count(of: packet, first & 3) else { return nil }
        let configuration = Int(first >> 3)
        let duration =
            switch configuration {
            case 0..<12: silk[configuration & 3]
            case 12..<16: hybrid[configuration & 1]
            default: celt[configuration & 3]
            }
        let total = count * duration
        return 1...OpusHead.maximumPacketFrames ~= total ? total : nil
    }

    private static func count(of packet: UnsafeRawBufferPointer, _ code: UInt8) -> Int? {
        switch code {
        case 0: 1
        case 1, 2: 2
        default: packet.count > 1 ? Int(packet[1] & 0x3F) : nil
        }
    }
}
