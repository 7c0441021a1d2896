// SPDX-License-Identifier: GPL-3.0-or-later
import Media

/// The storage format of an index. A run of 8 packets takes 2 bytes at a constant bit rate, otherwise about 4.
///
/// ```
/// "ESFI", version | packets | offset of the first | runs | formats | CRC-32 of all that, big-endian
/// run      change of the length from the previous run, change of the payload
/// format   packets since the previous format, bytes since the run's start, header; in free format, unpadded length
/// ```
/// Numbers are varints; those that may be negative are zigzag-coded. The version must be raised if this format
/// changes, or if the parser numbers packets differently.
extension FrameIndex {
    private static let signature = Array("ESFI".utf8) + [1]

    /// Returns the encoded index.
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

    /// Decodes an index.
    /// - Returns: `nil` unless the bytes are the result of `encoded()`.
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
            // The payload of the incomplete last run is still counted in bytes.
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

    /// Returns the number of the last run; `nil` if the runs, two numbers each, do not fit in `bytes`.
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
