// SPDX-License-Identifier: GPL-3.0-or-later
import ArgumentParser
import EarshotTestSupport
import Testing

@testable import earshot

/// The Swift samples are programs in Examples, which the tests of the documents compare and CI builds.
@Suite("Samples of the documents")
struct SampleTests {
    /// A line of a document.
    struct Sample: Sendable, CustomTestStringConvertible {
        let place: String
        let text: String
        var testDescription: String { "\(place): \(text)" }
    }

    private static let root = #filePath.split(separator: "/").dropLast(3).reduce("") { $0 + "/" + $1 }
    private static let documents = [
        "README.md", "CONTRIBUTING.md", "SECURITY.md", "docs/audio-engine.md", "docs/codecs.md", "docs/feed-json.md",
        "docs/json-events.md", "docs/json-library.md", "docs/protocol.md", "docs/screen-keys.md",
    ]
    /// The indented lines of the documents.
    private static let samples: [Sample] = documents.flatMap { path in
        let text = String(decoding: ScratchDirectory.bytes(of: root + "/" + path), as: UTF8.self)
        return text.split(separator: "\n", omittingEmptySubsequences: false).enumerated().filter {
            $0.element.hasPrefix("    ")
        }.map { Sample(place: "\(path):\($0.offset + 1)", text: String($0.element.dropFirst(4))) }
    }

    static let commands = (samples + help(of: EarshotCommand.self)).filter { words(of: $0.text) != nil }
    static let scripts = samples.filter { $0.text.hasPrefix("Scripts/") }
    static let values = samples.filter { $0.text.hasPrefix("{") }

    @Test("The program accepts each command of the documents and of the help", arguments: commands)
    func command(_ sample: Sample) throws {
        let words = try #require(Self.words(of: sample.text))
        do { _ = try EarshotCommand.parseAsRoot(words) } catch {
            Issue.record("\(sample.place): \(EarshotCommand.message(for: error))")
        }
    }

    @Test("Each script in the documents exists", arguments: scripts)
    func script(_ sample: Sample) {
        let path = sample.text.prefix { $0 != " " }
        #expect(!ScratchDirectory.bytes(of: Self.root + "/" + path).isEmpty)
    }

    @Test("Each object in the documents is JSON", arguments: values)
    func json(_ sample: Sample) { #expect(throws: Never.self) { try JSONDocument(parsing: sample.text) } }

    @Test("The documents contain samples of each kind")
    func found() {
        #expect(Self.commands.count > 80 && Self.scripts.count >= 4 && Self.values.count >= 6)
    }

    @Test(
        "The words of a command end at a comment, a pipe or a redirection",
        arguments: [
            ("earshot play \"a b\" c  # why", ["play", "a b", "c"]),
            ("echo x | earshot seek +30 | cat", ["seek", "+30"]),
            ("earshot feed parse - < feed.xml", ["feed", "parse", "-"]), ("earshot serve &", ["serve"]),
            ("*/5 * * * * earshot refresh 'a' it\\'s", ["refresh", "a", "it's"]), ("earshot", []),
            ("playerctl -p earshot next", nil), ("nothing", nil),
        ] as [(String, [String]?)])
    func split(line: String, words: [String]?) { #expect(Self.words(of: line) == words) }

    /// Returns the examples in the help of a command and of its subcommands.
    private static func help(of command: any ParsableCommand.Type) -> [Sample] {
        let configuration = command.configuration
        let lines = configuration.discussion.split(separator: "\n").filter { $0.hasPrefix("  ") }
        let place = "help of \(configuration.commandName ?? "\(command)")"
        return lines.map { Sample(place: place, text: String($0.drop { $0 == " " })) }
            + configuration.subcommands.flatMap { help(of: $0) }
    }

    /// Returns the arguments of `earshot` in a line for a shell.
    /// - Returns: `nil` if the line does not run it.
    private static func words(of line: String) -> [String]? {
        let words = shellWords(line)
        guard let start = words.firstIndex(of: "earshot"), words[..<start].last != "-p" else { return nil }
        return Array(words[(start + 1)...].prefix { !["|", "<", ">", "&", "&&"].contains($0) })
    }

    /// Splits a line as a shell does; a comment is left out.
    private static func shellWords(_ line: String) -> [String] {
        var (words, word, quote, isEscaped): ([String], String?, Character?, Bool) = ([], nil, nil, false)
        for character in line {
            if isEscaped {
                word = (word ?? "") + String(character)
                isEscaped = false
            } else if character == "\\" && quote != "'" {
                isEscaped = true
            } else if let open = quote {
                if character == open { quote = nil } else { word = (word ?? "") + String(character) }
            } else if character == "\"" || character == "'" {
                (quote, word) = (character, word ?? "")
            } else if character == "#" && word == nil {
                break
            } else if character == " " {
                words += word.map { [$0] } ?? []
                word = nil
            } else {
                word = (word ?? "") + String(character)
            }
        }
        return words + (word.map { [$0] } ?? [])
    }
}
