// SPDX-License-Identifier: GPL-3.0-or-later
import EpisodeSources
import Media
import Testing

@testable import TerminalInterface

@Suite("Options")
struct OptionsTests {
    @Test(
        "An output is parsed and printed in the same form",
        arguments: [
            ("pulse", OutputOption.pulse(sink: nil)), ("pulse:hdmi", .pulse(sink: "hdmi")), ("null", .null),
            ("null:fast", .nullFast), ("wav:a:b.wav", .wav(path: "a:b.wav")), ("raw:/tmp/x", .raw(path: "/tmp/x")),
        ])
    func output(text: String, expected: OutputOption) throws {
        #expect(try OutputOption(parsing: text) == expected)
        #expect(expected.description == text)
    }

    @Test("An invalid output is refused", arguments: ["", "pulse:", "wav", "wav:", "raw:", "null:slow", "alsa", ":x"])
    func noOutput(text: String) {
        #expect(throws: ArgumentError.self) { try OutputOption(parsing: text) }
    }

    @Test(
        "An episode is selected by order, number or name",
        arguments: [
            ("latest", EpisodeChoice.latest), ("oldest", .oldest), ("all", .all), ("3", .number(3)),
            ("The Rain", .named("The Rain")), ("urn:x-1", .named("urn:x-1")),
        ])
    func episode(text: String, expected: EpisodeChoice) throws {
        #expect(try EpisodeChoice(parsing: text) == expected)
    }

    @Test("An invalid episode selection is refused", arguments: ["", "0", "-1"])
    func noEpisode(text: String) {
        #expect(throws: ArgumentError.self) { try EpisodeChoice(parsing: text) }
    }

    static let feed: [EpisodeChoice.Candidate] = [
        .init(guid: "b", title: "Two: the rain", published: 200),
        .init(guid: "c", title: "Three", published: 300),
        .init(guid: "2", title: "One, Rain and Wind", published: 100),
        .init(guid: nil, title: "Undated", published: nil),
    ]

    @Test(
        "Episodes are ordered by date, regardless of the order in the document",
        arguments: [
            (EpisodeChoice.latest, [1]), (.oldest, [3]), (.all, [3, 2, 0, 1]), (.number(1), [1]), (.number(3), [2]),
            (.number(2), [0]), (.named("c"), [1]), (.named("RAIN the"), [0]), (.named("wind rain"), [2]),
        ])
    func chosen(choice: EpisodeChoice, expected: [Int]) throws {
        #expect(try choice.select(from: Self.feed) == expected)
    }

    @Test("Without dates the document lists the newest episode first")
    func undated() throws {
        let feed = ["x", "y"].map { EpisodeChoice.Candidate(guid: nil, title: $0, published: nil) }
        #expect(try EpisodeChoice.all.select(from: feed) == [1, 0])
    }

    @Test(
        "An episode that is not in the feed is reported as missing",
        arguments: [EpisodeChoice.number(5), .named("snow"), .named(" ")])
    func missing(choice: EpisodeChoice) {
        let failure = #expect(throws: MediaFailure.self) { try choice.select(from: Self.feed) }
        #expect(failure?.kind == .missing)
    }

    @Test("A feed without audio has no episodes to select", arguments: [EpisodeChoice.latest, .all, .number(1)])
    func empty(choice: EpisodeChoice) {
        #expect(throws: MediaFailure.self) { try choice.select(from: []) }
    }

    @Test("Each kind of failure has its own exit status, listed in the table")
    func statuses() {
        let statuses = MediaFailure.Kind.allCases.map { TerminalInterface.ExitStatus($0).rawValue }
        #expect(Set(statuses).count == statuses.count)
        #expect(statuses.allSatisfy { (64...78).contains($0) })
        for status in TerminalInterface.ExitStatus.allCases {
            #expect(TerminalInterface.ExitStatus.table.contains(status.meaning))
        }
    }

    @Test(
        "Colour and Unicode depend on the environment and the terminal",
        arguments: [
            (["LANG": "en_GB.UTF-8", "TERM": "xterm"], true, LineStyle(glyphs: .unicode, colour: true)),
            (["LANG": "en_GB.UTF-8", "TERM": "xterm", "NO_COLOR": "1"], true, LineStyle(glyphs: .unicode)),
            (["LANG": "en_GB.UTF-8", "TERM": "xterm", "NO_COLOR": ""], true, LineStyle(glyphs: .unicode, colour: true)),
            (["LANG": "en_GB.UTF-8", "LC_ALL": "C", "TERM": "xterm"], true, LineStyle(glyphs: .ascii, colour: true)),
            (["LC_CTYPE": "C.utf8", "TERM": "dumb"], true, LineStyle(glyphs: .unicode)),
            (["TERM": "xterm"], false, LineStyle(glyphs: .ascii)), ([:], true, LineStyle(glyphs: .ascii)),
        ])
    func style(environment: [String: String], isTerminal: Bool, expected: LineStyle) {
        #expect(LineStyle(isTerminal: isTerminal) { environment[$0] } == expected)
    }

    @Test("The reporter depends on the options and the terminal")
    func reporter() {
        let choose = { (quiet: Bool, json: Bool, isTerminal: Bool, term: String?) in
            ReporterChoice(quiet: quiet, json: json, isTerminal: isTerminal) { _ in term }
        }
        #expect(choose(false, false, true, "xterm") == .statusLine)
        #expect(choose(false, false, true, "dumb") == .plain)
        #expect(choose(false, false, false, "xterm") == .plain)
        #expect(choose(true, false, true, "xterm") == .quiet)
        #expect(choose(true, true, true, "xterm") == .json)
    }
}
