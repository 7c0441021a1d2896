// SPDX-License-Identifier: GPL-3.0-or-later
import EpisodeSources
import Logging
import Playback
import TerminalInterface

/// The options of `earshot play`.
struct PlayOptions: Sendable {
    /// URLs, paths and names in the library, in playing order; if empty, the last episode and the queue.
    var targets: [String]
    var scope: LibraryTargets.Scope
    /// The value of `--episode`; `nil` if it is absent.
    var episode: EpisodeChoice?
    var output: OutputOption
    var from: TimeTarget?
    var until: TimeTarget?
    /// The gain, 0 ... 1.5.
    var volume: Double
    var repeatMode: RepeatMode
    var quiet: Bool
    var json: Bool
    /// The download folder; `nil` for that of the XDG base directory specification.
    var keepFolder: String?
    var logLevel: Logger.Level
    /// True if standard input contains commands instead of keys.
    var readsCommands: Bool
}

/// The options of `earshot feed parse`.
struct FeedParseOptions: Sendable {
    /// A URL, a path, or `-` for standard input.
    var source: String
    var url: String?
    var contentType: String?
    /// True to report repairs.
    var tellsRepairs: Bool
}
