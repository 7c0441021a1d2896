// SPDX-License-Identifier: GPL-3.0-or-later

/// The bytes an index is kept as: 2 for each run of 8 packets where the bit rate is constant, about 4 where it is not.
///
/// ```
/// "ESFI", version | packets | offset of the first | runs | formats | CRC-32 of all that, highest byte first
/// run      by how much it is longer than the run before, by how much it has more payload
/// format   packets since the one before, bytes since its run's start, header; in free format, unpadded length
/// ```
/// Numbers are varints, and those that may be negative in zigzag. The version is raised with this form, and whenever
/// the parser comes to number packets otherwise.
extension FrameIndex {
    private static let signature = Array("ESFI".utf8) + [1]

    public func encoded() -> [UInt8] {
        var bytes = Self.signature
        bytes.append(varint: UInt64(count))
        if count > 0 {
            bytes.append(varint: UInt64(offsets[0]))
            encodeRuns(into: &bytes)
            encodeFormats(into: &bytes)
        }
        return bytes + CRC32.checksum(bytes).bytes
    }

    /// - Returns: `nil` for anything but what `encoded()` makes of an index.
    public init?(encoded bytes: [UInt8]) {
        self.init()
        guard bytes.starts(with: Self.signature), CRC32.checksum(bytes.dropLast(4)).bytes == bytes.suffix(4)
        else { return nil }
        var reader = VarintReader(bytes.dropFirst(Self.signature.count).dropLast(4))
        guard let count = reader.length() else { return nil }
        self.count = count
        guard count > 0 ? decodeRuns(from: &reader) && decodeFormats(from: &reader) : reader.isAtEnd
        else { return nil }
    }

    // MARK: Runs

    private func encodeRuns(into bytes: inout [UInt8]) {
        var (length, payload) = (0 as Int64, 0 as Int64)
        for run in 0..<offsets.count {
            let nextLength = Int64(runRange(run).count)
            // The payload of the run under way is counted in bytes still.
            let nextPayload = run < payloads.count ? Int64(payloads[run]) : Int64(runPayload)
            bytes.append(zigzag: nextLength - length)
            bytes.append(zigzag: nextPayload - payload)
            (length, payload) = (nextLength, nextPayload)
        }
    }

    private mutating func decodeRuns(from reader: inout VarintReader) -> Bool {
        guard let first = reader.length(), let lastRun = runCount(within: reader.count) else { return false }
        frontierOffset = first
        var (length, payload) = (0 as Int64, 0 as Int64)
        for run in 0...lastRun {
            guard reader.add(to: &length), reader.add(to: &payload) else { return false }
            let packets = min(Self.stride, count - run * Self.stride)
            guard append(run: packets, length: length, payload: payload) else { return false }
        }
        return true
    }

    /// The last run's number, where the runs fit in `bytes`, each having two numbers: no more is believed than that.
    private func runCount(within bytes: Int) -> Int64? {
        let last = (count - 1) / Self.stride
        return last < Int64(bytes / 2) ? last : nil
    }

    private mutating func append(run packets: Int64, length: Int64, payload: Int64) -> Bool {
        let isWhole = packets == Self.stride
        let most = isWhole ? min(length / Int64(Self.payloadUnit), Int64(UInt8.max)) : length
        guard packets...(.max / 2) ~= length, 0...most ~= payload, frontierOffset <= .max / 2 else { return false }
        offsets.append(frontierOffset)
        frontierOffset += length
        if isWhole { payloads.append(UInt8(payload)) } else { runPayload = Int(payload) }
        return true
    }

    // MARK: Formats

    private func encodeFormats(into bytes: inout [UInt8]) {
        var number: Int64 = 0
        for format in formats {
            bytes.append(varint: UInt64(format.packetNumber - number))
            number = format.packetNumber
            bytes.append(varint: UInt64(format.offset - runRange(Int(number / Self.stride)).lowerBound))
            bytes.append(varint: UInt64(format.format.word))
            if let length = format.freeFormatLength { bytes.append(varint: UInt64(length)) }
        }
    }

    private mutating func decodeFormats(from reader: inout VarintReader) -> Bool {
        var number: Int64 = 0
        repeat {
            guard !isFull, let step = reader.length(), (step == 0) == formats.isEmpty, step < count - number,
                let format = format(ofPacket: number + step, from: &reader), format.offset > formats.last?.offset ?? -1
            else { return false }
            note(format)
            number += step
        } while !reader.isAtEnd
        return true
    }

    private func format(ofPacket number: Int64, from reader: inout VarintReader) -> SeekPoint? {
        let run = runRange(Int(number / Self.stride))
        let place = number % Self.stride
        guard let bytes = reader.length(), place == 0 ? bytes == 0 : place..<Int64(run.count) ~= bytes,
            let header = reader.header()
        else { return nil }
        let offset = run.lowerBound + bytes
        guard header.bitrate == nil else {
            return SeekPoint(offset: offset, packetNumber: number, format: header)
        }
        guard let length = reader.length(),
            header.mainDataOffset...StreamFormat.longestFreeFormat ~= Int(clamping: length)
        else { return nil }
        return SeekPoint(offset: offset, packetNumber: number, format: header, freeFormatLength: Int(length))
    }
}

extension VarintReader {
    fileprivate mutating func header() -> MPEGFrameHeader? {
        guard let word = unsigned().flatMap({ UInt32(exactly: $0) }), let header = MPEGFrameHeader(word),
            header.word == word
        else { return nil }
        return header
    }
}
