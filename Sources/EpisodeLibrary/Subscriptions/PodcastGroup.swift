// SPDX-License-Identifier: GPL-3.0-or-later

/// The name or the path of a group of podcasts: `Ports`, `Sea / Ports`. Letters match in any case.
public struct PodcastGroup: Sendable, Equatable {
    private let path: [String]

    /// - Returns: `nil` if the name is empty.
    public init?(_ name: String) {
        path = name.split(separator: "/").map { Self.folded(String($0)) }.filter { !$0.isEmpty }
        if path.isEmpty { return nil }
    }

    /// True if the group or one of its subgroups contains the podcast. A name is that of a group at any level.
    public func contains(_ podcast: PodcastSummary) -> Bool {
        let folder = podcast.folder.map(Self.folded)
        return folder.starts(with: path) || path.count == 1 && folder.contains(path[0])
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
