// SPDX-License-Identifier: GPL-3.0-or-later
@testable import AudioContainers

/// Parses an arbitrary Ogg file, with the right checksum in each page so that mutations pass.
@Sendable
func fuzzOgg(_ file: UnsafeRawBufferPointer) throws {
    var bytes = Array(file)
    var window = ByteWindow()
    window.append(file)
    window.finish()
    for place in bytes.indices.dropLast(26) where bytes[place] == UInt8(ascii: "O") {
        guard case .damaged(let length) = OggPage.find(in: window, at: Int64(place)) else { continue }
        bytes.replaceSubrange(place + 22..<place + 26, with: [0, 0, 0, 0])
        let checksum = bytes[place..<place + Int(length)].withUnsafeBytes { OggChecksum.extended(0, by: $0) }
        for byte in 0..<4 { bytes[place + 22 + byte] = UInt8(truncatingIfNeeded: checksum >> UInt32(8 * byte)) }
    }
    try bytes.withUnsafeBytes { try holdContainer($0, OggParser()) }
}

/// Parses an arbitrary FLAC file.
@Sendable
func fuzzFLAC(_ file: UnsafeRawBufferPointer) throws { try holdContainer(file, FLACParser()) }

/// Parses an arbitrary WAV or AIFF file.
@Sendable
func fuzzWave(_ file: UnsafeRawBufferPointer) throws { try holdContainer(file, WAVParser()) }

/// Parses an arbitrary MP4 file, for its packets and for its tags.
@Sendable
func fuzzMP4(_ file: UnsafeRawBufferPointer) throws {
    try holdContainer(file, MP4Parser())
    var tags = ContainerParse(file, MP4Parser(.tags))
    try tags.run()
    try hold(tags.packets.isEmpty, "a parser of tags returns no packets")
}

/// Parses an arbitrary ADTS stream.
@Sendable
func fuzzADTS(_ file: UnsafeRawBufferPointer) throws { try holdContainer(file, ADTSParser()) }

private func holdContainer(_ file: UnsafeRawBufferPointer, _ parser: any ContainerParser) throws {
    var choices = Choices(file)
    var whole = ContainerParse(file, parser)
    try whole.run()
    var inPieces = ContainerParse(file, parser)
    try inPieces.run { choices.pieceLength() }
    try hold(inPieces.events == whole.events, "the chunk sizes do not change the result")

    var jumping = ContainerParse(file, parser)
    jumping.parser.totalLength = Int64(file.count)
    for _ in 0..<8 {
        try jumping.run(packets: choices.index(below: 6)) { choices.pieceLength() }
        switch choices.byte() % 4 {
        case 0: jumping.parser.synchronize(from: Int64(choices.index(below: file.count)))
        case 1: _ = jumping.parser.seek(to: choices.number())
        case 2:
            jumping.parser.resume(
                at: ContainerPoint(frame: choices.number(), offset: choices.number(), index: choices.number()))
        default:
            guard let point = whole.points.isEmpty ? nil : choices.pick(whole.points) else { continue }
            jumping.parser.resume(at: point)
        }
        let frame = choices.number()
        _ = (jumping.parser.length, jumping.parser.offset(ofFrame: frame), jumping.parser.frame(atOffset: frame))
    }
    try jumping.run()
}
