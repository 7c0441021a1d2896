// SPDX-License-Identifier: GPL-3.0-or-later
public import Media

/// The identification header of a Vorbis stream. Source: Vorbis I section 4.2.2.
public struct VorbisIdentification: Sendable, Hashable {
    /// The number of channels, 1 to 8.
    public let channels: Int
    /// PCM frames per second.
    public let sampleRate: Int
    /// The sizes of the short and the long block in PCM frames, 64 to 8,192. A packet decodes to a quarter of its own
    /// block and a quarter of the previous one.
    public let shortBlock: Int
    public let longBlock: Int

    /// - Throws: an error with a reason such as "Vorbis with 9 channels is not supported".
    public init(_ bytes: some Collection<UInt8>) throws(CodecHeaderError) {
        let bytes = Array(bytes)
        guard bytes.count >= 30, bytes.starts(with: [1] + Array("vorbis".utf8)) else { throw Self.damaged }
        channels = Int(bytes[11])
        sampleRate = Int(bytes[12]) | Int(bytes[13]) << 8 | Int(bytes[14]) << 16 | Int(bytes[15]) << 24
        shortBlock = 1 << Int(bytes[28] & 0xF)
        longBlock = 1 << Int(bytes[28] >> 4)
        guard bytes[7..<11].allSatisfy({ $0 == 0 }), bytes[29] & 1 == 1, 64...8192 ~= shortBlock,
            shortBlock <= longBlock, longBlock <= 8192
        else { throw Self.damaged }
        guard 1...8 ~= channels else { throw Self.unsupported("\(channels) channels") }
        guard AudioFormat.supportedRates.contains(sampleRate) else {
            throw Self.unsupported("a sample rate of \(sampleRate) Hz")
        }
    }

    /// The channels in the order of the stream.
    public var order: SpeakerOrder { .xiph(channels: channels) }

    /// The format of the decoded PCM: interleaved Float32.
    public var format: AudioFormat { order.format(sampleRate: sampleRate) }

    /// The most PCM frames that a packet decodes to.
    public var maximumPacketFrames: Int { longBlock / 2 }

    /// The number of PCM frames to decode and discard before a seek target: at least one packet, because packets
    /// overlap.
    public var preRoll: Int64 { Int64(maximumPacketFrames) }

    static var damaged: CodecHeaderError { .damaged(MediaFailure(.badData, "the Vorbis header is damaged")) }

    private static func unsupported(_ feature: String) -> CodecHeaderError {
        .unsupported(MediaFailure(.badData, "Vorbis with \(feature) is not supported"))
    }
}
