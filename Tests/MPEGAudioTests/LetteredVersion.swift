// SPDX-License-Identifier: GPL-3.0-or-later
@testable import MPEGAudio

/// A version of an episode written in letters: each is a piece whose packets occur nowhere else, equal letters are
/// equal pieces, and `.` is silence, every packet of which is the same. Lower case is content, upper case is inserted.
struct LetteredVersion {
    let letters: [Character]
    let hashes: PacketHashes
    /// Where each piece begins, and where the last one ends.
    private let starts: [Int64]

    init(_ text: String, length: @escaping (Character) -> Int = { _ in 20 }) {
        letters = Array(text)
        let pieces = letters.map { Self.piece($0, length: length($0)) }
        hashes = PacketHashes(pieces.flatMap { $0 })
        starts = pieces.reduce(into: [0]) { $0.append($0[$0.count - 1] + Int64($1.count)) }
    }

    /// The packet that begins the piece; for the number of pieces the one behind the last.
    func start(of piece: Int) -> Int64 { starts[piece] }

    /// The letters of whole pieces; `nil` for any other range.
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
