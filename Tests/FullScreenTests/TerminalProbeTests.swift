// SPDX-License-Identifier: GPL-3.0-or-later
import Testing

@testable import FullScreen
@testable import TerminalInterface

@Suite("Questions to the terminal")
struct TerminalProbeTests {
    private static func probe(_ environment: [String: String] = ["TERM": "xterm"], unicode: Bool = true)
        -> TerminalProbe
    {
        TerminalProbe(isUnicode: unicode) { environment[$0] }
    }

    /// Returns the abilities after these answers, which arrive as bytes.
    private static func abilities(_ answers: String, _ probe: TerminalProbe) -> TerminalAbilities? {
        var (probe, decoder) = (probe, KeyDecoder())
        decoder.expectsReports = true
        for case .report(let report) in decoder.decode(answers.utf8) {
            if let found = probe.receive(report) { return found }
        }
        return nil
    }

    @Test("The last question is for the device attributes")
    func fence() {
        let text = String(decoding: Self.probe().questions, as: UTF8.self)
        #expect(text.hasSuffix("\u{1B}[c") && text.contains("\u{1B}[?2026$p") && text.contains("\u{1B}_G"))
    }

    @Test("tmux is not asked for pictures, and an 8-bit terminal not for widths")
    func fewer() {
        let tmux = String(decoding: Self.probe(["TERM": "tmux-256color", "TMUX": "x"]).questions, as: UTF8.self)
        #expect(!tmux.contains("\u{1B}_G"))
        let latin = Self.probe(unicode: false).questions
        #expect(latin.allSatisfy { $0 < 0x80 } && !String(decoding: latin, as: UTF8.self).contains("[6n"))
    }

    @Test(
        "Answers show the abilities",
        arguments: [
            ("\u{1B}[?1;2c", [], false, nil),
            (
                "\u{1B}[1;3R\u{1B}[1;2R\u{1B}[1;3R\u{1B}[1;7R\u{1B}[?2026;2$y\u{1B}[?62;4c",
                [.emojiVariation, .skinTone], true, .sixel
            ),
            ("\u{1B}[1;3R\u{1B}[?2026;0$y\u{1B}_Gi=31;OK\u{1B}\\\u{1B}[?62c", [.emojiVariation], false, .kitty),
            ("\u{1B}_Gi=31;ENOTSUP:x\u{1B}\\\u{1B}[?1c", [], false, nil),
        ] as [(String, Set<ClusterKind>, Bool, TerminalAbilities.Pictures?)])
    func answers(
        bytes: String, joined: Set<ClusterKind>, synchronizes: Bool, pictures: TerminalAbilities.Pictures?
    ) throws {
        let found = try #require(Self.abilities(bytes, Self.probe()))
        #expect(found.widths.joined == joined && found.synchronizes == synchronizes && found.pictures == pictures)
    }

    @Test("Without the last answer there is no result, and keys are read as usual")
    func silent() {
        #expect(Self.abilities("\u{1B}[1;3R", Self.probe()) == nil)
        var decoder = KeyDecoder()
        decoder.expectsReports = true
        #expect(decoder.decode("j\u{1B}[Bq".utf8) == [.character("j"), .down, .character("q")])
    }
}

@Suite("Widths of clusters")
struct ClusterWidthsTests {
    @Test(
        "A cluster has the columns that the terminal showed, or loses what other terminals draw apart",
        arguments: [
            ("a", 1, 1, "a"), ("日", 2, 2, "日"), ("❤️", 1, 2, "\u{2764}"), ("1️⃣", 1, 2, "1"), ("👍🏽", 2, 2, "\u{1F44D}"),
            ("👨‍👩‍👧", 2, 2, "\u{1F468}"), ("🇫🇷", 2, 2, "🇫🇷"), ("e\u{301}", 1, 1, "e\u{301}"), ("ก็", 1, 1, "ก็"),
            ("\u{200B}", 0, 0, "\u{200B}"),
        ] as [(Character, Int, Int, String)])
    func widths(cluster: Character, apart: Int, joined: Int, form: String) {
        #expect(ClusterWidths().columns(of: cluster) == apart)
        #expect(ClusterWidths().form(of: cluster) == Array(form.unicodeScalars))
        let all = ClusterWidths(joined: Set(ClusterKind.allCases))
        #expect(all.columns(of: cluster) == joined)
        #expect(all.form(of: cluster) == Array(cluster.unicodeScalars))
    }

    @Test("A cluster never has more than two columns, and never more than 16 scalars")
    func limits() {
        let zalgo = Character("a" + String(repeating: "\u{301}", count: 500))
        #expect(ClusterWidths().columns(of: zalgo) == 1 && ClusterWidths().form(of: zalgo).count == 16)
        for cluster in "क्षि" { #expect(ClusterWidths().columns(of: cluster) <= 2) }
    }

    @Test("Each sample is of its kind")
    func samples() {
        for kind in ClusterKind.allCases { #expect(ClusterKind(Character(kind.sample)) == kind) }
        for cluster in "क्षि a" { #expect(ClusterKind(cluster) == nil) }
    }
}
