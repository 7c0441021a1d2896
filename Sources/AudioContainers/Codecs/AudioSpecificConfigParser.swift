// SPDX-License-Identifier: GPL-3.0-or-later
import Media

/// A parser of an AudioSpecificConfig. Source: ISO/IEC 14496-3 section 1.6.2.1, and section 4.4.1.
struct AudioSpecificConfigParser {
    private var bits: BitReader
    private var sbr = AACConfig.SpectralBandReplication.unknown
    private var ps = AACConfig.ParametricStereo.unknown

    init(_ bytes: some Sequence<UInt8>) { bits = BitReader(bytes) }

    mutating func parse() throws(CodecHeaderError) -> AACConfig {
        var type = objectType()
        let coreRate = sampleRate()
        let channels = bits.read(4)
        if type == .spectralBandReplication || type == .parametricStereo {
            if type == .parametricStereo { ps = .present }
            sbr = .present(sampleRate: sampleRate())
            type = objectType()
        }
        guard type == .lowComplexity else { throw type.unsupported }
        let coded = try generalAudioConfig(channels)
        if sbr == .unknown { backwardCompatibleExtension() }
        try check(coreRate)
        return AACConfig(coreSampleRate: coreRate, coded: coded, sbr: sbr, ps: ps)
    }

    private mutating func objectType() -> AudioObjectType {
        let number = bits.read(5)
        return AudioObjectType(number == 31 ? 32 + bits.read(6) : number)
    }

    /// Returns 0 for a reserved index.
    private mutating func sampleRate() -> Int {
        let index = bits.read(4)
        if index == 15 { return bits.read(24) }
        return AACConfig.sampleRates.indices.contains(index) ? AACConfig.sampleRates[index] : 0
    }

    private mutating func generalAudioConfig(_ channels: Int) throws(CodecHeaderError) -> SpeakerOrder {
        if bits.flag() { throw .aac("960 frames per packet") }
        if bits.flag() { bits.skip(14) }
        let hasExtension = bits.flag()
        let coded = channels == 0 ? bits.programConfig() : SpeakerOrder.aac(configuration: channels)
        if hasExtension { bits.skip(1) }
        guard !bits.isExhausted else { throw AACConfig.truncated }
        guard let coded, 1...8 ~= coded.channels else { throw .aac("channel configuration \(channels)") }
        return coded
    }

    /// Parses the extension that decoders of AAC-LC ignore.
    private mutating func backwardCompatibleExtension() {
        guard bits.remaining >= 16, bits.read(11) == 0x2B7, objectType() == .spectralBandReplication else { return }
        guard bits.flag() else { return sbr = .absent }
        let rate = sampleRate()
        guard !bits.isExhausted else { return }
        sbr = .present(sampleRate: rate)
        if bits.remaining >= 12, bits.read(11) == 0x548 { ps = bits.flag() ? .present : .absent }
    }

    private func check(_ coreRate: Int) throws(CodecHeaderError) {
        guard 7350...96000 ~= coreRate else { throw .aac("a sample rate of \(coreRate) Hz") }
        guard case .present(let rate) = sbr else { return }
        guard rate == 2 * coreRate || rate == coreRate, coreRate <= 48000 else {
            throw .aac("SBR from \(coreRate) to \(rate) Hz")
        }
    }
}
