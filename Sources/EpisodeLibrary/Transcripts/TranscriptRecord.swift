// SPDX-License-Identifier: GPL-3.0-or-later
import Feeds
import FoundationEssentials
import SQLDatabase

/// The stored form of a transcript: the texts once, and a few bytes for the time and the speaker of each cue.
struct TranscriptRecord {
    /// The texts of the cues, separated by line feeds.
    let texts: String
    /// Three numbers for each cue: the milliseconds since the start of the cue before, plus 1, or 0 without a time; the
    /// duration in milliseconds; the number of the speaker, from 1, or 0 without one.
    let cues: Data
    /// The names of the speakers, as a JSON array.
    let speakers: String

    init(_ transcript: Transcript) {
        var names: [String] = []
        var places: [String: Int] = [:]
        var (numbers, last): ([UInt64], UInt64) = ([], 0)
        numbers.reserveCapacity(3 * transcript.cues.count)
        for cue in transcript.cues {
            let start = cue.start.map(Self.milliseconds)
            let end = cue.end.map(Self.milliseconds)
            numbers.append(start.map { $0 &- last &+ 1 } ?? 0)
            numbers.append((end ?? 0) &- (start ?? 0))
            numbers.append(UInt64(cue.speaker.map { Self.place(of: $0, &places, &names) } ?? 0))
            last = start ?? last
        }
        texts = transcript.cues.map { $0.text.replacing("\n", with: " ") }.joined(separator: "\n")
        cues = NumberList.data(numbers)
        speakers = JSONList.text(names)
    }

    init(row: Row) throws {
        (texts, cues, speakers) = (try row["texts"], try row["cues"], try row["speakers"])
    }

    /// Returns the texts of the cues. Splitting bytes takes a tenth of the time of splitting characters.
    static func list(_ texts: String) -> [String] {
        texts.utf8.split(separator: 0x0A, omittingEmptySubsequences: false).map { String(Substring($0)) }
    }

    private static func place(of name: String, _ places: inout [String: Int], _ names: inout [String]) -> Int {
        if let place = places[name] { return place }
        names.append(name)
        places[name] = names.count
        return names.count
    }

    private static let mostMilliseconds: UInt64 = 1 << 52

    private static func milliseconds(_ time: Duration) -> UInt64 {
        min(UInt64(max(0, time.microseconds)) / 1000, mostMilliseconds)
    }

    /// - Throws: `DatabaseError` for a damaged row.
    func cueList() throws -> [Transcript.Cue] {
        let texts = Self.list(texts)
        let names = JSONList.strings(speakers)
        guard let numbers = NumberList.numbers(cues), numbers.count == 3 * texts.count else { throw Self.damage }
        var last: UInt64 = 0
        return try texts.enumerated().map { index, text in
            let (step, length, speaker) = (numbers[3 * index], numbers[3 * index + 1], numbers[3 * index + 2])
            guard step <= Self.mostMilliseconds + 1, length <= Self.mostMilliseconds, last <= Self.mostMilliseconds,
                speaker <= names.count
            else { throw Self.damage }
            if step > 0 { last += step - 1 }
            let start = Duration.milliseconds(last)
            return Transcript.Cue(
                time: step > 0 ? start..<(start + .milliseconds(length)) : nil,
                speaker: speaker > 0 ? names[Int(speaker) - 1] : nil, text: text)
        }
    }

    /// Returns the speakers of the cues; none if the row is damaged, because it can still be removed from the index.
    func speakerList() -> [String?] {
        let names = JSONList.strings(speakers)
        let numbers = NumberList.numbers(cues) ?? []
        return stride(from: 2, to: numbers.count, by: 3).map { index in
            let speaker = numbers[index]
            return speaker > 0 && speaker <= names.count ? names[Int(speaker) - 1] : nil
        }
    }

    static var damage: DatabaseError {
        DatabaseError(resultCode: .SQLITE_CORRUPT, message: "unexpected value in transcript")
    }
}
