// SPDX-License-Identifier: GPL-3.0-or-later
import Subscriptions
import TerminalInterface
import Testing

@Suite("Results of a directory")
struct DirectoryTextTests {
    private static let tales = PodcastDirectory.Entry(
        title: "Harbour Tales", feedURL: "https://host.example/a.xml", author: "Port", episodeCount: 1)
    private static let news = PodcastDirectory.Entry(title: "Harbour News", feedURL: "https://host.example/b.xml")

    @Test("Only an exact title is confirmed, only at a terminal; the number of a result needs no question")
    func steps() {
        let step = { (words: String, number: Int?, canAsk: Bool) in
            DirectoryText.step([Self.news, Self.tales], for: words, number: number, canAsk: canAsk)
        }
        #expect(step("harbour  TALES", nil, true) == .confirm(Self.tales))
        #expect(step("harbour tales", nil, false) == .list)
        #expect(step("harbour", nil, true) == .list)
        #expect(step("harbour", 1, false) == .subscribe(Self.news))
        #expect(step("harbour news", 2, true) == .subscribe(Self.tales))
        #expect(step("harbour", 3, false) == .list)
        let twice = DirectoryText.step([Self.news, Self.news], for: "harbour news", number: nil, canAsk: true)
        #expect(twice == .list)
    }

    @Test("Results are numbered")
    func list() {
        #expect(
            DirectoryText.plain([Self.tales, Self.news]) == [
                .output("1  Harbour Tales by Port (1 episode)\n   https://host.example/a.xml\n"),
                .output("2  Harbour News\n   https://host.example/b.xml\n"),
            ])
        #expect(DirectoryText.chosen(" 2 ", from: [Self.tales, Self.news]) == Self.news)
        for answer in ["", "0", "3", "x"] { #expect(DirectoryText.chosen(answer, from: [Self.tales]) == nil) }
        #expect(DirectoryText.isYes("Yes\n") && !DirectoryText.isYes("") && !DirectoryText.isYes("no"))
    }

    @Test("A long title and a long author are shortened, and a list that is cut says so")
    func long() {
        let text = String(repeating: "a", count: 5000)
        let entry = PodcastDirectory.Entry(
            title: text, feedURL: "https://host.example/a.xml", author: text, episodeCount: 12)
        let shown = String(repeating: "a", count: 117) + "..."
        #expect(
            DirectoryText.plain([entry]) == [
                .output("1  \(shown) by \(shown) (12 episodes)\n   https://host.example/a.xml\n")
            ])
        let remark = "The directory found more than 500 podcasts: search for more words to find fewer.\n"
        #expect(DirectoryText.cut(after: 500) == .error(remark))
    }

    @Test(
        "Words are not addresses",
        arguments: [
            ("harbour", true), ("harbour tales", true), ("Dr. Sea live", true), ("host.example", false), ("-", false),
            ("localhost:80", false), ("https://host.example/a b", false), ("feed:x", false), ("99", true),
        ])
    func words(argument: String, expected: Bool) {
        #expect(DirectoryText.isWord(argument) == expected)
    }

    @Test(
        "Among words, all arguments but URLs are words",
        arguments: [
            (["Dr.", "Death"], true), (["Reply", "All:", "the", "story"], true), (["the", "a/b", "show"], true),
            (["host.example", "host.example/b"], false), (["harbour", "https://host.example/"], false),
            (["harbour", "-"], false), (["host.example"], false), (["harbour"], true),
        ])
    func titles(arguments: [String], expected: Bool) {
        #expect(DirectoryText.areWords(arguments) == expected)
    }
}
