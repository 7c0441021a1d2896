// SPDX-License-Identifier: GPL-3.0-or-later
import EarshotTestSupport
import EpisodeLibrary
import EpisodeSources
import Feeds
import Sessions
import Testing

@testable import TerminalInterface

@Suite("Explanation of the state of an episode", .clock(.utc))
struct EpisodeStoryTests {
    private struct Setting {
        let stage: LibraryStage
        let podcast: Int64

        init() throws {
            stage = try LibraryStage()
            podcast = try stage.subscribe()
            try stage.merge([.numbered(2, title: "The storm"), .numbered(1, title: "Fog")], into: podcast)
            stage.pass(.seconds(3600))
        }

        /// The explanation of "The storm".
        var story: EpisodeExplanation {
            get throws { try story(of: 2) }
        }

        func story(of episode: Int64) throws -> EpisodeExplanation {
            let folders = CompositionRoot.keepFolders(stage.directory.path("kept"))
            let rules = LibraryRules(stage.library, LibraryDownloads(stage.library, in: folders))
            return try EpisodeExplanation(stage.library.record(of: episode), in: stage.library, rules)
        }

        func says(_ sentence: String) throws -> Bool { try story.sentences.contains(sentence) }
    }

    @Test("An untouched episode is explained completely")
    func untouched() throws {
        #expect(
            try Setting().story.sentences == [
                "\"The storm\" is episode 2 of \"Harbour Tales\".",
                "It is in the feed.",
                "It was first seen on 2026-01-01 00:00.",
                "Its entry in the feed has not changed since then.",
                "It is unplayed.",
                "It is not in the queue.",
                "It is not downloaded.",
                "Not downloaded automatically: auto-download is 0 (the default).",
            ])
    }

    @Test("The explanation says why the episode is shown or hidden")
    func shown() throws {
        let setting = try Setting()
        try setting.stage.merge([.numbered(1, title: "Fog")], into: setting.podcast)
        #expect(try setting.says(
            "It is hidden: it left the feed on 2026-01-01 01:00, and you have not used it."))
        try setting.stage.library.enqueue([2])
        #expect(try setting.says(
            "It left the feed on 2026-01-01 01:00, but Earshot keeps it because you queued it."))
        try setting.stage.library.unsubscribe(setting.podcast)
        #expect(try setting.says("It is hidden: you unsubscribed from its podcast on 2026-01-01 01:00."))
    }

    @Test(
        "The explanation names the evidence that identified a changed episode",
        arguments: [
            (ParsedEpisode.numbered(2, title: "The great storm"), "Earshot recognized it by its GUID."),
            (.numbered(2, guid: "other"), "its GUID was different: Earshot recognized it by its audio URL."),
            (
                .numbered(2, guid: "other", title: "The storm", url: "https://host.example/x.mp3"),
                "its GUID and audio URL were different: Earshot recognized it by title, date and duration."
            ),
        ])
    func identity(episode: ParsedEpisode, evidence: String) throws {
        let setting = try Setting()
        try setting.stage.merge([episode], into: setting.podcast)
        #expect(try setting.says("When its entry last changed, \(evidence)"))
    }

    @Test("The explanation says when and how much was played")
    func played() throws {
        let setting = try Setting()
        try setting.stage.library.save(
            .init(position: .seconds(90), heard: .seconds(30) ..< .seconds(90)), of: 2, .act)
        #expect(try setting.says("Your position is 1:30 of 30:00, saved on 2026-01-01 01:00."))
        #expect(try setting.says("You have played 1:00 of it."))
        setting.stage.pass(.seconds(60))
        try setting.stage.library.finish(2, heard: nil)
        #expect(try setting.says("You played it to the end on 2026-01-01 01:01."))
        setting.stage.pass(.seconds(60))
        try setting.stage.library.mark([2], played: true)
        #expect(try setting.says("It was marked as played on 2026-01-01 01:02."))
    }

    @Test("The explanation says who requested the download and its state")
    func download() throws {
        let setting = try Setting()
        let library = setting.stage.library
        try library.requestDownload(2, by: .rule)
        #expect(try setting.says("Its automatic download was requested on 2026-01-01 01:00."))
        #expect(try setting.says("Download: pending, nothing received yet."))
        try library.noteDownload(2, .partial, total: 2_000_000, extents: [0..<1_200_000])
        #expect(try setting.says("Download: incomplete, 1.2 MB of 2.0 MB."))
        try library.removeDownloads([2])
        #expect(try setting.says("It has been in the trash since 2026-01-01 01:00: \"earshot download\" restores it."))
        try library.forgetDownload(2)
        #expect(try setting.says("It was removed on 2026-01-01 01:00: \"earshot download\" downloads it again."))
    }

    @Test(
        "Only a complete download is called downloaded",
        arguments: [
            (Download.Reason.listener, "You requested its download on ", "You downloaded it on "),
            (
                .playing, "You used its audio on 2026-01-01 01:00, which ",
                "You used its audio on 2026-01-01 01:00, so it was "
            ),
            (.rule, "Its automatic download was requested on ", "It was downloaded automatically on "),
        ])
    func completeness(reason: Download.Reason, pending: String, complete: String) throws {
        let setting = try Setting()
        let library = setting.stage.library
        try library.requestDownload(2, by: reason)
        #expect(try setting.story.sentences.contains { $0.hasPrefix(pending) })
        try library.noteDownload(2, .complete, total: 2, extents: [0..<2])
        #expect(try setting.story.sentences.contains { $0.hasPrefix(complete) })
    }

    @Test("The explanation names the setting that prevents an automatic download")
    func rule() throws {
        let setting = try Setting()
        let library = setting.stage.library
        try library.set(.autoDownload, to: .count(1))
        #expect(try setting.says("The next \"earshot refresh\" downloads it."))
        #expect(try setting.story(of: 1).refusal == .autoDownload)
        try library.set(.keepTotal, to: .bytes(999_999))
        #expect(try setting.story.refusal == .keepTotal)
        try library.set(.autoDownloadWords, to: TitleWords("fog -storm").map(SettingValue.words), for: setting.podcast)
        #expect(try setting.says(
            "Not downloaded automatically: auto-download-words is fog -storm for this podcast."))
    }

    @Test("The explanation names the setting that stops an automatic download that is incomplete")
    func stopped() throws {
        let setting = try Setting()
        let library = setting.stage.library
        try library.set(.autoDownload, to: .count(1))
        try library.requestDownload(2, by: .rule)
        #expect(try setting.story.sentences.contains { $0.hasPrefix("Not downloaded automatically") } == false)
        try library.set(.keepTotal, to: .bytes(999_999))
        #expect(try setting.story.sentences.contains { $0.hasPrefix("Not downloaded automatically: keep-total is ") })
        try library.requestDownload(2, by: .listener)
        #expect(try setting.story.sentences.contains { $0.hasPrefix("Not downloaded automatically") } == false)
    }

    @Test("The actions on an episode are listed, the latest first")
    func acts() throws {
        let setting = try Setting()
        try setting.stage.library.enqueue([2])
        try setting.stage.library.enqueue([1])
        try setting.stage.library.rename(setting.podcast, to: "Harbour")
        try setting.stage.library.rename(setting.podcast, to: nil)
        #expect(try setting.story.acts.map(\.verb) == [.rename, .queue, .subscribe])
        let text = try setting.story.plain().output
        #expect(text.hasSuffix(
            """
            Changes to the episode and its podcast:
              2026-01-01 01:00  renamed: Harbour Tales
              2026-01-01 01:00  changed the queue: The storm
              2026-01-01 00:00  subscribed: https://host.example/feed.xml

            """))
        let object = try JSONDocument(parsing: try setting.story.json().output)
        #expect(object["shown"] == .bool(true))
        #expect(object["refusedBy"]?.text == "auto-download")
    }

    @Test("Only settings of its podcast are among the actions on an episode")
    func settings() throws {
        let setting = try Setting()
        try setting.stage.library.set(.keepDays, to: .count(7), for: setting.podcast)
        try setting.stage.library.set(.keepDays, to: .count(9))
        #expect(try setting.story.acts.map(\.subject).first == "keep-days of Harbour Tales")
        _ = try setting.stage.library.undo()
        _ = try setting.stage.library.undo()
        #expect(try setting.story.acts.first?.isUndone == true)
    }
}
