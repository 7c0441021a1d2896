// SPDX-License-Identifier: GPL-3.0-or-later

extension StartTag {
    /// Creates a tag from the arguments of libxml2's `startElementNs`.
    ///
    /// - Parameters:
    ///   - source: the tag from `<` on.
    ///   - namespaces: pairs of a prefix and a URI.
    ///   - attributes: groups of a local name, a prefix, a URI, and the start and the end of a value.
    ///   - limit: the maximum number of attributes.
    /// - Returns: `nil` if `MarkupRepairer` would read the tag in another way.
    init?(
        _ source: UnsafeBufferPointer<UInt8>, _ namespaces: LibXML2.Strings, _ attributes: LibXML2.Strings, limit: Int
    ) {
        guard namespaces.count / 2 + attributes.count / 5 <= limit else { return nil }
        let rest = UnsafeBufferPointer(rebasing: source.dropFirst())
        let nameEnd = Self.endOfNameBytes(rest)
        self.init(
            name: UnsafeBufferPointer(rebasing: rest[..<nameEnd]), isEmptyElement: source.last == UInt8(ascii: "/"))
        guard Self.isName(self.name, upTo: nameEnd), nameEnd == rest.count || Self.endsName(rest[nameEnd]) else {
            return nil
        }
        for index in stride(from: 0, to: namespaces.count, by: 2) {
            guard declare(namespaces[index], namespaces[index + 1]) else { return nil }
        }
        if !attributes.isEmpty { reserve(attributes.count / 5) }
        for index in stride(from: 0, to: attributes.count, by: 5) {
            guard set(LibXML2.Strings(rebasing: attributes[index..<(index + 5)])) else { return nil }
        }
    }

    private mutating func declare(_ prefix: UnsafePointer<UInt8>?, _ uri: UnsafePointer<UInt8>?) -> Bool {
        let prefix = LibXML2.bytes(prefix)
        guard let uri = LibXML2.decoded(LibXML2.bytes(uri)) else { return false }
        if prefix.isEmpty || Self.isName(prefix) { declare(String(decoding: prefix, as: UTF8.self), uri) }
        return true
    }

    private mutating func set(_ attribute: LibXML2.Strings) -> Bool {
        let local = LibXML2.bytes(attribute[0])
        let prefix = LibXML2.bytes(attribute[1])
        guard let start = attribute[3], let end = attribute[4],
            let value = LibXML2.decoded(UnsafeBufferPointer(start: start, count: end - start))
        else { return false }
        // As in the repairer, attributes with other names are left out.
        if Self.isName(local), prefix.isEmpty || Self.isName(prefix) { set(local, prefix: prefix, value) }
        return true
    }
}
