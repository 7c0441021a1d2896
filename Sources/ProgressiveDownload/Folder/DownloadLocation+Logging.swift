// SPDX-License-Identifier: GPL-3.0-or-later
public import Logging
public import Media

/// Log entries about files. The words of a file name come from the URL, so they may be the token of a private feed.
extension DownloadLocation {
    /// The name without its words: the hash and the extension.
    var loggedName: String { String(name[EpisodeFileName.hash(in: name).startIndex...]) }

    /// Returns the metadata of a failure to read or write a file of the episode.
    public func logged(_ failure: MediaFailure) -> Logger.Metadata {
        ["file": "\(loggedName)", "error": "\(failure.reason.replacing(name, with: loggedName))"]
    }
}
