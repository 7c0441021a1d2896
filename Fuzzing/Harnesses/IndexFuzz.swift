// SPDX-License-Identifier: GPL-3.0-or-later
@testable import MPEGAudio

/// Decodes a stored index with a correct checksum, as an attacker would write it.
@Sendable
func fuzzIndex(_ input: UnsafeRawBufferPointer) throws {
    var choices = Choices(input)
    let bytes = Array(input) + CRC32.checksum(Array(input.dropFirst(8))).bytes
    guard let kept = KeptFrameIndex(encoded: bytes) else { return }
    try hold(kept.encoded() == bytes, "a parsed index encodes to the same bytes")
    try holdBounds(kept.index, &choices)
    try holdGrowth(kept.index)
}

private func holdBounds(_ index: FrameIndex, _ choices: inout Choices) throws {
    guard index.count > 0, let frontier = index.frontier, let first = index.first else {
        return try hold(index.count == 0 && index.first == nil, "an index without a frontier has no packets")
    }
    try hold(
        first.offset < frontier.offset && frontier.packetNumber == index.count, "the frontier follows the last packet")
    for number in [0, 1, index.count / 2, index.count - 1, index.count, choices.number() % index.count] {
        guard number >= 0 else { continue }
        guard let point = index.seekPoint(for: number), let offset = index.offset(ofPacket: number) else {
            throw BrokenRule(description: "broken: packet \(number) of \(index.count) has an offset")
        }
        try hold(point.packetNumber <= number && point.packetNumber % 8 == 0, "a seek point is at or before its target")
        try hold(first.offset...frontier.offset ~= offset, "an offset is within the indexed packets")
        try hold(
            index.packetNumber(atOffset: point.offset) == point.packetNumber,
            "the offset of a seek point maps back to its packet")
    }
    for _ in 0..<4 {
        let number = choices.number()
        _ = index.packetNumber(atOffset: number)
        _ = index.seekPoint(for: number)
        _ = index.offset(ofPacket: number)
    }
}

private func holdGrowth(_ index: FrameIndex) throws {
    guard let frontier = index.frontier else { return }
    var grown = index
    for number in index.count..<index.count + 9 {
        let length = frontier.format.length ?? 400
        let place = frontier.offset + (number - index.count) * Int64(length)
        grown.append(MPEGPacket(header: frontier.format, offset: place, length: length, number: number))
    }
    guard grown.count > index.count else { return }
    try hold(FrameIndex(encoded: grown.encoded()) == grown, "a parsed index can grow and be encoded again")
}
