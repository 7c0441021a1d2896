// SPDX-License-Identifier: GPL-3.0-or-later
package import EpisodeSources
package import Logging

/// The options of `earshot download`.
package struct DownloadOptions: Sendable {
    /// URLs and names in the library, in download order; if empty, all pending episodes.
    package var targets: [String]
    package var scope = LibraryTargets.Scope.everything
    /// Without targets: the pending episodes to download; `nil` for all.
    package var wanted: [Int64]?
    /// The value of `--episode`; `nil` if it is absent.
    package var episode: EpisodeChoice?
    /// The file or folder for a copy of the episode.
    package var file: String?
    package var quiet: Bool
    package var json: Bool
    /// The download folder; `nil` for that of the XDG base directory specification.
    package var keepFolder: String?
    package var logLevel: Logger.Level

    package init(
        targets: [String], scope: LibraryTargets.Scope = .everything, wanted: [Int64]? = nil,
        episode: EpisodeChoice? = nil, file: String? = nil, quiet: Bool, json: Bool, keepFolder: String? = nil,
        logLevel: Logger.Level
    ) {
        self.targets = targets
        self.scope = scope
        self.wanted = wanted
        self.episode = episode
        self.file = file
        self.quiet = quiet
        self.json = json
        self.keepFolder = keepFolder
        self.logLevel = logLevel
    }
}
