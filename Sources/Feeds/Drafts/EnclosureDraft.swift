// SPDX-License-Identifier: GPL-3.0-or-later

/// The audio files of an item without duplicate URLs, ranked by reliability: `enclosure`, Atom links, Media RSS.
struct EnclosureDraft {
    private var enclosed: [ParsedEnclosure] = []
    private var linked: [ParsedEnclosure] = []
    private var media: [ParsedEnclosure] = []
    /// The child elements of an unfinished enclosure. RDF allows them instead of attributes.
    private var properties: [FeedElement: FeedLeaf] = [:]
    /// Items have one or two enclosures; hundreds would be an attack on the comparison.
    private static let limit = 100

    /// Reads a child element of an enclosure.
    mutating func describe(_ leaf: FeedLeaf) {
        properties[leaf.element] = leaf
    }

    /// Reads an `enclosure` after its child elements.
    mutating func enclosed(_ leaf: FeedLeaf) -> ParsedEnclosure? {
        defer { properties = [:] }
        guard let url = Self.address(of: leaf) ?? properties[.enclosureURL]?.reference else { return nil }
        let type = leaf.token("type") ?? properties[.enclosureType]?.token
        let length = leaf.byteCount("length") ?? properties[.enclosureLength]?.ordinal.map(Int64.init)
        let enclosure = ParsedEnclosure(url: url, type: type?.lowercased(), length: length)
        Self.add(enclosure, to: &enclosed)
        return enclosure
    }

    mutating func linked(_ enclosure: ParsedEnclosure?) {
        Self.add(enclosure, to: &linked)
    }

    /// - Returns: true if the enclosure is audio or video. Media RSS also carries pictures and pages.
    @discardableResult
    mutating func media(_ enclosure: ParsedEnclosure?, medium: String?) -> Bool {
        guard let enclosure, Self.isSound(enclosure, medium: medium?.lowercased()) else { return false }
        Self.add(enclosure, to: &media)
        return true
    }

    var all: [ParsedEnclosure] {
        (enclosed + linked + media).reduce(into: []) { all, next in
            if let index = all.firstIndex(where: { $0.url == next.url }) {
                all[index] = all[index].completed(by: next)
            } else {
                all.append(next)
            }
        }
    }

    /// Returns true if the medium or the type is audio or video. If neither is given, or the type is the unspecific
    /// `application`, the file extension decides.
    private static func isSound(_ enclosure: ParsedEnclosure, medium: String?) -> Bool {
        let kind = enclosure.type?.split(separator: "/").first.map(String.init)
        let said = [medium, kind == "application" ? nil : kind].compactMap(\.self)
        return said.contains("audio") || said.contains("video") || said.isEmpty && enclosure.isNamedLikeSound
    }

    /// Returns the URL in the attributes. Some publishers write the attribute of Atom's link. The last two are those of
    /// RDF: a reference, and the description of the file in an enclosure without attributes.
    private static func address(of leaf: FeedLeaf) -> String? {
        ["url", "href", "resource", "about"].first { leaf.attributes[$0] != nil }.flatMap { leaf.url($0) }
    }

    private static func add(_ enclosure: ParsedEnclosure?, to list: inout [ParsedEnclosure]) {
        guard let enclosure, list.count < limit else { return }
        list.append(enclosure)
    }
}

extension FeedLeaf {
    /// The URL in the reference or in the text of an RDF property.
    fileprivate var reference: String? { url("resource") ?? url }
}

extension ParsedEnclosure {
    /// Returns the enclosure with missing fields filled from another description of the same file.
    fileprivate func completed(by other: ParsedEnclosure) -> ParsedEnclosure {
        ParsedEnclosure(url: url, type: type ?? other.type, length: length ?? other.length)
    }
}
