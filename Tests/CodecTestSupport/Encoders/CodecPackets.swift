// SPDX-License-Identifier: GPL-3.0-or-later
import AudioDecoding
import EarshotTestSupport
import Glibc
import Media

/// A packet as a container delivers it.
struct CodecPacket: Sendable {
    var bytes: [UInt8]
    /// The number of PCM frames that the container declares.
    var frames: Int

    /// Returns the packet with a few bytes changed; one in four times truncated, one in eight times all noise.
    func damaged(using random: inout some RandomNumberGenerator) -> CodecPacket {
        guard !bytes.isEmpty else { return self }
        var damaged = bytes
        let isNoise = Int.random(in: 0..<8, using: &random) == 0
        for _ in 0..<(isNoise ? bytes.count : Int.random(in: 1...8, using: &random)) {
            damaged[Int.random(in: 0..<bytes.count, using: &random)] = .random(in: 0...255, using: &random)
        }
        let isCut = Int.random(in: 0..<4, using: &random) == 0
        return CodecPacket(
            bytes: isCut ? Array(damaged.prefix(.random(in: 0...bytes.count, using: &random))) : damaged, frames: frames
        )
    }
}

extension AudioDecoder {
    /// Decodes packets in order.
    func decode(_ packets: some Collection<CodecPacket>) throws -> [Float] {
        var pcm = PCMBuffer(
            format: format, capacity: packets.reduce(maximumPacketFrames) { $0 + $1.frames })
        for packet in packets {
            try packet.bytes.withUnsafeBytes { bytes in
                try decode(bytes, frames: packet.frames, into: &pcm)
            }
        }
        return Array(pcm.samples)
    }

    /// Decodes packets `numbers` after a reset, and the `preRoll` packets before them, which are discarded.
    func seek(_ packets: [CodecPacket], to numbers: Range<Int>, preRoll: Int) throws -> [Float] {
        try reset()
        _ = try decode(packets[max(0, numbers.lowerBound - preRoll)..<numbers.lowerBound])
        return try decode(packets[numbers])
    }
}

extension [CodecPacket] {
    /// Returns the samples of packets `numbers` of a linear decode of all packets.
    func samples(_ linear: [Float], _ numbers: Range<Int>, channels: Int) -> ArraySlice<Float> {
        let start = self[..<numbers.lowerBound].reduce(0) { $0 + $1.frames } * channels
        return linear[start..<start + self[numbers].reduce(0) { $0 + $1.frames } * channels]
    }
}

/// A signal of several tones, clicks and noise whose level changes every 1/16 second.
struct TestProgramme {
    let sampleRate: Int
    let channels: Int
    /// Interleaved, −0.9 to 0.9.
    let samples: [Float]

    init(sampleRate: Int, channels: Int, seconds: Double, seed: UInt64 = 1) {
        self.sampleRate = sampleRate
        self.channels = channels
        var random = SeededGenerator(seed: seed)
        var samples: [Float] = []
        let length = sampleRate / 16
        for _ in 0..<Int(seconds * 16) {
            let level: Double = [0.0, 0.01, 0.2, 0.4].randomElement(using: &random) ?? 0
            let noise = Float.random(in: 0...0.3, using: &random) * Float(level)
            let pitches = (0..<channels).map { _ in Double.random(in: 80...5000, using: &random) }
            for frame in 0..<length {
                for pitch in pitches {
                    let angle = 2 * Double.pi * pitch * Double(frame) / Double(sampleRate)
                    let tone = Float(sin(angle) * level)
                    samples.append(tone + Float.random(in: -1...1, using: &random) * noise)
                }
            }
        }
        self.samples = samples
    }

    init(sampleRate: Int, channels: Int, samples: [Float]) {
        (self.sampleRate, self.channels, self.samples) = (sampleRate, channels, samples)
    }

    var frames: Int { samples.count / channels }
}
