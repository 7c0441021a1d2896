// SPDX-License-Identifier: GPL-3.0-or-later
public import Feeds
import Media

extension Library {
    /// Returns the first alternate enclosure of an episode in a format that Earshot plays, other than `url`; `nil` if
    /// the feed lists none.
    public func alternateAudio(of episode: Int64, besides url: String) throws(LibraryError) -> ParsedEnclosure? {
        guard let details = try notes(of: episode).details else { return nil }
        do throws(JSONError) {
            return try DetailDocument.alternateEnclosures(in: details).lazy.compactMap(\.audio).first { $0.url != url }
        } catch {
            throw LibraryError(.damaged, "the details of episode \(episode) are not JSON")
        }
    }
}
