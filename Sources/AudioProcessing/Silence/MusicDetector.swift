// SPDX-License-Identifier: GPL-3.0-or-later
import COpusEncoder
import Glibc

/// A detector of music: the analysis with which the Opus encoder chooses between its modes for speech and for music.
///
/// The mode of a packet is in its first byte (RFC 6716, section 3.1). The packets are dropped.
struct MusicDetector: Sendable {
    /// The part of loud steps that are music, 0…1. A step counts e times as much as the 800th before it.
    private(set) var share: Float = 0
    /// An `OpusEncoder`, which is position-independent and may be copied (opus.h). Empty if libopus has failed: then
    /// all sound counts as music, and stays.
    private var encoder: [UInt64]
    private var isMusic = false
    /// The highest level in dB, of which 4 dB a second of loud sound are forgotten. It becomes -15 dBFS, because the
    /// analysis depends on the level.
    private var peak: Float = -20
    /// The samples of the next packet of 20 ms.
    private var samples: [Float] = []
    /// The configurations from 16 on are those of the mode for music.
    private static let firstMusicByte: UInt8 = 16 << 3
    private let packetSamples: Int
    private var packets = 0
    /// The bytes of the largest packet of 20 ms (RFC 6716, section 3.4).
    private static let largestPacket = 1276

    /// - Parameter rate: the rate of the samples in Hz: 16,000 or 24,000.
    init(rate: Int) {
        packetSamples = rate / 50
        encoder = Self.encoder(rate: rate)
        isMusic = encoder.isEmpty
    }

    private static func encoder(rate: Int) -> [UInt64] {
        var memory = [UInt64](repeating: 0, count: (Int(opus_encoder_get_size(1)) + 7) / 8)
        let result = withState(&memory) { state in
            let result = opus_encoder_init(state, Int32(rate), 1, OPUS_APPLICATION_AUDIO)
            return result == OPUS_OK ? earshot_opus_analyze(state, 37_000) : result
        }
        return result == OPUS_OK ? memory : []
    }

    private static func withState(_ memory: inout [UInt64], _ body: (OpaquePointer) -> Int32) -> Int32 {
        memory.withUnsafeMutableBytes { bytes in bytes.baseAddress.map { body(OpaquePointer($0)) } ?? OPUS_ALLOC_FAIL }
    }

    /// Takes the samples of a step and its level, in dB.
    /// - Parameter isLoud: quiet steps are analyzed, but do not count.
    mutating func add(_ step: [Float], level: Float, isLoud: Bool) {
        peak = max(level, peak - (isLoud ? 0.02 : 0))
        let gain = pow(10, (-15 - peak) / 20)
        for sample in step {
            // The encoder's filters do not recover from what is not a number.
            let scaled = sample * gain
            samples.append(scaled.isFinite ? max(-2, min(2, scaled)) : 0)
            if samples.count == packetSamples { analyze() }
        }
        if isLoud { share += ((isMusic ? 1 : 0) - share) / 800 }
    }

    private mutating func analyze() {
        packets += 1
        if packets % 10 == 0 {
            // The encoder that has made a packet tends to keep its mode.
            var copy = encoder
            if let toc = Self.encode(samples, with: &copy, space: Self.largestPacket) {
                isMusic = toc >= Self.firstMusicByte
            }
        }
        // Without space for a packet the encoder only analyzes, which takes a quarter of the time.
        _ = Self.encode(samples, with: &encoder, space: 1)
        samples.removeAll(keepingCapacity: true)
    }

    /// Returns the first byte of the packet, which has at most `space` bytes; nil if libopus fails.
    private static func encode(_ samples: [Float], with encoder: inout [UInt64], space: Int) -> UInt8? {
        guard !encoder.isEmpty else { return nil }
        var packet = [UInt8](repeating: 0, count: space)
        let count = withState(&encoder) { state in
            opus_encode_float(state, samples, Int32(samples.count), &packet, Int32(space))
        }
        return count > 0 ? packet[0] : nil
    }

    /// Forgets the samples of the incomplete packet.
    mutating func restart() { samples.removeAll(keepingCapacity: true) }
}
