// SPDX-License-Identifier: GPL-3.0-or-later

/// What an Atom `link` is to what it stands in (RFC 4287, 4.2.7).
struct AtomLink {
    enum Relation: Equatable {
        /// `isPage`: it is meant for a browser and not for a program.
        case alternate(isPage: Bool)
        case enclosure, next, own, other
    }

    let url: String?
    let relations: [Relation]

    init(_ leaf: FeedLeaf) {
        url = leaf.url("href")
        let type = leaf.token("type")?.lowercased()
        let isPage = type == nil || type?.contains("html") == true
        let names = (leaf.token("rel") ?? "alternate").lowercased().split(whereSeparator: \.isWhitespace)
        relations = names.map { Self.relation($0, isPage: isPage) }
    }

    /// A relation may be written as the IRI of its registration.
    private static func relation(_ name: Substring, isPage: Bool) -> Relation {
        switch name.split(separator: "/").last ?? "" {
        case "alternate": .alternate(isPage: isPage)
        case "enclosure": .enclosure
        case "next": .next
        case "self": .own
        default: .other
        }
    }
}
