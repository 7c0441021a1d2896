// SPDX-License-Identifier: GPL-3.0-or-later
import Media

/// The header of a FLAC frame. Source: RFC 9639 section 9.1.
struct FLACFrameHeader: Sendable, Equatable {
    /// The length of the longest header in bytes.
    static let longest = 16

    /// True if `number` counts samples, false if it counts frames of the same block size.
    let isVariable: Bool
    /// PCM frames in the frame.
    let blockSize: Int
    /// The sample rate in Hz and the bits of a sample; `nil` if STREAMINFO states them.
    let sampleRate: Int?
    let bitsPerSample: Int?
    let channels: Int
    let number: Int64
    /// The length of the header in bytes, with its checksum.
    let length: Int

    /// Parses the header at the start of `bytes`.
    /// - Parameter isWhole: True if no bytes follow.
    static func parse(_ bytes: ArraySlice<UInt8>, isWhole: Bool) -> Lookup<FLACFrameHeader> {
        let missing: Lookup<FLACFrameHeader> = isWhole ? .absent : .undecided
        let start = bytes.startIndex
        guard bytes.count >= 5 else {
            let isPossible = zip(bytes, [0xFF, 0xF8] as [UInt8]).allSatisfy { $0 & ($1 == 0xFF ? 0xFF : 0xFE) == $1 }
            return isPossible ? missing : .absent
        }
        guard bytes[start] == 0xFF, bytes[start + 1] & 0xFE == 0xF8,
            let codes = Codes(bytes[start + 2], bytes[start + 3]),
            let numberLength = numberLength(bytes[start + 4])
        else { return .absent }
        let length = 4 + numberLength + codes.blockSizeBytes + codes.sampleRateBytes + 1
        guard bytes.count >= length else { return missing }
        let header = bytes.prefix(length)
        guard FLACHeaderChecksum.of(header) == 0,
            let found = FLACFrameHeader(header, codes, numberLength: numberLength)
        else { return .absent }
        return .found(found)
    }

    /// Returns the PCM frames of a packet; `nil` if it does not begin with a header of the stream.
    static func blockSize(of packet: UnsafeRawBufferPointer, in info: FLACStreamInfo) -> Int? {
        header(of: packet, in: info)?.blockSize
    }

    /// Returns the header of a packet; `nil` if it does not begin with one of the stream.
    static func header(of packet: UnsafeRawBufferPointer, in info: FLACStreamInfo) -> FLACFrameHeader? {
        let start = Array(packet.prefix(longest))
        guard case .found(let header) = parse(start[...], isWhole: true), header.matches(info) else { return nil }
        return header
    }

    private init?(_ header: ArraySlice<UInt8>, _ codes: Codes, numberLength: Int) {
        var fields = ByteFields(header.dropFirst(4))
        guard let coded = fields.bytes(numberLength), let number = Self.number(coded),
            let blockSize = codes.blockSize(&fields), let sampleRate = codes.sampleRate(&fields)
        else { return nil }
        isVariable = header[header.startIndex + 1] & 1 == 1
        self.number = number
        self.blockSize = blockSize
        self.sampleRate = sampleRate == 0 ? nil : sampleRate
        bitsPerSample = codes.bitsPerSample
        channels = codes.channels
        length = header.count
    }

    /// Returns true if the frame belongs to the stream.
    func matches(_ info: FLACStreamInfo) -> Bool {
        blockSize <= info.blockSizes.upperBound && channels == info.channels
            && bitsPerSample ?? info.bitsPerSample == info.bitsPerSample
            && sampleRate ?? info.sampleRate == info.sampleRate
    }

    /// Returns the length in bytes that no frame with this header exceeds: that of stored samples, and a quarter more
    /// for encoders that store them badly.
    func longestFrame(in info: FLACStreamInfo) -> Int64 {
        Int64(Self.longest) + info.storedLength(ofFrames: blockSize) * 5 / 4 + 64
    }

    /// Returns the length of a coded number by its first byte; `nil` for an invalid byte. Source: RFC 9639 section
    /// 9.1.5.
    private static func numberLength(_ byte: UInt8) -> Int? {
        let ones = (~byte).leadingZeroBitCount
        return ones == 0 ? 1 : 2...7 ~= ones ? ones : nil
    }

    private static func number(_ coded: ArraySlice<UInt8>) -> Int64? {
        guard let first = coded.first, coded.count > 1 else { return coded.first.map { Int64($0) } }
        let initial = Int64(first) & (1 << Int64(max(0, 7 - coded.count)) - 1)
        return coded.dropFirst().reduce(initial) { number, byte in
            number.flatMap { byte & 0xC0 == 0x80 ? $0 << 6 | Int64(byte & 0x3F) : nil }
        }
    }
}

extension FLACFrameHeader {
    /// The fields of four or less bits.
    fileprivate struct Codes {
        private let size: UInt8
        private let rate: UInt8
        let channels: Int
        let bitsPerSample: Int?

        private static let rates = [
            0, 88200, 176400, 192000, 8000, 16000, 22050, 24000, 32000, 44100, 48000, 96000,
        ]

        /// - Returns: `nil` if a reserved value occurs.
        init?(_ first: UInt8, _ second: UInt8) {
            (size, rate) = (first >> 4, first & 0xF)
            let assignment = Int(second >> 4)
            let width = second >> 1 & 7
            guard size > 0, rate < 15, assignment <= 10, width != 3, second & 1 == 0 else { return nil }
            channels = assignment < 8 ? assignment + 1 : 2
            bitsPerSample = [nil, 8, 12, nil, 16, 20, 24, 32][Int(width)]
        }

        var blockSizeBytes: Int { size == 6 ? 1 : size == 7 ? 2 : 0 }
        var sampleRateBytes: Int { rate == 12 ? 1 : rate > 12 ? 2 : 0 }

        func blockSize(_ fields: inout ByteFields) -> Int? {
            switch size {
            case 1: 192
            case 2...5: 144 << Int(size)
            case 6, 7: fields.number(blockSizeBytes).map { $0 + 1 }
            default: 1 << Int(size)
            }
        }

        /// Returns 0 if STREAMINFO states the rate.
        func sampleRate(_ fields: inout ByteFields) -> Int? {
            guard rate > 11 else { return Self.rates[Int(rate)] }
            let unit = rate == 12 ? 1000 : rate == 13 ? 1 : 10
            return fields.number(sampleRateBytes).map { $0 * unit }
        }
    }
}
