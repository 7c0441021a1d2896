// SPDX-License-Identifier: GPL-3.0-or-later
import Testing

@Suite("Documents")
struct DocumentTests {
    /// The words the code is written in; docs/glossary.md explains each.
    static let words = [
        "podcast", "episode", "enclosure", "GUID", "byte offset", "byte range", "transfer", "download", "validator",
        "packet", "MPEG frame", "PCM frame", "sample", "encoder delay", "padding", "playhead",
        "buffering", "stalled", "cork", "flush", "drain", "gapless handover", "extent", "partial file", "manifest",
        "edge", "generation", "frame index", "bit reservoir", "pre-roll",
        "library", "subscription", "refresh", "merge", "evidence", "alias", "former address", "act", "journal", "trash",
        "rule", "wish", "bookmark", "plane", "slice", "graph", "voice", "region", "loop", "tap", "time stamp", "prime",
    ]

    @Test("the glossary explains the word", arguments: words)
    func glossary(word: String) throws {
        let glossary = try #require(SourceTree.text(of: "docs/glossary.md"))
        #expect(glossary.contains("**\(word)**"))
    }

    @Test("the word is one the code uses", arguments: words)
    func used(word: String) {
        // Written apart in prose, together in names.
        let name = word.replacing(" ", with: "").lowercased()
        #expect(
            SourceTree.sources.contains { file in
                let text = file.text.lowercased()
                return text.contains(word.lowercased()) || text.contains(name)
            })
    }

    @Test(
        "each document is there",
        arguments: [
            "README.md", "ARCHITECTURE.md", "CONTRIBUTING.md", "CHANGELOG.md", "LICENSE", "docs/glossary.md",
            "docs/json-events.md", "docs/json-library.md", "docs/audio-engine.md",
        ])
    func documents(path: String) {
        #expect(SourceTree.text(of: path)?.isEmpty == false)
    }

    @Test(
        "README names every exit status with the number it has",
        arguments: [64, 65, 66, 68, 69, 70, 73, 74, 75, 76, 77, 129, 130, 143])
    func exitStatuses(number: Int) throws {
        let readme = try #require(SourceTree.text(of: "README.md"))
        #expect(readme.contains("| \(number) |"))
    }
}
