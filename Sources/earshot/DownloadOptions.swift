// SPDX-License-Identifier: GPL-3.0-or-later
import Listening
import Logging

/// What `earshot download` was asked to do.
struct DownloadOptions: Sendable {
    /// URLs and names of the library, in the order of downloading; none is all that is wanted.
    var targets: [String]
    var scope = LibraryTargets.Scope.everything
    /// Without targets: of what is wanted, these; `nil` is all.
    var wanted: [Int64]?
    /// `nil`: none was chosen.
    var episode: EpisodeChoice?
    /// Where the one episode is wanted as well: a file, or a directory.
    var file: String?
    var quiet: Bool
    var json: Bool
    /// `nil`: the folder of the XDG base directory specification.
    var keepFolder: String?
    var logLevel: Logger.Level
}
