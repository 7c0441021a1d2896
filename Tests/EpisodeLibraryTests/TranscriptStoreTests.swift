// SPDX-License-Identifier: GPL-3.0-or-later
import EarshotTestSupport
import Feeds
import FoundationEssentials
import Media
import SQLDatabase
import Testing

@testable import EpisodeLibrary

@Suite("Transcripts in the library")
struct TranscriptStoreTests {
    static let url = "https://host.example/1.vtt"

    /// Creates a transcript whose cues last two seconds each.
    static func transcript(_ texts: String..., speaker: String? = nil) -> Transcript {
        Transcript(
            cues: texts.enumerated().map { index, text in
                Transcript.Cue(time: .seconds(2 * index) ..< .seconds(2 * index + 2), speaker: speaker, text: text)
            }, language: "en")
    }

    /// Returns a library with three episodes.
    static func stage() throws -> LibraryStage {
        let stage = try LibraryStage()
        try stage.merge([.numbered(3), .numbered(2), .numbered(1)], into: try stage.subscribe())
        return stage
    }

    /// Returns the number of different words in the index of transcripts.
    static func indexedWords(_ library: Library) throws -> Int? {
        try library.database.writeWithoutTransaction { db in
            try db.execute(
                sql: "CREATE VIRTUAL TABLE IF NOT EXISTS temp.terms USING fts5vocab(main, transcript_words, row)")
            return try Int.fetchOne(db, sql: "SELECT count(*) FROM terms")
        }
    }

    @Test("A stored transcript is returned unchanged", arguments: 0..<10 as Range<UInt64>)
    func unchanged(seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        let isTimed = seed % 3 > 0
        var start = Duration.zero
        let cues = (0..<Int.random(in: 1...200, using: &random)).map { _ in
            start += .milliseconds(Int.random(in: 0...100_000, using: &random))
            let end = start + .milliseconds(Int.random(in: 1...300_000, using: &random))
            let text = (0..<Int.random(in: 1...9, using: &random)).compactMap { _ in
                ["storm", "é", "日本", "\u{1F600}", "a \"b\"", "\\n", "\u{301}x"].randomElement(using: &random)
            }.joined(separator: " ")
            let speaker = ["Mary", "J\u{F6}rg \"the\" Great", nil].randomElement(using: &random) ?? nil
            return Transcript.Cue(time: isTimed ? start..<end : nil, speaker: speaker, text: text)
        }
        let transcript = Transcript(cues: cues, language: ["en", nil].randomElement(using: &random) ?? nil)
        let stage = try Self.stage()
        try stage.library.store(transcript, of: 2, from: Self.url, version: "1000 bytes")
        let stored = try #require(try stage.another().transcript(of: 2))
        #expect(stored.transcript == transcript)
        #expect(
            stored.url == Self.url && stored.version == "1000 bytes" && stored.storedAt == stage.library.currentTime)
        #expect(try stage.library.transcript(of: 1) == nil)
    }

    @Test("A transcript replaces the one before, and its words are found instead")
    func replaced() throws {
        let stage = try Self.stage()
        try stage.library.store(Self.transcript("A storm."), of: 2, from: Self.url)
        try stage.library.store(Self.transcript("A gull."), of: 2, from: Self.url)
        #expect(try stage.library.searchTranscripts("storm", limit: 9).isEmpty)
        #expect(try stage.library.searchTranscripts("gull", limit: 9).count == 1)
        try stage.library.removeTranscript(of: 2)
        try stage.library.removeTranscript(of: 2)
        #expect(try stage.library.transcript(of: 2) == nil)
        #expect(try Self.indexedWords(stage.library) == 0)
    }

    @Test("A transcript of a missing episode, or without words, is refused")
    func refused() throws {
        let stage = try Self.stage()
        let missing = #expect(throws: LibraryError.self) {
            try stage.library.store(Self.transcript("A storm."), of: 9, from: Self.url)
        }
        #expect(missing?.kind == .missing)
        let empty = #expect(throws: LibraryError.self) {
            try stage.library.store(Transcript(cues: []), of: 1, from: Self.url)
        }
        #expect(empty?.kind == .invalid)
    }

    @Test(
        "A removed episode takes its transcript with it",
        arguments: [
            "its podcast leaves the trash", "it left the feed", "it is merged with another", "it has new audio",
        ])
    func removed(reason: String) throws {
        let stage = try Self.stage()
        let library = stage.library
        try library.store(Self.transcript("港の雨 storm"), of: 2, from: Self.url)
        switch reason {
        case "its podcast leaves the trash":
            try library.unsubscribe(1)
            #expect(try library.transcript(of: 2) != nil)
            try stage.passDays(Library.trashAge + .seconds(60))
            try library.emptyTrash()
        case "it left the feed":
            try stage.merge([.numbered(3)], into: 1)
            try stage.passDays(Library.trashAge + .seconds(60))
            try library.emptyTrash()
        case "it is merged with another":
            try library.database.write { db in try EpisodeUnion.unite(db, 2, into: 3) }
        default:
            let audio = "https://host.example/other.mp3"
            try stage.merge([.numbered(3), .numbered(20, guid: "g2", url: audio), .numbered(1)], into: 1)
        }
        #expect(try library.transcript(of: 2) == nil)
        #expect(try Self.indexedWords(library) == 0)
    }

    @Test("A transcript survives new notes of its episode, and a rescue of the library")
    func kept() throws {
        let stage = try Self.stage()
        let transcript = Self.transcript("A storm.", speaker: "Mary")
        try stage.library.store(transcript, of: 2, from: Self.url)
        try stage.merge([.numbered(3), .numbered(2, notes: "<p>Other</p>"), .numbered(1)], into: 1)
        #expect(try stage.library.transcript(of: 2)?.transcript == transcript)
        try stage.library.keepBackup()
        try stage.library.close()
        // A part of the header is lost, but not the rows.
        var bytes = stage.directory.read("library.db")
        bytes.replaceSubrange(40..<44, with: [0xFF, 0xFF, 0xFF, 0xFF])
        try stage.directory.write(bytes, to: "library.db")
        _ = try LibraryRescue.rescue(stage.path, isDamaged: true) { .newYear }
        let library = try stage.another()
        while try library.indexSome() > 0 {}
        #expect(try library.searchTranscripts("storm", limit: 9).map(\.episode.id) == [2])
    }

    @Test("Links of the feed to transcripts are read in their order")
    func links() throws {
        let stage = try LibraryStage()
        var episode = ParsedEpisode.numbered(1)
        let links = [
            ParsedTranscript(url: "https://host.example/a.srt", type: "application/srt", language: "de"),
            ParsedTranscript(url: "https://host.example/a.vtt"),
        ]
        episode.transcripts = links
        try stage.merge([.numbered(2), episode], into: try stage.subscribe())
        #expect(try stage.library.transcriptLinks(of: 1) == links)
        #expect(try stage.library.transcriptLinks(of: 2) == [])
    }

    @Test("Damaged values are reported as damage and cause no trap", arguments: 0..<4 as Range<UInt64>)
    func damaged(seed: UInt64) throws {
        let stage = try Self.stage()
        var random = SeededGenerator(seed: seed)
        for _ in 0..<60 {
            try stage.library.store(Self.transcript("A storm.", "A gull.", speaker: "Mary"), of: 2, from: Self.url)
            let bytes = Data((0..<Int.random(in: 0...12, using: &random)).map { _ in UInt8(random.next() % 256) })
            let column = ["cues", "words", "texts", "speakers"].randomElement(using: &random) ?? ""
            let value: any DatabaseValueConvertible = column.hasSuffix("s") && column.count > 5 ? "a\nb\nc" : bytes
            try stage.library.database.write { db in
                try db.execute(
                    sql: "UPDATE transcript SET \(column) = ? WHERE episode = 2",
                    arguments: [column == "texts" ? "a\nb\nc" : value])
            }
            for use in [
                { _ = try stage.library.transcript(of: 2) },
                { _ = try stage.library.searchTranscripts("storm", limit: 9) },
            ] {
                do { try use() } catch let error as LibraryError { #expect(error.kind == .damaged, "\(error)") }
            }
        }
    }

    @Test("A list of numbers is restored, and other bytes are refused")
    func numbers() {
        let numbers: [UInt64] = [0, 1, 127, 128, 300, 1 << 20, 1 << 52, (1 << 63) - 1]
        #expect(NumberList.numbers(NumberList.data(numbers)) == numbers)
        #expect(NumberList.numbers(Data()) == [])
        #expect(NumberList.numbers(Data([0x80])) == nil)
        #expect(NumberList.numbers(Data(repeating: 0xFF, count: 12)) == nil)
    }
}
