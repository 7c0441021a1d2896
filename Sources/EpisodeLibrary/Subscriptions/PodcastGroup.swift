// SPDX-License-Identifier: GPL-3.0-or-later

/// The name or the path of a group of podcasts: `Ports`, `Sea / Ports`. Letters match in any case.
public struct PodcastGroup: Sendable, Equatable {
    /// The name, or the names of the path joined by slashes; a name may contain slashes itself.
    private let text: String

    /// - Returns: `nil` if the name is empty.
    public init?(_ name: String) {
        text = Self.normalized(name)
        if text.isEmpty { return nil }
    }

    /// True if the group or one of its subgroups contains the podcast. A name is that of a group at any level.
    public func contains(_ podcast: PodcastSummary) -> Bool {
        let folder = podcast.folder.map(Self.normalized)
        return folder.contains(text) || folder.indices.contains { folder[...$0].joined(separator: "/") == text }
    }

    private static func normalized(_ name: String) -> String {
        name.split(separator: "/").map { folded(String($0)) }.filter { !$0.isEmpty }.joined(separator: "/")
    }

    private static func folded(_ name: String) -> String {
        let start = name.lowercased().drop(while: \.isWhitespace)
        return String(start.reversed().drop(while: \.isWhitespace).reversed())
    }
}

extension Library {
    /// Returns the subscribed podcasts of a group and its subgroups.
    /// - Throws: `missing` if the group has no podcast.
    public func podcasts(inGroup name: String) throws(LibraryError) -> [PodcastSummary] {
        let found = try PodcastGroup(name).map { group throws(LibraryError) in try podcasts().filter(group.contains) }
        guard let found, !found.isEmpty else { throw LibraryError(.missing, "there is no group \"\(name)\"") }
        return found
    }
}
