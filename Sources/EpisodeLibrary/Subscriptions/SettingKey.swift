// SPDX-License-Identifier: GPL-3.0-or-later

/// The settings, for all podcasts or for one.
public enum SettingKey: String, Sendable, CaseIterable {
    case autoDownload = "auto-download"
    case autoDownloadWords = "auto-download-words"
    case autoDownloadShortest = "auto-download-shortest"
    case autoDownloadLongest = "auto-download-longest"
    case autoDownloadCap = "auto-download-cap"
    case keepNewest = "keep-newest"
    case keepDays = "keep-days"
    case keepTotal = "keep-total"
    case refreshEvery = "refresh-every"
    case skipIntro = "skip-intro"
    case skipOutro = "skip-outro"
    case rewindOnResume = "rewind-on-resume"
    case speed
    case trimSilence = "trim-silence"
    case loudness
    case loudnessPerPodcast = "loudness-per-podcast"
    case voiceBoost = "voice-boost"
    case transcripts
    case skipHiddenChapters = "skip-hidden-chapters"
    case directory
    case remember
    case stayAwake = "stay-awake"
    case pauseForSleep = "pause-for-sleep"
    case notify

    /// Parses the name of a setting.
    /// - Throws: `invalid` with the existing names.
    public init(named name: String) throws(LibraryError) {
        guard let key = SettingKey(rawValue: name) else {
            let names = Self.allCases.map(\.rawValue).joined(separator: ", ")
            throw LibraryError(.invalid, "there is no setting \"\(name)\"; the settings are \(names)")
        }
        self = key
    }

    /// The description of the setting, as a phrase without a full stop.
    public var meaning: String {
        switch self {
        case .autoDownload: "how many of the newest episodes of a podcast are downloaded automatically"
        case .autoDownloadWords: "download only titles with one of these words, and none with a -word"
        case .autoDownloadShortest: "download only episodes of at least this duration"
        case .autoDownloadLongest: "download only episodes of at most this duration"
        case .autoDownloadCap: "how many bytes automatic downloads may use; no more start at this limit"
        case .keepNewest:
            "how many of the newest downloads of a podcast are kept; refresh moves the others to the trash"
        case .keepDays: "how many days after playback refresh moves a download to the trash"
        case .keepTotal:
            "how many bytes downloads and trash may use; refresh deletes trash, then automatic downloads"
        case .refreshEvery: "how many hours pass before a feed is refreshed again"
        case .skipIntro: "how much of the beginning is skipped"
        case .skipOutro: "how much of the end is skipped, if the exact duration is known"
        case .rewindOnResume: "how far playback rewinds when it resumes"
        case .speed: "how fast episodes are played, with unchanged pitch"
        case .trimSilence: "how much pauses in speech are shortened"
        case .loudness: "the loudness to which each episode is brought"
        case .loudnessPerPodcast:
            "whether one gain applies to all episodes of a podcast, which keeps their relative loudness"
        case .voiceBoost: "whether voices are made easier to understand in noise"
        case .transcripts:
            "which transcripts are fetched: of episodes that you download or play, or also of new ones"
        case .skipHiddenChapters: "whether chapters that the publisher leaves out of the table of contents are skipped"
        case .remember: "what play uses again from the last playback on a sound device"
        case .stayAwake: "whether the machine stays awake while sound plays"
        case .pauseForSleep: "whether playback pauses before the machine sleeps"
        case .notify: "whether the desktop shows the new episodes of a refresh without a terminal"
        case .directory: "where subscribe searches for podcasts by name"
        }
    }

    /// The kind of value.
    public var kind: SettingValue.Kind {
        switch self {
        case .autoDownload, .keepNewest: .count(0...10_000, unit: nil)
        case .keepDays: .count(0...10_000, unit: "d")
        case .refreshEvery: .count(1...8_760, unit: "h")
        case .speed: .number(0.5...3.5)
        case .trimSilence: .choice(["mild", "medium", "strong"])
        case .loudness: .loudness(-23...(-14))
        case .loudnessPerPodcast, .voiceBoost, .skipHiddenChapters, .stayAwake, .pauseForSleep, .notify:
            .choice(["on"])
        case .transcripts: .choice(["downloaded", "new"])
        case .autoDownloadWords: .words
        case .autoDownloadShortest, .autoDownloadLongest, .skipIntro, .skipOutro: .duration
        case .rewindOnResume: .durationOrAutomatic
        case .directory: .search
        case .remember: .choice(["volume", "output", "both"])
        case .autoDownloadCap, .keepTotal: .bytes
        }
    }

    /// The default value.
    public var standard: SettingValue {
        switch self {
        case .autoDownload: .count(0)
        case .refreshEvery: .count(1)
        case .skipIntro, .skipOutro, .rewindOnResume: .duration(.zero)
        case .speed: .number(1)
        case .transcripts: .choice("downloaded")
        case .remember: .choice("volume")
        case .stayAwake, .pauseForSleep, .notify: .choice("on")
        case .autoDownloadWords, .autoDownloadShortest, .autoDownloadLongest, .autoDownloadCap, .keepNewest,
            .keepDays, .keepTotal, .trimSilence, .loudness, .loudnessPerPodcast, .voiceBoost,
            .skipHiddenChapters, .directory:
            .off
        }
    }

    /// True if the general value does not apply to podcasts of music.
    var isForSpeech: Bool { self == .speed || self == .trimSilence }

    /// True if the setting can differ between podcasts; false if it limits all podcasts together.
    public var isPerPodcast: Bool {
        ![.autoDownloadCap, .keepTotal, .directory, .remember, .stayAwake, .pauseForSleep, .notify].contains(self)
    }
}
