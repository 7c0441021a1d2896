// SPDX-License-Identifier: GPL-3.0-or-later
import Media

/// The name or the path of a group of podcasts: `Ports`, `Sea / Ports`.
struct PodcastGroup {
    /// The name, or the names of the path joined by slashes; a name may contain slashes itself.
    let name: String

    /// Returns the podcasts of the group and its subgroups. A name is that of a group at any level; if there is none,
    /// it is that of the groups with the same words, as for titles.
    func members(of podcasts: [PodcastSummary]) -> [PodcastSummary] {
        let found = [Self.trimmed, Self.words].lazy.map { fold in podcasts.filter { contains($0, fold) } }
        return found.first { !$0.isEmpty } ?? []
    }

    private func contains(_ podcast: PodcastSummary, _ fold: (String) -> String) -> Bool {
        let (text, folder) = (Self.path(name, fold), podcast.folder.map { Self.path($0, fold) })
        guard !text.isEmpty else { return false }
        return folder.contains(text) || folder.indices.contains { folder[...$0].joined(separator: "/") == text }
    }

    private static func path(_ name: String, _ fold: (String) -> String) -> String {
        name.split(separator: "/").map { fold(String($0)) }.filter { !$0.isEmpty }.joined(separator: "/")
    }

    /// Returns the name in lower case, without spaces at its ends.
    private static func trimmed(_ name: String) -> String {
        let start = name.lowercased().drop(while: \.isWhitespace)
        return String(start.reversed().drop(while: \.isWhitespace).reversed())
    }

    /// Returns the words of the name; a name of symbols has none.
    private static func words(_ name: String) -> String {
        let words = TitleFolding.words(name)
        return words.isEmpty ? trimmed(name) : words.joined(separator: " ")
    }
}

extension Library {
    /// Returns the subscribed podcasts of a group and its subgroups.
    /// - Throws: `missing` if the group has no podcast.
    public func podcasts(inGroup name: String) throws(LibraryError) -> [PodcastSummary] {
        let all = try podcasts()
        let found = PodcastGroup(name: name).members(of: all)
        guard !found.isEmpty else {
            throw LibraryError(.missing, "there is no group \"\(name)\"; \(Self.groups(of: all))")
        }
        return found
    }

    /// The maximum number of groups that an error names.
    private static let mostGroups = 20

    private static func groups(of podcasts: [PodcastSummary]) -> String {
        let paths = Set(podcasts.map { $0.folder.joined(separator: " / ") }).filter { !$0.isEmpty }.sorted()
        guard !paths.isEmpty else { return "no podcast is in a group" }
        let others = paths.count > mostGroups ? ", and \(paths.count - mostGroups) more" : ""
        return "the groups are " + paths.prefix(mostGroups).map { "\"\($0)\"" }.joined(separator: ", ") + others
    }
}
