// SPDX-License-Identifier: GPL-3.0-or-later
package import EpisodeSources

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
    package var session: SessionOptions

    package init(
        targets: [String], scope: LibraryTargets.Scope = .everything, wanted: [Int64]? = nil,
        episode: EpisodeChoice? = nil, file: String? = nil, session: SessionOptions
    ) {
        self.targets = targets
        self.scope = scope
        self.wanted = wanted
        self.episode = episode
        self.file = file
        self.session = session
    }
}
