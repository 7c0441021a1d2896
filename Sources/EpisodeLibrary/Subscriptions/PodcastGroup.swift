// SPDX-License-Identifier: GPL-3.0-or-later
import Media

/// A group of podcasts, by its name or its path: `Ports`, `Sea / Ports`.
struct PodcastGroup {
    /// The name, or the names of the path joined by slashes; a name may contain slashes itself.
    let name: String
    /// The path in lower case.
    private let exactPath: String

    init(name: String) {
        (self.name, exactPath) = (name, Self.path(name, Self.trimmed))
    }

    /// Returns true if the podcast is in the group or a subgroup. The group may be at any level.
    func contains(_ podcast: PodcastSummary) -> Bool {
        !exactPath.isEmpty && Self.names(in: podcast.folder).contains { Self.path($0, Self.trimmed) == exactPath }
    }

    /// Returns the groups that a name means, as they are spelled: the group with that name; if there is none, those
    /// with the same words, as for titles.
    static func groups(named name: String, in podcasts: [PodcastSummary]) -> [PodcastGroup] {
        let names = podcasts.flatMap { Self.names(in: $0.folder) }
        let found = [Self.trimmed, Self.words].lazy.map { fold -> [String] in
            let wanted = path(name, fold)
            return wanted.isEmpty ? [] : names.filter { path($0, fold) == wanted }
        }
        let groups = (found.first { !$0.isEmpty } ?? []).map(PodcastGroup.init(name:))
        var seen: Set<String> = []
        return groups.filter { seen.insert($0.exactPath).inserted }
    }

    /// Returns the names and the paths of nested groups.
    private static func names(in folder: [String]) -> [String] {
        folder + folder.indices.map { folder[...$0].joined(separator: " / ") }
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
        let (all, groups) = try groups(named: name)
        return all.filter { podcast in groups.contains { $0.contains(podcast) } }
    }

    /// Returns the group that a name means.
    /// - Throws: `missing` if the group has no podcast; `ambiguous` if the name means several groups.
    func group(named name: String) throws(LibraryError) -> PodcastGroup {
        let groups = try groups(named: name).groups
        guard groups.count == 1 else {
            throw LibraryError("\"\(name)\" matches several groups", choices: groups.map(\.name).sorted())
        }
        return groups[0]
    }

    /// - Returns: all subscribed podcasts, and the groups, at least one.
    private func groups(
        named name: String
    ) throws(LibraryError) -> (podcasts: [PodcastSummary], groups: [PodcastGroup]) {
        let all = try podcasts()
        let groups = PodcastGroup.groups(named: name, in: all)
        guard !groups.isEmpty else {
            throw LibraryError(.missing, "there is no group \"\(name)\"; \(Self.groups(of: all))")
        }
        return (all, groups)
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
