// SPDX-License-Identifier: GPL-3.0-or-later
import EpisodeSources
import Logging

/// The options of `earshot download`.
struct DownloadOptions: Sendable {
    /// URLs and names in the library, in download order; if empty, all pending episodes.
    var targets: [String]
    var scope = LibraryTargets.Scope.everything
    /// Without targets: the pending episodes to download; `nil` for all.
    var wanted: [Int64]?
    /// The value of `--episode`; `nil` if it is absent.
    var episode: EpisodeChoice?
    /// The file or folder for a copy of the episode.
    var file: String?
    var quiet: Bool
    var json: Bool
    /// The download folder; `nil` for that of the XDG base directory specification.
    var keepFolder: String?
    var logLevel: Logger.Level
}
