// SPDX-License-Identifier: GPL-3.0-or-later
import Testing

@Suite("Documents")
struct DocumentTests {
    /// The terms of the code; docs/glossary.md explains each.
    static let words = [
        "podcast", "episode", "enclosure", "GUID", "byte offset", "byte range", "transfer", "download", "validator",
        "packet", "MPEG frame", "PCM frame", "sample", "encoder delay", "padding", "playhead",
        "buffering", "stalled", "cork", "flush", "drain", "gapless handover", "extent", "partial file", "manifest",
        "edge", "generation", "frame index", "bit reservoir", "pre-roll",
        "library", "subscription", "refresh", "merge", "evidence", "alias", "former address", "act", "journal", "trash",
        "rule", "wish", "bookmark", "plane", "slice", "graph", "voice", "region", "loop", "tap", "time stamp", "prime",
    ]

    @Test("The glossary explains each term", arguments: words)
    func glossary(word: String) throws {
        let glossary = try #require(SourceTree.text(of: "docs/glossary.md"))
        #expect(glossary.contains("**\(word)**"))
    }

    @Test("The code uses each term of the glossary", arguments: words)
    func used(word: String) {
        #expect(SourceTree.sources.contains { Self.uses($0.text, word) })
    }

    /// Returns true if the text contains the word or its plural, in prose or as a part of a camel-case name.
    static func uses(_ text: String, _ word: String) -> Bool {
        let wanted = words(of: word)
        let known = words(of: text)
        return known.indices.contains { start in
            guard start + wanted.count <= known.count else { return false }
            return zip(known[start...], wanted).allSatisfy { $0 == $1 || $0 == $1 + "s" }
        }
    }

    /// Returns the words of a text in lower case: `seekFrameIndex of an MP3` becomes seek, frame, index, of, an, mp3.
    private static func words(of text: String) -> [String] {
        var words: [String] = []
        var word = "", wasLower = false
        for character in text + " " {
            let startsWord = character.isUppercase && wasLower
            if startsWord || !(character.isLetter || character.isNumber) {
                if !word.isEmpty { words.append(word.lowercased()) }
                word = ""
            }
            if character.isLetter || character.isNumber { word.append(character) }
            wasLower = character.isLowercase || character.isNumber
        }
        return words
    }

    @Test(
        "A term counts only as a whole word",
        arguments: [
            ("an exact tap", "act", false), ("undo an act", "act", true), ("RetryAct", "act", true),
            ("acts", "act", true),
            ("the frameIndex", "frame index", true), ("a frame of an index", "frame index", false),
            ("reschedule", "rule", false),
        ])
    func counts(text: String, word: String, isUsed: Bool) {
        #expect(Self.uses(text, word) == isUsed)
    }

    @Test(
        "Each document exists",
        arguments: [
            "README.md", "ARCHITECTURE.md", "CONTRIBUTING.md", "CHANGELOG.md", "LICENSE", "docs/glossary.md",
            "docs/json-events.md", "docs/json-library.md", "docs/audio-engine.md",
        ])
    func documents(path: String) {
        #expect(SourceTree.text(of: path)?.isEmpty == false)
    }

    @Test("The manual of the audio engine quotes programs that are built", arguments: ["FirstSound", "FilePlayer"])
    func manual(program: String) throws {
        let manual = try #require(SourceTree.text(of: "docs/audio-engine.md"))
        let source = try #require(SourceTree.text(of: "Examples/Sources/\(program)/main.swift"))
        // All lines but the licence line.
        let code = String(source.drop { $0 != "\n" }.dropFirst())
        #expect(manual.contains("```swift\n" + code + "```"))
    }
}
