// SPDX-License-Identifier: GPL-3.0-or-later
import Media

@testable import MPEGAudio

/// Parses tags after their names, which random bytes seldom match. The first byte selects the tag.
@Sendable
func fuzzTags(_ input: UnsafeRawBufferPointer) throws {
    var choices = Choices(input)
    guard let kind = input.first else { return }
    let body = Array(input.dropFirst())
    switch kind % 4 {
    case 0: try holdTag(named: "ID3", body, &choices)
    case 1: try holdTag(named: "APETAGEX", body, &choices)
    case 2: try holdTag(named: "LYRICSBEGIN", body, &choices)
    default: try holdInfoFrame(body, &choices)
    }
}

/// Checks a tag before a few packets, in pieces of any length.
private func holdTag(named name: String, _ body: [UInt8], _ choices: inout Choices) throws {
    let packet: [UInt8] = [0xFF, 0xFB, 0x90, 0x44] + [UInt8](repeating: 0, count: 413)
    let file = Array(name.utf8) + body + packet + packet + packet
    try file.withUnsafeBytes { file in
        let whole = try StreamParse(file)
        try whole.holdCovers(file.count)
        let inPieces = try StreamParse(file) { choices.pieceLength() }
        try hold(inPieces.events == whole.events, "the chunk sizes do not change the result")
        guard let facts = whole.iTunes else { return }
        try hold(min(facts.delay, facts.padding, facts.frames) >= 0, "no count of an iTunes tag is negative")
    }
    if let facts = ITunSMPB(comment: body), let format = MPEGFrameHeader(0xFFFB_9044) {
        let claims = StreamClaims(info: nil, iTunes: facts, format: format, audioStart: 0)
        try claims.examine(.init(packets: 3, bytes: 1251, isComplete: false), totalLength: 1251, &choices)
    }
}

/// Checks a Xing, Info or VBRI frame: four bytes of header, then the rest of the frame. Choices select the part of
/// the stream seen.
private func holdInfoFrame(_ bytes: [UInt8], _ choices: inout Choices) throws {
    guard bytes.count > 4, let header = MPEGFrameHeader(bytes.prefix(4).reduce(0) { $0 << 8 | UInt32($1) }),
        let info = StreamInfo(frame: bytes, header: header, offset: abs(choices.number() / 4))
    else { return }
    try hold(info.length == bytes.count, "an information frame has its own length")
    try hold(min(info.declaredFrames ?? 0, info.declaredBytes ?? 0) >= 0, "no count is negative")
    try hold(info.encoder?.utf8.allSatisfy { 0x20..<0x7F ~= $0 } ?? true, "an encoder's name is printable")
    let start = info.offset + Int64(info.length)
    let claims = StreamClaims(info: info, iTunes: nil, format: header, audioStart: start)
    let packets = Int64(choices.index(below: 1000))
    let seen = StreamClaims.Seen(packets: packets, bytes: packets * 400, isComplete: choices.byte() % 4 == 0)
    for length in [nil, info.offset + (info.declaredBytes ?? 0), start + abs(choices.number() / 4)] {
        try claims.examine(seen, totalLength: length, &choices)
    }
}
