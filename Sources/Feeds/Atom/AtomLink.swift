// SPDX-License-Identifier: GPL-3.0-or-later

/// An Atom `link` and its relation to the element that contains it (RFC 4287, 4.2.7).
struct AtomLink {
    enum Relation: Equatable {
        /// `isPage` is true if the link is for a browser rather than a program.
        case alternate(isPage: Bool)
        case enclosure, next, previousArchive, own, other
    }

    let url: String?
    let relations: [Relation]

    init(_ leaf: FeedLeaf) {
        url = leaf.url("href")
        let type = leaf.attributes["type"].map(ASCII.trimmed) ?? []
        let isPage = type.isEmpty || ASCII.range(of: "html", in: type) != nil
        let names = leaf.attributes["rel"]?.split(whereSeparator: ASCII.isSpace) ?? []
        relations = names.isEmpty ? [.alternate(isPage: isPage)] : names.map { Self.relation($0, isPage: isPage) }
    }

    /// Returns the relation for a name, which may be the IRI of its registration.
    private static func relation(_ name: ArraySlice<UInt8>, isPage: Bool) -> Relation {
        switch ASCII.lowercasedString(name.split(separator: UInt8(ascii: "/")).last ?? []) {
        case "alternate": .alternate(isPage: isPage)
        case "enclosure": .enclosure
        case "next": .next
        case "prev-archive": .previousArchive
        case "self": .own
        default: .other
        }
    }
}
