// SPDX-License-Identifier: GPL-3.0-or-later
import EpisodeLibrary
package import EpisodeSources
import Media

extension LibraryDownloads {
    /// Moves the downloads of these episodes to the trash.
    /// - Returns: the bytes now in the trash; `nil` if the disk is too full to record the removal.
    package func removeIfPossible(_ episodes: [Int64]) throws -> Int64? {
        do {
            return try remove(episodes)
        } catch let error as LibraryError where error.kind == .full {
            return nil
        } catch let error as MediaFailure where error.kind == .inputOutput {
            return nil
        }
    }
}
