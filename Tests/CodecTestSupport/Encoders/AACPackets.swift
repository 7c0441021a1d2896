// SPDX-License-Identifier: GPL-3.0-or-later
import AudioContainers
import EarshotTestSupport

/// A generated AAC stream: valid packets with random spectra, all window sequences and both window shapes. HE-AAC has
/// random envelopes; its SBR header is in every eighth packet. Source: ISO/IEC 14496-3 sections 4.4.2 and 4.6.18.
struct AACPackets {
    enum Extension: Sendable { case none, sbr, ps }

    let config: AACConfig
    let packets: [CodecPacket]

    /// - Parameters:
    ///   - core: the rate of the AAC-LC part: 48,000 or 24,000 Hz. SBR requires 24,000.
    ///   - isSignalled: false leaves the extension out of the configuration (implicit signalling).
    ///   - ballast: the least bytes of a packet; fill elements make up for the difference.
    init(
        core: Int, channels: Int, _ extending: Extension = .none, count: Int, isSignalled: Bool = true,
        ballast: Int = 0, seed: UInt64 = 1
    ) throws {
        config = try AACConfig(
            audioSpecificConfig: Self.config(core, channels, isSignalled ? extending : .none))
        let frames = config.packetFrames
        var random = SeededGenerator(seed: seed)
        packets = (0..<count).map { number in
            var writer = AACPacketWriter(core: core, channels: channels, number: number)
            writer.write(extending, ballast: ballast, using: &random)
            return CodecPacket(bytes: writer.bits.bytes, frames: frames)
        }
    }

    /// Returns an AudioSpecificConfig with hierarchical signalling.
    static func config(_ core: Int, _ channels: Int, _ extending: Extension) -> [UInt8] {
        var bits = TestBits()
        let index = AACConfig.sampleRates.firstIndex(of: core) ?? 15
        switch extending {
        case .none: bits.write((2, 5), (index, 4), (channels, 4), (0, 3))
        case .sbr: bits.write((5, 5), (index, 4), (channels, 4), (index - 3, 4), (2, 5), (0, 3))
        case .ps: bits.write((29, 5), (index, 4), (channels, 4), (index - 3, 4), (2, 5), (0, 3))
        }
        return bits.bytes
    }
}

/// A writer of one raw_data_block.
private struct AACPacketWriter {
    var bits = TestBits()
    let core: Int
    let channels: Int
    /// The packet's number, which determines its window sequence.
    let number: Int

    /// Long, start, short, stop.
    private var windowSequence: Int { [0, 0, 1, 2, 3, 0, 0][number % 7] }
    private var isShort: Bool { windowSequence == 2 }
    private var bands: Int { isShort ? 12 : core == 48000 ? 40 : 30 }
    /// The number of spectral coefficients in those bands; eight short windows are one group.
    private var lines: Int { isShort ? 8 * (core == 48000 ? 96 : 76) : core == 48000 ? 672 : 260 }

    init(core: Int, channels: Int, number: Int) {
        self.core = core
        self.channels = channels
        self.number = number
    }

    mutating func write(_ extending: AACPackets.Extension, ballast: Int, using random: inout SeededGenerator) {
        if channels == 1 {
            bits.write((0, 3), (0, 4), (gain(&random), 8))
            writeWindows(&random)
            writeSpectrum(&random)
        } else {
            // A pair with one window sequence for both channels, now and then as middle and side.
            bits.write((1, 3), (0, 4), (1, 1))
            writeWindows(&random)
            bits.write((number % 3 == 0 ? 2 : 0, 2))
            for _ in 0..<2 {
                bits.write((gain(&random), 8))
                writeSpectrum(&random)
            }
        }
        if extending != .none { writeSBR(hasPS: extending == .ps, &random) }
        while bits.bytes.count < ballast { writeFill() }
        bits.write((7, 3))
    }

    private func gain(_ random: inout SeededGenerator) -> Int { .random(in: 146...166, using: &random) }

    private mutating func writeWindows(_ random: inout SeededGenerator) {
        bits.write((0, 1), (windowSequence, 2), (.random(in: 0...1, using: &random), 1))
        if isShort { bits.write((bands, 4), (127, 7)) } else { bits.write((bands, 6), (0, 1)) }
    }

    /// Writes one section of codebook 1, whose values are −1, 0 and 1.
    private mutating func writeSpectrum(_ random: inout SeededGenerator) {
        let (width, escape) = isShort ? (3, 7) : (5, 31)
        bits.write((1, 4))
        if bands >= escape { bits.write((escape, width)) }
        bits.write((bands % escape, width))
        // Scale factors, as differences of 0, −1 and 1.
        for _ in 0..<bands {
            bits.write([(0, 1), (0, 1), (0b100, 3), (0b1010, 4)].randomElement(using: &random) ?? (0, 1))
        }
        // No pulses, no temporal noise shaping, no gain control.
        bits.write((0, 3))
        for _ in 0..<lines / 4 {
            // Four zeros, or one coefficient of ±1.
            let isZero = Int.random(in: 0..<4, using: &random) > 0
            bits.write(isZero ? (0, 1) : (.random(in: 16...23, using: &random), 5))
        }
    }

    /// Writes a fill element of 48 bytes without meaning.
    private mutating func writeFill() {
        bits.write((6, 3), (15, 4), (48 - 14, 8))
        for _ in 0..<6 { bits.write((0, 60), (0, 4)) }
    }

    private mutating func writeSBR(hasPS: Bool, _ random: inout SeededGenerator) {
        var payload = SBRPayload(channels: channels, hasHeader: number % 8 == 0)
        payload.write(hasPS: hasPS, using: &random)
        let bytes = payload.bits.bytes
        bits.write((6, 3))
        if bytes.count < 15 { bits.write((bytes.count, 4)) } else { bits.write((15, 4), (bytes.count - 14, 8)) }
        for byte in bytes { bits.write((Int(byte), 8)) }
    }
}

/// A writer of bit fields, most significant bit first.
struct TestBits {
    private(set) var bytes: [UInt8] = []
    private(set) var count = 0

    mutating func write(_ fields: (value: Int, width: Int)...) {
        for field in fields {
            for bit in (0..<field.width).reversed() {
                if count % 8 == 0 { bytes.append(0) }
                bytes[bytes.count - 1] |= UInt8(field.value >> bit & 1) << UInt8(7 - count % 8)
                count += 1
            }
        }
    }
}
