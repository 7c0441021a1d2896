// SPDX-License-Identifier: GPL-3.0-or-later
public import Media

/// The identification header of an Opus stream. Source: RFC 7845 section 5.1.
public struct OpusHead: Sendable, Hashable {
    /// The sample rate of the decoded PCM in Hz.
    public static let sampleRate = 48000
    /// The most PCM frames that a packet decodes to: 120 ms. Source: RFC 6716 section 3.
    public static let maximumPacketFrames = 5760
    /// The number of PCM frames to decode and discard before a seek target. After 3 seconds the output equals that of
    /// a linear decode, bit for bit, except for sustained tones at up to 24 kbit/s: it differs by up to 1e-2 there, and
    /// in rare cases begins with a burst. The 80 ms of RFC 7845 section 4.6 leave audible errors.
    public static let preRoll: Int64 = 144_000

    /// The number of output channels, 1 to 8.
    public let channels: Int
    /// The number of decoded frames to drop at the start.
    public let preSkip: Int
    /// The gain to apply to the output, in 1/256 dB.
    public let outputGain: Int
    /// The number of Opus streams in a packet, and how many of them are stereo.
    public let streams: Int
    public let coupledStreams: Int
    /// For each output channel the number of a decoded channel, or 255 for silence.
    public let mapping: [UInt8]
    /// True if the channels have loudspeakers: mapping families 0 and 1.
    public let hasSpeakers: Bool

    /// - Throws: an error with a reason such as "Opus with ambisonics is not supported".
    public init(_ bytes: some Collection<UInt8>) throws(CodecHeaderError) {
        let bytes = Array(bytes)
        guard bytes.count >= 19, bytes.starts(with: "OpusHead".utf8) else { throw Self.damaged }
        // The upper four bits are the major version.
        guard bytes[8] & 0xF0 == 0 else { throw .opus("version \(bytes[8])") }
        channels = Int(bytes[9])
        preSkip = Int(bytes[10]) | Int(bytes[11]) << 8
        outputGain = Int(Int16(bitPattern: UInt16(bytes[16]) | UInt16(bytes[17]) << 8))
        guard 1...8 ~= channels else { throw .opus("\(channels) channels") }
        let family = bytes[18]
        hasSpeakers = family <= 1
        if family == 0 {
            guard channels <= 2 else { throw Self.damaged }
            (streams, coupledStreams, mapping) = (1, channels - 1, Array([0, 1].prefix(channels)))
            return
        }
        guard family == 1 || family == 255 else {
            throw .opus(family == 2 || family == 3 ? "ambisonics" : "channel mapping family \(family)")
        }
        guard bytes.count >= 21 + channels else { throw Self.damaged }
        (streams, coupledStreams) = (Int(bytes[19]), Int(bytes[20]))
        mapping = Array(bytes[21..<21 + channels])
        let decoded = streams + coupledStreams
        guard streams >= 1, coupledStreams <= streams, decoded <= 255,
            mapping.allSatisfy({ $0 == 255 || $0 < decoded })
        else { throw Self.damaged }
    }

    /// The output channels in the order of the stream.
    public var order: SpeakerOrder { hasSpeakers ? .xiph(channels: channels) : SpeakerOrder(channels: channels) }

    /// The format of the decoded PCM: interleaved Float32.
    public var format: AudioFormat { order.format(sampleRate: Self.sampleRate) }

    static var damaged: CodecHeaderError { .damaged(MediaFailure(.badData, "the Opus header is damaged")) }
}

extension CodecHeaderError {
    fileprivate static func opus(_ feature: String) -> CodecHeaderError {
        .unsupported(MediaFailure(.badData, "Opus with \(feature) is not supported"))
    }
}
