// SPDX-License-Identifier: GPL-3.0-or-later
public import Feeds
import Media

extension Library {
    /// Returns the first alternate enclosure of an episode in a format that Earshot plays, other than `url`; `nil` if
    /// the feed lists none.
    public func alternateAudio(of episode: Int64, besides url: String) throws(LibraryError) -> ParsedEnclosure? {
        guard let details = try notes(of: episode).details, details.contains("\"alternateEnclosures\"") else {
            return nil
        }
        do throws(JSONError) {
            let listed = try JSONValue(parsing: details)["alternateEnclosures"]?.elements ?? []
            return listed.lazy.compactMap { ParsedAlternateEnclosure($0).audio }.first { $0.url != url }
        } catch {
            throw LibraryError(.damaged, "the details of episode \(episode) are not JSON")
        }
    }
}

extension ParsedAlternateEnclosure {
    /// - Parameter json: an element of the details that the library stores.
    fileprivate init(_ json: JSONValue) {
        self.init()
        sources = (json["sources"]?.elements ?? []).compactMap { source in
            source["uri"]?.string.map { Source(uri: $0, type: source["type"]?.string) }
        }
        (type, length) = (json["type"]?.string, json["length"]?.integer)
    }
}
