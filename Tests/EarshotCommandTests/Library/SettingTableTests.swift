// SPDX-License-Identifier: GPL-3.0-or-later
import EarshotTestSupport
import EpisodeLibrary
import EpisodeSources
import Media
import Testing

@testable import TerminalInterface

@Suite("Text of settings and of the action list", .clock(.utc))
struct SettingTableTests {
    @Test("Each setting is one line with its value and its description")
    func plain() throws {
        let settings = EffectiveSettings(own: ["keep-newest": "5"], general: ["keep-days": "9"])
        let lines = SettingTable(settings, podcast: 3).plain().output.split(separator: "\n")
        #expect(lines.count == SettingKey.allCases.filter(\.isPerPodcast).count)
        let line = { (key: String) in lines.first { $0.hasPrefix(key + " ") } ?? "" }
        let own = " (set for this podcast; default: off)"
        #expect(line("keep-newest").contains(" 5 ") && line("keep-newest").hasSuffix(own))
        let general = " (set for all podcasts; default: off)"
        #expect(line("keep-days").contains(" 9 ") && line("keep-days").hasSuffix(general))
        #expect(line("skip-intro").contains(" 0s ") && !line("skip-intro").hasSuffix(")"))
    }

    @Test("A general setting shows its default beside its value")
    func general() throws {
        let table = SettingTable(EffectiveSettings(general: ["speed": "1.5"]))
        let line = try #require(table.plain().output.split(separator: "\n").first { $0.hasPrefix("speed ") })
        #expect(line.contains(" 1.5 ") && line.hasSuffix(" (set; default: 1)"))
    }

    @Test("A value in wide characters keeps the columns aligned")
    func wide() throws {
        let settings = EffectiveSettings(general: ["auto-download-words": "日本"])
        let lines = SettingTable(settings).plain().output.split(separator: "\n")
        let columns = try zip(SettingKey.allCases, lines).map { key, line in
            let meaning = try #require(line.firstRange(of: "  \(key.meaning)"))
            return line[..<meaning.lowerBound].terminalColumns
        }
        #expect(columns.count == SettingKey.allCases.count && Set(columns).count == 1)
    }

    @Test("The JSON of a setting contains its origin")
    func json() throws {
        let table = SettingTable(EffectiveSettings(general: ["keep-total": "10GB"]))
        let object = try JSONDocument(parsing: table.json(.keepTotal).output)
        #expect(object["key"]?.text == "keep-total" && object["value"]?.text == "10GB")
        #expect(object["setFor"]?.text == "all" && object["default"]?.text == "off")
        #expect(object["podcast"] == .null && object["perPodcast"] == .bool(false))
    }

    @Test("A single setting is printed as its value")
    func alone() {
        #expect(SettingTable(EffectiveSettings()).plain(.refreshEvery).output == "1\n")
    }

    @Test("The list of settings shows an address without its password and key; the single value is whole")
    func secrets() throws {
        let address = "https://me:pass@host.example/search?q={words}&key=abc"
        let table = SettingTable(EffectiveSettings(general: ["directory": address]))
        let lines = [table.plain().output, table.json().output]
        #expect(lines.allSatisfy { $0.contains("https://host.example/search?q={words}&key=***") })
        #expect(lines.allSatisfy { !$0.contains("pass@") && !$0.contains("abc") })
        #expect(table.plain(.directory).output == address + "\n")
        let object = try JSONDocument(parsing: table.json(.directory).output)
        #expect(object["value"]?.text == address)
    }

    @Test("A state that undo could not restore is reported")
    func losses() throws {
        let stage = try LibraryStage()
        try stage.library.unsubscribe(try stage.subscribe())
        let undoing = try stage.library.undoLatest()
        let text = { JournalText.undone(LibraryDownloads.UndoReport(undoing: undoing, lostFiles: $0)).errors }
        #expect(text(["A"]).hasSuffix(" The file of \"A\" was deleted: \"earshot download\" downloads it again.\n"))
        #expect(text(["A", "B", "C", "D"]).contains(" 4 files were deleted (\"A\", \"B\", \"C\", ...): "))
        let trashed = LibraryDownloads.UndoReport(undoing: undoing, lostFiles: [], trashed: 29_000_000)
        let sentence = "\nIf two merged episodes both had a file, one of the files was moved to the trash, 29 MB. "
        #expect(JournalText.undone(trashed).errors.contains(sentence))
        let lost = LibraryDownloads.UndoReport(undoing: undoing, lostFiles: ["A"], trashed: 29_000_000)
        let json = JournalText.json(lost)
        #expect(try JSONDocument(parsing: json.output)["verb"]?.text == "unsubscribe")
        #expect(json.errors.hasPrefix("The file of \"A\" was deleted: ") && json.errors.contains(sentence))
    }

    @Test("A removal reports the downloads in the trash and the deleted bytes")
    func removed() throws {
        let stage = try LibraryStage()
        let id = try stage.merge([.numbered(1)], into: try stage.subscribe()).new[0]
        let episode = try stage.library.episode(id)
        let text = { LibraryRemark.removed([episode], trashed: $0, freed: $1).errors }
        #expect(text(0, 0) == "Removed: Episode 1.\n")
        let trashed = text(29_000_000, 0)
        #expect(trashed.hasPrefix("Removed: Episode 1: moved to the trash, 29 MB. \"earshot undo\" restores"))
        #expect(text(0, 2_000_000).hasSuffix("earshot: the disk is nearly full: deleted 2.0 MB from the trash\n"))
        let removals = [RetentionRule.Removal(episode: id, because: .keepTotal)]
        let tidied = LibraryRemark.tidied(.init(removals: removals, trashed: 0, freed: 2_000_000)).errors
        #expect(tidied == "keep-total: removed 1 download.\nDeleted 2.0 MB from the trash.\n")
        #expect(LibraryRemark.tidied(.init()).isEmpty && LibraryRemark.trash(count: 0, bytes: 0).isEmpty)
    }

    @Test("Found downloads are reported with the setting that counts them")
    func found() {
        let texts = (0...2).map { LibraryRemark.found($0).errors }
        #expect(texts[0] == "")
        #expect(texts[1] == "Found 1 download on the disk. \"keep-total\" counts it from the next refresh on.\n")
        #expect(texts[2] == "Found 2 downloads on the disk. \"keep-total\" counts them from the next refresh on.\n")
    }

    @Test("Every action has a text")
    func acts() throws {
        let stage = try LibraryStage()
        let podcast = try stage.subscribe()
        try stage.library.unsubscribe(podcast)
        let acts = try stage.library.acts(limit: 9)
        #expect(
            JournalText.plain(acts).output == """
                2026-01-01 00:00  unsubscribed: https://host.example/feed.xml
                2026-01-01 00:00  subscribed: https://host.example/feed.xml

                """)
        let undone = LibraryDownloads.UndoReport(undoing: try stage.library.undoLatest(), lostFiles: [])
        #expect(JournalText.failure(undone) == nil)
        let text = JournalText.undone(undone).errors
        #expect(text == "Undone: unsubscribed: https://host.example/feed.xml (2026-01-01 00:00).\n")
        #expect(JournalText.plain(try stage.library.acts(limit: 1)).output.hasSuffix("(undone)\n"))
        #expect(JournalText.plain([]).errors == "Nothing to undo.\n")
    }
}
