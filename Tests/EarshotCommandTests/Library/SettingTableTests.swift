// SPDX-License-Identifier: GPL-3.0-or-later
import EarshotTestSupport
import EpisodeLibrary
import Testing

@testable import TerminalInterface

@Suite("Settings and the journal in words", .clock(.utc))
struct SettingTableTests {
    @Test("each setting is a line with what it is and what it means")
    func plain() throws {
        let settings = HeldSettings(own: ["keep-newest": "5"], general: ["keep-days": "9"])
        let lines = SettingTable(settings, podcast: 3).plain().output.split(separator: "\n")
        #expect(lines.count == SettingKey.allCases.filter(\.isPerPodcast).count)
        let line = { (key: String) in lines.first { $0.hasPrefix(key + " ") } ?? "" }
        #expect(line("keep-newest").contains(" 5 ") && line("keep-newest").hasSuffix("(set for this podcast)"))
        #expect(line("keep-days").contains(" 9 ") && line("keep-days").hasSuffix("(set)"))
        #expect(line("skip-intro").contains(" 0s ") && !line("skip-intro").hasSuffix(")"))
    }

    @Test("as JSON it says where it comes from")
    func json() throws {
        let table = SettingTable(HeldSettings(general: ["keep-total": "10GB"]))
        let object = try JSONDocument(parsing: table.json([.keepTotal]).output)
        #expect(object["key"]?.text == "keep-total" && object["value"]?.text == "10GB")
        #expect(object["setFor"]?.text == "all" && object["default"]?.text == "off")
        #expect(object["podcast"] == .null && object["perPodcast"] == .bool(false))
    }

    @Test("alone it is its value")
    func alone() {
        #expect(SettingTable(HeldSettings()).plain(.refreshEvery).output == "1\n")
    }

    @Test("every act has words")
    func acts() throws {
        let stage = try LibraryStage()
        let podcast = try stage.subscribe()
        try stage.library.unsubscribe(podcast)
        let acts = try stage.library.acts(limit: 9)
        #expect(
            ActText.plain(acts).output == """
                2026-01-01 00:00  unsubscribed: https://host.example/feed.xml
                2026-01-01 00:00  subscribed: https://host.example/feed.xml

                """)
        let undone = ActText.undone(try stage.library.undo(), lost: 0)
        #expect(undone.errors == "Undone: unsubscribed: https://host.example/feed.xml (2026-01-01 00:00).\n")
        #expect(ActText.plain(try stage.library.acts(limit: 1)).output.hasSuffix("(undone)\n"))
        #expect(ActText.plain([]).errors == "There is nothing to undo.\n")
    }
}
