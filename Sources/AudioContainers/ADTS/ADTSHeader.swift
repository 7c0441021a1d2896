// SPDX-License-Identifier: GPL-3.0-or-later
import Media

/// The header of an ADTS frame. Source: ISO/IEC 13818-7 section 6.2; ISO/IEC 14496-3 section 1.A.2.2.
struct ADTSHeader: Sendable, Equatable {
    /// The bytes that contain all fields.
    static let byteCount = 7

    /// The fields that are equal in all frames of a stream: ID, layer, profile, rate, channels.
    struct Stream: Sendable, Equatable {
        let isMPEG2: Bool
        /// 1: AAC LC.
        let profile: Int
        let sampleRateIndex: Int
        /// 0 if the first raw data block lists the channels.
        let channelConfiguration: Int
    }

    let stream: Stream
    let hasCRC: Bool
    /// The length of the frame in bytes with its header.
    let length: Int
    /// The number of raw data blocks, 1...4: packets of 1024 frames.
    let blocks: Int

    /// - Parameter bytes: at least 7 bytes.
    /// - Returns: `nil` if they are not a header.
    init?(_ bytes: ArraySlice<UInt8>) {
        guard bytes.count >= Self.byteCount else { return nil }
        var bits = BitReader(bytes)
        guard bits.read(12) == 0xFFF else { return nil }
        let isMPEG2 = bits.flag()
        guard bits.read(2) == 0 else { return nil }
        let isUnprotected = bits.flag()
        let (profile, rate) = (bits.read(2), bits.read(4))
        guard AACConfig.sampleRates.indices.contains(rate) else { return nil }
        bits.skip(1)
        let channels = bits.read(3)
        bits.skip(4)
        length = bits.read(13)
        bits.skip(11)
        blocks = bits.read(2) + 1
        stream = Stream(isMPEG2: isMPEG2, profile: profile, sampleRateIndex: rate, channelConfiguration: channels)
        hasCRC = !isUnprotected
        guard length > headerLength else { return nil }
    }

    /// The length of the header with its check word, and with the places of several blocks if there is a check word.
    var headerLength: Int { hasCRC ? Self.byteCount + 2 * blocks : Self.byteCount }

    /// The payloads of the raw data blocks, as offsets from the header. Only frames with check words state the places
    /// of their blocks; otherwise all blocks form one payload.
    /// - Parameter bytes: the whole frame.
    /// - Returns: `nil` if the stated places are not in order.
    func payloads(in bytes: ArraySlice<UInt8>) -> [Range<Int>]? {
        guard hasCRC, blocks > 1 else { return [headerLength..<length] }
        var fields = ByteFields(bytes.dropFirst(Self.byteCount))
        var starts = [headerLength]
        for _ in 1..<blocks {
            guard let place = fields.number(2) else { return nil }
            starts.append(headerLength + place)
        }
        // Each block ends with a check word of two bytes.
        let ends = starts.dropFirst() + [length]
        let ranges = zip(starts, ends).map { ($0, $1 - 2) }
        return ranges.allSatisfy { $0 < $1 && $1 <= length } ? ranges.map { $0..<$1 } : nil
    }
}

extension ADTSHeader.Stream {
    /// Returns the configuration of the stream's decoder.
    /// - Parameter block: the first raw data block, which lists the channels if the header does not.
    func config(_ block: ArraySlice<UInt8>) throws(CodecHeaderError) -> AACConfig {
        try AACConfig(
            profile: profile, sampleRateIndex: sampleRateIndex, channelConfiguration: channelConfiguration,
            firstPacket: block)
    }
}
