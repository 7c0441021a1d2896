// SPDX-License-Identifier: GPL-3.0-or-later
import EarshotTestSupport
import Feeds
import Testing

@testable import EpisodeLibrary

@Suite("Settings")
struct SettingsTests {
    @Test(
        "A value is parsed leniently and printed in a canonical form",
        arguments: [
            ("auto-download", "3", "3"), ("auto-download", "0", "0"), ("keep-newest", "off", "off"),
            ("keep-days", "7d", "7"), ("keep-days", "7", "7"), ("refresh-every", "6h", "6"),
            ("refresh-every", "6", "6"), ("skip-intro", "90", "1m30s"), ("skip-intro", "1m30s", "1m30s"),
            ("rewind-on-resume", "2:00", "2m"), ("rewind-on-resume", "AUTO", "auto"), ("speed", "1.50", "1.5"),
            ("speed", "2", "2"), ("speed", "0.85", "0.85"), ("trim-silence", "Mild", "mild"),
            ("trim-silence", "off", "off"), ("skip-intro", "0", "0s"), ("transcripts", "OFF", "off"),
            ("transcripts", "New", "new"), ("transcripts", "downloaded", "downloaded"),
            ("auto-download-longest", "1:30:00", "1h30m"),
            ("auto-download-shortest", "10m", "10m"),
            ("auto-download-words", "News -Repeat talk", "news talk -repeat"),
            ("auto-download-words", "-Église café", "café -église"),
            ("auto-download-words", "-repeat", "-repeat"), ("keep-total", "10GB", "10GB"),
            ("keep-total", "1.5 gb", "1500MB"), ("auto-download-cap", "1.5GiB", "1536MiB"),
            ("keep-total", "4096B", "4KiB"), ("keep-total", "999 b", "999B"), ("auto-download", "off", "0"),
            ("skip-intro", "Off", "0s"), ("rewind-on-resume", "off", "0s"),
        ])
    func written(name: String, text: String, stored: String) throws {
        let key = try SettingKey(named: name)
        let value = try SettingValue(parsing: text, for: key)
        #expect(value.description == stored)
        #expect(try SettingValue(parsing: stored, for: key) == value)
    }

    @Test(
        "An invalid value is refused with a message",
        arguments: [
            ("auto-download", "-1"), ("auto-download", "many"), ("auto-download", ""),
            ("auto-download", "99999"), ("speed", "0.4"), ("speed", "fast"), ("speed", "nan"), ("speed", "off"),
            ("transcripts", "all"),
            ("trim-silence", "much"), ("skip-intro", "auto"), ("keep-days", "7w"), ("refresh-every", "0"),
            ("skip-intro", "1m2h"),
            ("skip-intro", "5:70"),
            ("skip-intro", "1m1m"), ("skip-intro", "m"), ("skip-intro", "-5"), ("keep-total", "lots"),
            ("keep-total", "3"), ("keep-total", "3.5"), ("keep-total", "0"), ("keep-total", "0GB"),
            ("auto-download-cap", " 1000 "), ("refresh-every", "off"),
            ("keep-total", "9999999TB"), ("keep-total", "1.5.5GB"), ("keep-total", "GB"),
            ("auto-download-words", " "),
            ("auto-download-words", "-"),
        ])
    func refused(name: String, text: String) throws {
        let key = try SettingKey(named: name)
        let error = #expect(throws: LibraryError.self) { try SettingValue(parsing: text, for: key) }
        #expect(error?.kind == .invalid)
        #expect(error?.reason.contains(name) == true)
    }

    @Test("A stored size without a unit is a number of bytes")
    func storedSize() {
        #expect(SettingValue.read("4096", for: .keepTotal) == .bytes(4096))
    }

    @Test("An unknown key is refused with a list of the valid ones")
    func unknown() {
        let error = #expect(throws: LibraryError.self) { try SettingKey(named: "volume") }
        #expect(error?.kind == .invalid)
        #expect(error?.reason.contains("keep-newest") == true)
    }

    @Test("The default value of each key can be parsed", arguments: SettingKey.allCases)
    func standard(key: SettingKey) throws {
        #expect(try SettingValue(parsing: key.standard.description, for: key) == key.standard)
    }

    @Test("A podcast's own setting overrides the general one, which overrides the default")
    func order() throws {
        let stage = try LibraryStage()
        let podcast = try stage.subscribe()
        let value = { try stage.library.effectiveSettings(for: podcast)[.autoDownload] }
        #expect(try value() == .count(0))
        try stage.library.set(.autoDownload, to: .count(2))
        #expect(try value() == .count(2))
        try stage.library.set(.autoDownload, to: .count(5), for: podcast)
        #expect(try value() == .count(5))
        #expect(try stage.library.effectiveSettings()[.autoDownload] == .count(2))
        try stage.library.set(.autoDownload, to: nil as SettingValue?, for: podcast)
        #expect(try value() == .count(2))
    }

    @Test(
        "A general speed and general shorter pauses do not apply to a podcast of music, which can have its own",
        arguments: [("music", true), ("musicl", true), ("audiobook", false), (nil, false)] as [(String?, Bool)])
    func music(medium: String?, isMusic: Bool) throws {
        let stage = try LibraryStage()
        let podcast = try stage.subscribe()
        var feed = ParsedFeed.titled("Harbour Songs")
        feed.medium = medium
        try stage.merge([.numbered(1)], into: podcast, feed: feed)
        try stage.library.set(.speed, to: .number(2))
        try stage.library.set(.trimSilence, to: .choice("strong"))
        try stage.library.set(.voiceBoost, to: .choice("on"))
        for settings in [try stage.library.effectiveSettings(for: podcast), try stage.library.allSettings()[podcast]] {
            #expect(settings[.speed] == .number(isMusic ? 1 : 2))
            #expect(settings[.trimSilence] == (isMusic ? .off : .choice("strong")))
            #expect(settings[.voiceBoost] == .choice("on"))
        }
        try stage.library.set(.speed, to: .number(1.5), for: podcast)
        #expect(try stage.library.effectiveSettings(for: podcast)[.speed] == .number(1.5))
        #expect(try stage.library.effectiveSettings()[.speed] == .number(2))
    }

    @Test("A general setting cannot be set for one podcast")
    func general() throws {
        let stage = try LibraryStage()
        let podcast = try stage.subscribe()
        #expect(throws: LibraryError.self) { try stage.library.set(.keepTotal, to: .bytes(1), for: podcast) }
    }

    @Test("A value from a later version is ignored")
    func later() {
        #expect(EffectiveSettings(own: ["keep-days": "auto"], general: ["keep-days": "2"])[.keepDays] == .count(2))
    }

    @Test(
        "The download rule names the setting that prevents a download",
        arguments: [
            ([:], 1, "News", 1800, .autoDownload), (["auto-download": "2"], 2, "News", 1800, nil),
            (["auto-download": "2"], 3, "News", 1800, .autoDownload),
            (["auto-download": "2", "auto-download-words": "news"], 1, "The News", 1800, nil),
            (["auto-download": "2", "auto-download-words": "news"], 1, "Newsreel", 1800, .autoDownloadWords),
            (["auto-download": "2", "auto-download-words": "-repeat"], 1, "News (Repeat)", 1800, .autoDownloadWords),
            (["auto-download": "2", "auto-download-words": "-repeat"], 1, "News", 1800, nil),
            (["auto-download": "2", "auto-download-words": "cafe"], 1, "Café News", 1800, nil),
            (["auto-download": "2", "auto-download-words": "-église"], 1, "Eglise", 1800, .autoDownloadWords),
            (["auto-download": "2", "auto-download-shortest": "40m"], 1, "News", 1800, .autoDownloadShortest),
            (["auto-download": "2", "auto-download-longest": "20m"], 1, "News", 1800, .autoDownloadLongest),
            (["auto-download": "2", "auto-download-longest": "30m"], 1, "News", 1800, nil),
            (["auto-download": "2", "auto-download-longest": "20m"], 1, "News", nil, nil),
            (["auto-download": "2", "auto-download-cap": "1MB"], 1, "News", 1800, .autoDownloadCap),
            (["auto-download": "2", "auto-download-cap": "2MB"], 1, "News", 1800, nil),
        ] as [([String: String], Int, String, Int?, SettingKey?)])
    func rule(settings: [String: String], place: Int, title: String, seconds: Int?, refusal: SettingKey?) {
        let rule = AutoDownloadRule(EffectiveSettings(own: settings))
        let episode = AutoDownloadRule.Candidate(
            place: place, title: title, duration: seconds.map { .seconds($0) }, length: 1_000_000)
        #expect(rule.refusal(of: episode, heldBytes: 1_000_000) == refusal)
    }
}
