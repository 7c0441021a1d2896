// SPDX-License-Identifier: GPL-3.0-or-later
import Testing

@testable import TerminalInterface

@Suite("Snippets of notes in search results")
struct NotesSnippetTests {
    private static let notes =
        "We sail past the lighthouse before the great storm comes, and talk of caf\u{E9}s in Z\u{FC}rich."

    @Test(
        "A snippet shows the word in its context",
        arguments: [
            ("lighthouse", 24, "…the lighthouse before…"), ("storm", 24, "…great storm comes,…"),
            ("we", 20, "We sail past the…"), ("cafes", 20, "…of cafés in…"), ("zurich", 20, "…in Zürich."),
            ("great sto", 22, "…the great storm…"), ("LIGHT", 26, "…the lighthouse before…"),
            ("lighthouse", 200, notes),
        ])
    func around(query: String, columns: Int, expected: String) throws {
        let text = try #require(NotesSnippet.text(of: Self.notes, around: query, columns: columns))
        #expect(text.count <= columns || text == Self.notes)
        #expect(text == expected)
    }

    @Test("A text without a match has no snippet", arguments: ["gull", "", "...", "ighthouse"])
    func none(query: String) {
        #expect(NotesSnippet.text(of: Self.notes, around: query, columns: 40) == nil)
    }

    @Test("Any width works without a trap", arguments: 0..<30)
    func narrow(columns: Int) {
        #expect(NotesSnippet.text(of: Self.notes, around: "storm", columns: columns) != nil)
    }

    @Test("Control characters are removed")
    func harmless() {
        #expect(NotesSnippet.text(of: "a\u{1B}[31m storm\u{202E}", around: "storm", columns: 80) == "a[31m storm")
    }
}
