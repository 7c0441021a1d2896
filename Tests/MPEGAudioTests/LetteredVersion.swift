// SPDX-License-Identifier: GPL-3.0-or-later
import EarshotTestSupport

@testable import MPEGAudio

/// A version of an episode written in letters. Each letter is a piece of unique packets, equal letters are equal
/// pieces, and `.` is silence, whose packets are all the same. Lower case is content, upper case is inserted.
struct LetteredVersion {
    let letters: [Character]
    let hashes: PacketHashes
    /// The first packet of each piece, and the end of the last one.
    private let starts: [Int64]

    init(_ text: String, length: @escaping (Character) -> Int = { _ in 20 }) {
        letters = Array(text)
        let pieces = letters.map { Self.piece($0, length: length($0)) }
        hashes = PacketHashes(pieces.flatMap { $0 })
        starts = pieces.reduce(into: [0]) { $0.append($0[$0.count - 1] + Int64($1.count)) }
    }

    /// Returns the first packet of the piece; for the number of pieces, the end of the last one.
    func start(of piece: Int) -> Int64 { starts[piece] }

    /// Returns the letters of a range of whole pieces; `nil` for any other range.
    func text(of range: Range<Int64>) -> String? {
        guard let first = starts.firstIndex(of: range.lowerBound), let end = starts.firstIndex(of: range.upperBound)
        else { return nil }
        return String(letters[first..<end])
    }

    private static func piece(_ letter: Character, length: Int) -> [UInt16] {
        guard letter != "." else { return Array(repeating: 7, count: length) }
        var chance = SeededGenerator(seed: UInt64(letter.asciiValue ?? 0))
        return (0..<length).map { _ in UInt16.random(in: 8 ... .max, using: &chance) }
    }
}
