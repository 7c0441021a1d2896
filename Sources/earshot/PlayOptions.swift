// SPDX-License-Identifier: GPL-3.0-or-later
import Listening
import Logging
import Playback
import TerminalInterface

/// What `earshot play` was asked to do.
struct PlayOptions: Sendable {
    /// URLs, paths and names of the library, in the order of playing; none is where the listener was, and the queue.
    var targets: [String]
    var scope: LibraryTargets.Scope
    /// `nil`: none was chosen.
    var episode: EpisodeChoice?
    var output: OutputOption
    var from: TimeTarget?
    var until: TimeTarget?
    /// 0 ... 1.5.
    var volume: Double
    var repeatMode: RepeatMode
    var quiet: Bool
    var json: Bool
    /// `nil`: the folder of the XDG base directory specification.
    var keepFolder: String?
    var logLevel: Logger.Level
    /// Whether standard input carries commands rather than keys.
    var readsCommands: Bool
}

/// What `earshot feed parse` was asked to do.
struct FeedParseOptions: Sendable {
    /// A URL, a path, or `-` for standard input.
    var source: String
    var url: String?
    var contentType: String?
    /// Whether to say what was repaired.
    var tellsRepairs: Bool
}
