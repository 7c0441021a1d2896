// SPDX-License-Identifier: GPL-3.0-or-later
public import Media

/// The STREAMINFO metadata block of a FLAC stream. Source: RFC 9639 section 8.2.
public struct FLACStreamInfo: Sendable, Hashable {
    /// The length of the block in bytes, without its header.
    public static let length = 34

    /// The least and the most PCM frames of a packet (the last may be shorter).
    public let blockSizes: ClosedRange<Int>
    /// The size of the largest packet in bytes; `nil` if unknown.
    public let maximumPacketBytes: Int?
    /// PCM frames per second.
    public let sampleRate: Int
    /// The number of channels, 1 to 8.
    public let channels: Int
    /// 4 to 32.
    public let bitsPerSample: Int
    /// The number of PCM frames of the stream; `nil` if unknown.
    public let frames: Int64?
    /// The block itself.
    public let bytes: [UInt8]

    /// - Parameter bytes: 34 bytes, without the block's header.
    public init(_ bytes: some Collection<UInt8>) throws(CodecHeaderError) {
        self.bytes = Array(bytes)
        guard self.bytes.count == Self.length else { throw Self.damaged }
        var bits = BitReader(self.bytes)
        let (shortest, longest) = (bits.read(16), bits.read(16))
        bits.skip(24)
        let largest = bits.read(24)
        sampleRate = bits.read(20)
        channels = bits.read(3) + 1
        bitsPerSample = bits.read(5) + 1
        let frames = Int64(bits.read(4)) << 32 | Int64(bits.read(32))
        guard shortest >= 16, shortest <= longest, bitsPerSample >= 4 else { throw Self.damaged }
        guard AudioFormat.supportedRates.contains(sampleRate) else {
            throw .unsupported(MediaFailure(.badData, "FLAC with a sample rate of \(sampleRate) Hz is not supported"))
        }
        blockSizes = shortest...longest
        maximumPacketBytes = largest == 0 ? nil : largest
        self.frames = frames == 0 ? nil : frames
    }

    /// Returns the length in bytes that packets with so many frames do not exceed.
    public func longestLength(ofFrames frames: Int64) -> Int64 {
        let packet = maximumPacketBytes.map(Int64.init) ?? storedLength(ofFrames: blockSizes.upperBound) + 64
        return (frames / Int64(blockSizes.lowerBound) + 1).multipliedClamping(by: packet)
    }

    /// Returns the length in bytes of a packet of stored samples, without its header.
    func storedLength(ofFrames frames: Int) -> Int64 {
        Int64(channels) * (Int64(frames) * Int64(bitsPerSample + 1) / 8 + 16)
    }

    /// The format of the decoded PCM: interleaved Float32.
    public var format: AudioFormat { SpeakerOrder.flac(channels: channels).format(sampleRate: sampleRate) }

    static var damaged: CodecHeaderError { .damaged(MediaFailure(.badData, "the FLAC header is damaged")) }
}
