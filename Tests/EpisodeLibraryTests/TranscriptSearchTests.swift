// SPDX-License-Identifier: GPL-3.0-or-later
import EarshotTestSupport
import Feeds
import Media
import SQLDatabase
import Testing

@testable import EpisodeLibrary

@Suite("Search in transcripts")
struct TranscriptSearchTests {
    private let stage = Result { try TranscriptStoreTests.stage() }

    private func found(_ words: String, in texts: String...) throws -> [String] {
        let stage = try stage.get()
        let cues = texts.enumerated().map { index, text in
            Transcript.Cue(time: .seconds(2 * index) ..< .seconds(2 * index + 2), text: text)
        }
        try stage.library.store(Transcript(cues: cues), of: 2, from: TranscriptStoreTests.url)
        return try stage.library.searchTranscripts(words, limit: 9).map {
            "\($0.time?.lowerBound.components.seconds ?? -1) \($0.sentence)"
        }
    }

    @Test(
        "All words must occur near each other, the last may be incomplete, and none of them is syntax",
        arguments: [
            ("gull", ["2 A gull on a rope. It"]), ("rope", ["2 A gull on a rope. It"]),
            ("storm", ["0 The storm came."]),
            ("the storm", ["0 The storm came."]), ("storm gull", ["0 The storm came. A gull on a rope. It"]),
            ("gul", ["2 A gull on a rope. It"]), ("ro gull", []), ("storm fog", []), ("storm AND gull", []),
            ("it cried", ["2 A gull on a rope. It"]), ("CRIED", ["4 A gull on a rope. It cried."]),
            ("\"gull", ["2 A gull on a rope. It"]),
            ("gull) OR (fog", []), ("", []), ("...", []), ("'; DROP TABLE transcript; --", []),
            ("NEAR(storm gull)", []),
        ] as [(String, [String])])
    func words(query: String, expected: [String]) throws {
        let results = try found(query, in: "The storm came.", "A gull on a rope. It", "cried.")
        // A hit of a cue that continues in the next one has the whole sentence.
        #expect(results == expected.map { $0.hasSuffix("It") ? $0 + " cried." : $0 })
    }

    @Test("A passage contains all the words, and is found once although some of them are near it again")
    func closest() throws {
        let texts = ["This is the line.", "And the storm came over the sea.", "The end of the line."]
        #expect(try found("the storm came", in: texts[0], texts[1], texts[2]) == ["2 \(texts[1])"])
        #expect(try found("line storm", in: texts[0], texts[1], texts[2]) == ["0 \(texts[0]) \(texts[1])"])
    }

    @Test("Words with more than 32 others between them are not near each other")
    func distance() throws {
        for (others, isFound) in [(32, true), (33, false)] {
            let text = "storm " + String(repeating: "word ", count: others) + "gull"
            #expect(try found("storm gull", in: text).isEmpty != isFound)
            #expect(try found("gull storm", in: text).isEmpty != isFound)
        }
    }

    @Test(
        "Every word of any script is found, also if it continues in the next cue",
        arguments: SearchScriptTests.cases.indices)
    func everyScript(index: Int) throws {
        let (text, words, isFound) = SearchScriptTests.cases[index]
        #expect(try found(words, in: "x", text, "y").isEmpty != isFound)
        guard isFound, let last = words.unicodeScalars.last, UnspacedScripts.contain(last) else { return }
        for place in text.indices where text[place...].unicodeScalars.first.map(UnspacedScripts.contain) ?? false {
            #expect(
                try !found(words, in: String(text[..<place]), String(text[place...])).isEmpty, "divided at \(place)")
        }
    }

    @Test(
        "Cues have the words of the undivided text, and each word belongs to one cue",
        arguments: 0..<20 as Range<UInt64>)
    func divided(seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        let letters = Array("ab é雨港のテ스กุ الو1-ßは。か\u{3099}ﾃ").map(String.init)
        let texts = (0..<20).map { _ in
            (0..<Int.random(in: 0...6, using: &random)).compactMap { _ in letters.randomElement(using: &random) }
                .joined()
        }
        let words = TranscriptWords(texts)
        #expect(words.counts.count == texts.count)
        #expect(words.counts.reduce(0, +) == TranscriptWords.count(words.text))
        let alone = texts.map { TranscriptWords.count(SearchWords.text($0)) }
        #expect(words.counts == alone)
        let unspaced = texts.joined().unicodeScalars.filter {
            UnspacedScripts.contain($0) && $0.value > 0x3040 && $0.value < 0xA000
        }
        let parts = unspaced.map { String($0) }.filter { $0 != "\u{3099}" }
        #expect(
            TranscriptWords(parts).text.split { " \n".contains($0) }
                == SearchWords.text(parts.joined()).split(separator: " "))
    }

    @Test("Each hit contains the word, and every cue with the word is in a hit", arguments: 0..<6 as Range<UInt64>)
    func complete(seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        let vocabulary = [
            "storm", "harbour", "gull.", "rope", "fog?", "tide", "雨", "港の", "Ødegård", "والميناء", "don't",
        ]
        let cues = (0..<120).map { number in
            let text = (0..<Int.random(in: 1...6, using: &random)).compactMap { _ in
                vocabulary.randomElement(using: &random)
            }
            let long = number % 40 == 0 ? String(repeating: "filler words. ", count: 40) : ""
            return Transcript.Cue(
                time: .seconds(number) ..< .seconds(number + 1), text: long + text.joined(separator: " "))
        }
        let stage = try TranscriptStoreTests.stage()
        let transcript = Transcript(cues: cues)
        try stage.library.store(transcript, of: 1, from: TranscriptStoreTests.url)
        for word in ["storm", "gull", "雨", "odegard", "ميناء", "don", "港", "sto"] {
            let query = try #require(SearchQuery(word))
            let hits = try stage.library.searchTranscripts(word, in: 1, limit: 1000)
            #expect(hits.allSatisfy { query.matches($0.sentence, isWhole: false) && $0.sentence.utf8.count < 1000 })
            for cue in transcript.cues where query.matches(cue.text, isWhole: false) {
                let text = cue.text.split(separator: ". ").last ?? ""
                #expect(
                    hits.contains {
                        $0.sentence.contains(text)
                            || query.matches($0.sentence, isWhole: false) && cue.text.contains($0.sentence)
                    })
            }
        }
    }

    @Test("The words side by side come before words near each other, and newer episodes before older ones")
    func order() throws {
        let stage = try TranscriptStoreTests.stage()
        let store = {
            try stage.library.store(TranscriptStoreTests.transcript($1), of: $0, from: TranscriptStoreTests.url)
        }
        try store(3, "A gull in the storm.")
        try store(2, "A storm gull.")
        try store(1, "Storm gull.")
        #expect(try stage.library.searchTranscripts("storm gull", limit: 9).map(\.episode.id) == [2, 1, 3])
        #expect(try stage.library.searchTranscripts("storm gull", limit: 1).map(\.episode.id) == [2])
        #expect(try stage.library.searchTranscripts("gull", limit: 9).map(\.episode.id) == [3, 2, 1])
        #expect(try stage.library.searchTranscripts("gull", in: 1, limit: 9).map(\.episode.id) == [1])
    }

    @Test("A search of all episodes returns three passages of each, and a search of one episode all")
    func limits() throws {
        let stage = try TranscriptStoreTests.stage()
        let texts = (0..<40).map { "Storm number \($0)." }
        let cues = texts.enumerated().map { Transcript.Cue(time: .seconds($0) ..< .seconds($0 + 1), text: $1) }
        for episode in [1, 2] as [Int64] {
            try stage.library.store(Transcript(cues: cues), of: episode, from: TranscriptStoreTests.url)
        }
        #expect(try stage.library.searchTranscripts("storm", limit: 99).map(\.episode.id) == [2, 2, 2, 1, 1, 1])
        #expect(try stage.library.searchTranscripts("storm", limit: 4).count == 4)
        #expect(try stage.library.searchTranscripts("storm", in: 1, limit: 99).map(\.sentence) == texts)
    }

    @Test("An unsubscribed podcast is searched only by the number of its episode")
    func unsubscribed() throws {
        let stage = try TranscriptStoreTests.stage()
        try stage.library.store(TranscriptStoreTests.transcript("A storm."), of: 1, from: TranscriptStoreTests.url)
        try stage.library.unsubscribe(1)
        #expect(try stage.library.searchTranscripts("storm", limit: 9).isEmpty)
        #expect(try stage.library.searchTranscripts("storm", in: 1, limit: 9).count == 1)
    }

    @Test("A hit in a paragraph is one of its sentences, and has the speaker and no time")
    func paragraph() throws {
        let stage = try TranscriptStoreTests.stage()
        let text =
            String(repeating: "Some words here. ", count: 30) + "A \u{201C}storm!\u{201D} Then 3.5 gulls. " + "And fog."
        let transcript = Transcript(cues: [Transcript.Cue(speaker: "Mary", text: text), Transcript.Cue(text: "Storm")])
        try stage.library.store(transcript, of: 1, from: TranscriptStoreTests.url)
        let hits = try stage.library.searchTranscripts("storm", limit: 9)
        #expect(hits.map(\.sentence) == ["A \u{201C}storm!\u{201D}", "Storm"])
        #expect(hits.map(\.speaker) == ["Mary", nil] && hits.allSatisfy { $0.time == nil })
        #expect(try stage.library.searchTranscripts("gulls", limit: 9).map(\.sentence) == ["Then 3.5 gulls."])
        #expect(try stage.library.searchTranscripts("mary", limit: 9).map(\.sentence) == ["Some words here."])
    }

    @Test("A speaker is found by name at the start of each turn, and the words of a turn stay side by side")
    func speakers() throws {
        let stage = try TranscriptStoreTests.stage()
        let lines: [(String?, String)] = [
            ("Alice Ødegård", "The storm"), ("Alice Ødegård", "came."), ("港のボブ", "Did it? 雨"), (nil, "港"),
            ("Alice Ødegård", "Yes."),
        ]
        let cues = lines.enumerated().map { index, line in
            Transcript.Cue(time: .seconds(index) ..< .seconds(index + 1), speaker: line.0, text: line.1)
        }
        try stage.library.store(Transcript(cues: cues), of: 1, from: TranscriptStoreTests.url)
        let found = { (words: String) in try stage.library.searchTranscripts(words, limit: 9).map(\.sentence) }
        #expect(try found("alice") == ["The storm came.", "Yes."] && found("odegard yes") == ["Yes."])
        #expect(try found("storm came") == ["The storm came."] && found("alice storm") == ["The storm came."])
        #expect(try found("ボブ") == ["Did it? 雨"] && found("雨港") == ["Did it? 雨"])
        #expect(try found("came did") == ["The storm came. 港のボブ: Did it? 雨"])
        try stage.library.removeTranscript(of: 1)
        #expect(try TranscriptStoreTests.indexedWords(stage.library) == 0)
    }

    @Test(
        "An index of another version, or an interrupted update, is completed",
        arguments: ["PRAGMA user_version = 99", "PRAGMA user_version = 1", "DROP TABLE transcript_words"])
    func rebuilt(change: String) throws {
        let stage = try TranscriptStoreTests.stage()
        while try stage.library.indexSome() > 0 {}
        for episode in 1...3 as ClosedRange<Int64> {
            try stage.library.store(
                TranscriptStoreTests.transcript("A storm."), of: episode, from: TranscriptStoreTests.url)
        }
        try stage.library.database.writeWithoutTransaction { try $0.execute(sql: change) }
        let library = try stage.another()
        #expect(try library.searchTranscripts("storm", limit: 9).isEmpty)
        #expect(try library.countToIndex() == (change.hasPrefix("DROP") ? 3 : 6))
        while try library.indexSome() > 0 {}
        #expect(try library.searchTranscripts("storm", limit: 9).count == 3)
        for episode in 1...3 as ClosedRange<Int64> { try library.removeTranscript(of: episode) }
        #expect(try TranscriptStoreTests.indexedWords(library) == 0)
    }
}
