// SPDX-License-Identifier: GPL-3.0-or-later
import MPEGAudio

/// Parses an arbitrary file: its packets do not depend on the chunking, and the index and estimates are consistent.
@Sendable
func fuzzPackets(_ file: UnsafeRawBufferPointer) throws {
    var choices = Choices(file)
    let whole = try StreamParse(file)
    try whole.holdCovers(file.count)
    let inPieces = try StreamParse(file) { choices.pieceLength() }
    try hold(inPieces.events == whole.events, "the chunk sizes do not change the result")

    var index = FrameIndex()
    for packet in whole.packets { index.append(packet) }
    try hold(index.count == Int64(whole.packets.count), "the index counts every packet")
    try hold(FrameIndex(encoded: index.encoded()) == index, "an encoded index parses to the same value")
    try holdPlaces(index, whole.packets, &choices)
    try holdResumption(index, whole.packets, file, &choices)
    try holdEstimates(whole, file, &choices)
}

private func holdPlaces(_ index: FrameIndex, _ packets: [MPEGPacket], _ choices: inout Choices) throws {
    for number in Set([0, packets.count / 2, packets.count - 1, choices.index(below: packets.count)])
    where packets.indices.contains(number) {
        let packet = packets[number]
        let offset = index.offset(ofPacket: packet.number)
        try hold(offset != nil, "an indexed packet has an offset")
        if number % 8 == 0 { try hold(offset == packet.offset, "the offset of every eighth packet is exact") }
        guard let found = index.packetNumber(atOffset: packet.offset) else {
            throw BrokenRule(description: "broken: an indexed offset has a packet")
        }
        try hold(found / 8 == packet.number / 8, "a packet is found in its group of eight")
    }
    for _ in 0..<4 {
        let number = choices.number()
        _ = index.packetNumber(atOffset: number)
        _ = index.seekPoint(for: number)
        _ = index.offset(ofPacket: number)
    }
}

private func holdResumption(
    _ index: FrameIndex, _ packets: [MPEGPacket], _ file: UnsafeRawBufferPointer, _ choices: inout Choices
) throws {
    guard let first = packets.first else { return }
    guard let point = index.seekPoint(for: Int64(choices.index(below: packets.count))) else {
        throw BrokenRule(description: "broken: an indexed packet has a seek point")
    }
    let rest = packets[Int(point.packetNumber)...]
    try hold(point.offset == rest.first?.offset, "a seek point is at the start of a packet")
    let resumed = try StreamParse(file, from: MPEGStreamParser(resumingAt: point)) { choices.pieceLength() }
    try hold(resumed.packets.elementsEqual(rest), "a resumed parse returns the remaining packets of the linear one")

    let place = Int64(choices.index(below: file.count))
    let island = try StreamParse(file, from: MPEGStreamParser(searchingFrom: place, for: first.header))
    try hold(
        island.packets.enumerated().allSatisfy { Int64($0) == $1.number }, "packets of an island are numbered from 0")
}

private func holdEstimates(_ parse: StreamParse, _ file: UnsafeRawBufferPointer, _ choices: inout Choices) throws {
    guard let first = parse.packets.first else { return }
    let claims = StreamClaims(info: parse.info, iTunes: parse.iTunes, format: first.header, audioStart: first.offset)
    for count in Set([0, 1, parse.packets.count / 2, parse.packets.count]) {
        let seen = StreamClaims.Seen(
            packets: Int64(count), bytes: parse.packets[..<count].reduce(0) { $0 + Int64($1.length) },
            isComplete: count == parse.packets.count)
        try claims.examine(seen, totalLength: Int64(file.count), &choices)
        try claims.examine(seen, totalLength: nil, &choices)
    }
}
