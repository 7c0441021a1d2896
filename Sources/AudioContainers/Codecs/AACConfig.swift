// SPDX-License-Identifier: GPL-3.0-or-later
public import Media

/// The configuration of an AAC-LC or HE-AAC stream, from an AudioSpecificConfig or an ADTS header.
/// Source: ISO/IEC 14496-3 section 1.6.
public struct AACConfig: Sendable, Hashable {
    /// Spectral band replication, the extension that makes AAC-LC HE-AAC.
    public enum SpectralBandReplication: Sendable, Hashable {
        case absent
        /// Not signalled; the packets may contain it nevertheless (implicit signalling).
        case unknown
        /// - sampleRate: the rate of the decoded PCM in Hz: double the core rate, or the core rate itself.
        case present(sampleRate: Int)
    }

    /// Parametric stereo, the extension that makes HE-AAC version 2.
    public enum ParametricStereo: Sendable, Hashable { case absent, unknown, present }

    /// The sample rate of the AAC-LC part in Hz.
    public let coreSampleRate: Int
    /// The coded channels in the order of the stream.
    public let coded: SpeakerOrder
    public let sbr: SpectralBandReplication
    public let ps: ParametricStereo

    init(coreSampleRate: Int, coded: SpeakerOrder, sbr: SpectralBandReplication, ps: ParametricStereo) {
        self.coreSampleRate = coreSampleRate
        self.coded = coded
        self.sbr = sbr
        self.ps = ps
    }

    /// The decoded channels. A mono stream with SBR may contain parametric stereo in any packet, even if it is not
    /// signalled, so it is decoded as stereo.
    public var decoded: SpeakerOrder {
        guard case .present = sbr, coded.channels == 1, ps != .absent else { return coded }
        return SpeakerOrder([.frontLeft, .frontRight])
    }

    /// The format of the decoded PCM: interleaved Float32.
    public var format: AudioFormat {
        if case .present(let rate) = sbr { return decoded.format(sampleRate: rate) }
        return decoded.format(sampleRate: coreSampleRate)
    }

    /// The number of PCM frames of a packet, at the rate of `format`: 1,024 or 2,048.
    public var packetFrames: Int {
        if case .present(let rate) = sbr, rate > coreSampleRate { return 2048 }
        return 1024
    }

    /// The most bytes of a packet: 6,144 bits for each channel, ISO/IEC 14496-3 section 4.5.3.2. Encoders exceed that
    /// with a variable bit rate, so 8,192 bytes are always allowed: more than an ADTS header can state.
    public var longestPacket: Int { max(8192, 768 * coded.channels) }

    /// The number of PCM frames to decode and discard before a seek target: one packet, because packets overlap. With
    /// SBR 32 packets: its headers, without which the high frequencies are missing, come at least every 0.5 seconds.
    public var preRoll: Int64 {
        if case .present = sbr { return Int64(32 * packetFrames) }
        return Int64(packetFrames)
    }

    /// Returns the configuration of the same stream if its packets contain SBR although it is not signalled. The rate
    /// is doubled.
    public var withImplicitSBR: AACConfig {
        AACConfig(coreSampleRate: coreSampleRate, coded: coded, sbr: .present(sampleRate: 2 * coreSampleRate), ps: ps)
    }

    /// Returns the configuration that was found in the packets of a stream, if this configuration does not signal SBR
    /// and is that stream's; otherwise this configuration.
    /// - Parameter found: a configuration derived from this one, such as `withImplicitSBR`.
    public func assuming(_ found: AACConfig?) -> AACConfig {
        guard let found, sbr == .unknown, found.coreSampleRate == coreSampleRate, found.coded == coded else {
            return self
        }
        return found
    }

    /// Returns the configuration of the same stream if its packets contain no SBR.
    public var withoutSBR: AACConfig {
        AACConfig(coreSampleRate: coreSampleRate, coded: coded, sbr: .absent, ps: .absent)
    }
}

extension AACConfig {
    /// The sample rates in Hz by index. Source: ISO/IEC 14496-3 table 1.18.
    public static let sampleRates = [
        96000, 88200, 64000, 48000, 44100, 32000, 24000, 22050, 16000, 12000, 11025, 8000, 7350,
    ]

    /// Creates the configuration of an ADTS stream, which is always AAC-LC with SBR not signalled.
    /// Source: ISO/IEC 13818-7 section 6.2.
    /// - Parameters:
    ///   - profile: the 2-bit field; 1 is LC.
    ///   - sampleRateIndex: the 4-bit field.
    ///   - channelConfiguration: the 3-bit field. If it is 0, the first packet lists the channels.
    ///   - firstPacket: the first raw_data_block.
    /// - Throws: an error with a reason such as "this is AAC Main, which Earshot cannot play".
    public init(
        profile: Int, sampleRateIndex: Int, channelConfiguration: Int, firstPacket: ArraySlice<UInt8> = []
    ) throws(CodecHeaderError) {
        guard profile == 1 else { throw AudioObjectType(profile + 1).unsupported }
        guard Self.sampleRates.indices.contains(sampleRateIndex) else { throw .aac("an invalid sample rate") }
        let listed = channelConfiguration == 0 ? Self.channels(listedBy: firstPacket) : nil
        guard let coded = listed ?? SpeakerOrder.aac(configuration: channelConfiguration) else {
            throw .aac("channel configuration \(channelConfiguration)")
        }
        self.init(coreSampleRate: Self.sampleRates[sampleRateIndex], coded: coded, sbr: .unknown, ps: .unknown)
    }

    /// Returns the channels that a packet lists in its first element; `nil` if it does not. Source: ISO/IEC 14496-3
    /// section 4.5.2.1: ID_PCE is 5.
    private static func channels(listedBy packet: ArraySlice<UInt8>) -> SpeakerOrder? {
        var bits = BitReader(packet)
        guard bits.read(3) == 5 else { return nil }
        let order = bits.programConfig()
        return !bits.isExhausted && 1...8 ~= order.channels ? order : nil
    }

    /// Creates a configuration from an AudioSpecificConfig. Source: ISO/IEC 14496-3 section 1.6.2.1.
    /// - Throws: an error with a reason such as "this is xHE-AAC, which Earshot cannot play".
    public init(audioSpecificConfig bytes: some Sequence<UInt8>) throws(CodecHeaderError) {
        var parser = AudioSpecificConfigParser(bytes)
        self = try parser.parse()
    }
}

extension SpeakerOrder {
    /// Returns the channels of a channel configuration; `nil` for 0 and for reserved or unsupported values. Source:
    /// ISO/IEC 14496-3 table 1.19. Encoders use 7 for the common 7.1 rather than for the table's second front pair.
    static func aac(configuration: Int) -> SpeakerOrder? {
        let front: [ChannelLayout] = [.frontCenter, .frontLeft, .frontRight]
        return switch configuration {
        case 1: SpeakerOrder([.frontCenter])
        case 2: SpeakerOrder([.frontLeft, .frontRight])
        case 3: SpeakerOrder(front)
        case 4: SpeakerOrder(front + [.backCenter])
        case 5: SpeakerOrder(front + [.backLeft, .backRight])
        case 6: SpeakerOrder(front + [.backLeft, .backRight, .lowFrequency])
        case 7: SpeakerOrder(front + [.sideLeft, .sideRight, .backLeft, .backRight, .lowFrequency])
        default: nil
        }
    }
}

extension AACConfig {
    static var truncated: CodecHeaderError {
        .damaged(MediaFailure(.badData, "the AAC configuration is truncated"))
    }
}

extension CodecHeaderError {
    /// - Parameter feature: an unsupported property of the stream: "960-frame packets".
    static func aac(_ feature: String) -> CodecHeaderError {
        .unsupported(MediaFailure(.badData, "AAC with \(feature) is not supported"))
    }
}
