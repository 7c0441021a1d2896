// SPDX-License-Identifier: GPL-3.0-or-later

/// The place of the sound in a file.
struct WaveSound: Sendable {
    private static let packetFrames = 4096
    private static let longestPacket = 64 << 10

    /// The offset of the first PCM frame.
    let start: Int64
    let bytesPerFrame: Int
    /// The number of PCM frames, as declared; `nil` if the sound reaches to the end of the file.
    let frames: Int64?
    /// The offset of the chunk after the sound; `nil` if none is known.
    let next: Int64?
    /// The number of the next PCM frame.
    var nextFrame: Int64 = 0
    /// True if the bytes before the next frame were read, so that it is known to exist.
    var isReached = true
    /// The number of PCM frames if the end was reached.
    var exactFrames: Int64?

    /// The number of PCM frames of a whole packet.
    private var packetFrames: Int64 { Int64(max(1, min(Self.packetFrames, Self.longestPacket / bytesPerFrame))) }

    func offset(of frame: Int64) -> Int64 { start + frame * Int64(bytesPerFrame) }

    /// The number of PCM frames of the next packet, which ends where packets end in a parse from the start; 0 at the
    /// end of the sound.
    var nextPacketFrames: Int64 {
        let whole = packetFrames - nextFrame % packetFrames
        return frames.map { min(whole, max(0, $0 - nextFrame)) } ?? whole
    }

    /// Returns the first frame of the packet that contains `frame`.
    func packetStart(of frame: Int64) -> Int64 { frame - frame % packetFrames }

    /// Returns the first frame of the first packet at or after an offset.
    func firstPacket(from offset: Int64) -> Int64 {
        let length = packetFrames * Int64(bytesPerFrame)
        return (max(0, offset - start) + length - 1) / length * packetFrames
    }
}
