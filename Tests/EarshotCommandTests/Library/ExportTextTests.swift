// SPDX-License-Identifier: GPL-3.0-or-later
import EarshotTestSupport
import EpisodeLibrary
import Feeds
import Media
import Subscriptions
import Testing

@testable import TerminalInterface

@Suite("Export of the library as lines of JSON")
struct ExportTextTests {
    private func lines(_ stage: LibraryStage) throws -> [JSONDocument] {
        try texts(stage).map { try JSONDocument(parsing: $0) }
    }

    private func texts(_ stage: LibraryStage) throws -> [String] {
        let podcasts = try stage.library.podcasts()
        return try ExportText(stage.library, ExportedAddresses(podcasts, withSecrets: true))
            .lines(podcasts, at: UTCTime(secondsSince1970: LibraryStage.newYear))
    }

    @Test("An export has podcasts with groups and settings, episodes with their state and actions, and no passwords")
    func everything() throws {
        let stage = try LibraryStage()
        let login = Login(user: "me", password: "hunter2")
        let podcast = try stage.library.subscribe(
            Subscription(feedURL: "https://host.example/feed", folder: ["Sea"], login: login)).id
        let url = "https://me:hunter2@host.example/2.mp3"
        try stage.merge([.numbered(3), .numbered(2, url: url), .numbered(1)], into: podcast)
        try stage.library.set(.keepNewest, to: .count(5), for: podcast)
        try stage.library.set(.keepDays, to: .count(9))
        try stage.library.save(.init(position: .seconds(9), version: "v", heard: .zero ..< .seconds(9)), of: 2, .act)
        try stage.library.addBookmark(2, at: .seconds(4), title: "here")
        try stage.library.requestDownload(2, by: .listener)
        try stage.library.enqueue([3, 2])
        let lines = try lines(stage)
        #expect(lines.map { $0["kind"]?.text } == ["library", "podcast", "episode", "episode"])
        #expect(lines[0]["settings"] == .object(["keep-days": .string("9")]))
        #expect(lines[1]["folder"] == .array([.string("Sea")]))
        #expect(lines[1]["settings"] == .object(["keep-newest": .string("5")]))
        #expect(lines[2]["guid"]?.text == "g2" && lines[2]["position"]?.number == 9)
        #expect(lines[2]["enclosureURL"]?.text == "https://host.example/2.mp3")
        #expect(lines[2]["queuePlace"]?.number == 2 && lines[3]["queuePlace"]?.number == 1)
        #expect(lines[2]["listened"] == .array([.array([.number(0), .number(9)])]))
        #expect(lines[2]["download"]?["state"]?.text == "wanted")
        let text = try texts(stage).joined()
        #expect(!text.contains("hunter2"))
    }

    @Test("An unsubscribed podcast is not exported")
    func unsubscribed() throws {
        let stage = try LibraryStage()
        let podcast = try stage.subscribe()
        try stage.merge([.numbered(1)], into: podcast)
        try stage.library.mark([1], played: true)
        try stage.library.unsubscribe(podcast)
        #expect(try lines(stage).map { $0["kind"]?.text } == ["library"])
    }

    @Test(
        "A setting whose address has a password or a token is left out",
        arguments: [
            ("https://me:hunter2@host.example/?q={words}", false, false),
            ("https://host.example/?q={words}&key=hunter2", false, false),
            ("https://me:hunter2@host.example/?q={words}", true, false),
            ("https://host.example/?q={words}&key=hunter2", true, true),
            ("https://host.example/?q={words}", false, true),
        ])
    func secretSetting(url: String, withSecrets: Bool, isExported: Bool) throws {
        let stage = try LibraryStage()
        try stage.library.set(.directory, to: .search(url))
        let addresses = ExportedAddresses([], withSecrets: withSecrets)
        let lines = try ExportText(stage.library, addresses).lines([], at: stage.library.currentTime)
        let header = try #require(lines.first)
        #expect(header.contains("directory") == isExported)
        let omitted = try addresses.secretSettings(of: stage.library)
        let remark = "The private value of \"directory\" was left out. After an import, set it again."
        #expect(
            ExportText.remarks([], settings: omitted, addresses) == (isExported ? [] : [LibraryRemark.message(remark)]))
    }
}
