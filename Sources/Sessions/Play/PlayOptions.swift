// SPDX-License-Identifier: GPL-3.0-or-later
package import AudioProcessing
package import EpisodeSources
package import Media
package import Playback
package import TerminalInterface

/// The options of `earshot play`.
package struct PlayOptions: Sendable {
    /// URLs, paths and names in the library, in playing order; if empty, the last episode and the queue.
    package var targets: [String]
    package var scope: LibraryTargets.Scope
    /// The value of `--episode`; `nil` if it is absent.
    package var episode: EpisodeChoice?
    package var output: OutputOption
    package var from: TimeTarget?
    package var until: TimeTarget?
    /// The gain, 0 ... 1.5.
    package var volume: Double
    /// The speed of all items; `nil` for that of each podcast.
    package var speed: Double?
    /// `nil` for that of each podcast.
    package var silenceTrimming: SilenceTrimming?
    package var sleep: SleepTimer?
    package var repeatMode: RepeatMode
    package var session: SessionOptions
    /// True if standard input contains commands instead of keys.
    package var readsCommands: Bool

    package init(
        targets: [String], scope: LibraryTargets.Scope, episode: EpisodeChoice? = nil, output: OutputOption,
        from: TimeTarget? = nil, until: TimeTarget? = nil, volume: Double, speed: Double? = nil,
        silenceTrimming: SilenceTrimming? = nil, sleep: SleepTimer? = nil, repeatMode: RepeatMode,
        session: SessionOptions, readsCommands: Bool
    ) {
        self.targets = targets
        self.scope = scope
        self.episode = episode
        self.output = output
        self.from = from
        self.until = until
        self.volume = volume
        self.speed = speed
        self.silenceTrimming = silenceTrimming
        self.sleep = sleep
        self.repeatMode = repeatMode
        self.session = session
        self.readsCommands = readsCommands
    }
}

/// The options of `earshot feed parse`.
package struct FeedParseOptions: Sendable {
    /// A URL, a path, or `-` for standard input.
    package var source: String
    package var url: String?
    package var contentType: String?
    /// True to report repairs.
    package var tellsRepairs: Bool

    package init(
        source: String, url: String? = nil, contentType: String? = nil, tellsRepairs: Bool
    ) {
        self.source = source
        self.url = url
        self.contentType = contentType
        self.tellsRepairs = tellsRepairs
    }
}
