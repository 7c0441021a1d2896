// SPDX-License-Identifier: GPL-3.0-or-later

/// A start tag. It is valid as long as the bytes it was parsed from.
struct StartTag {
    /// The name as written, with its prefix.
    let name: UnsafeBufferPointer<UInt8>
    /// The index after the prefix, at which the local name begins.
    let localStart: Int
    let isEmptyElement: Bool
    /// The attributes without namespace declarations.
    private(set) var attributes = ElementAttributes()
    /// The namespace declarations; the default namespace has an empty prefix.
    private(set) var namespaces: [(prefix: String, uri: String)] = []

    /// Creates a tag without attributes.
    init(name: UnsafeBufferPointer<UInt8>, isEmptyElement: Bool) {
        self.name = name
        self.isEmptyElement = isEmptyElement
        localStart = Self.localStart(of: name)
    }

    /// - Parameter source: the bytes between `<` and `>`.
    /// - Returns: `nil` if the bytes are not a tag, or have more attributes than the limit.
    init?(_ source: UnsafeBufferPointer<UInt8>, attributeLimit: Int) {
        let isEmptyElement = source.last == UInt8(ascii: "/")
        let end = source.count - (isEmptyElement ? 1 : 0)
        let nameEnd = source[..<end].firstIndex(where: Self.endsName) ?? end
        self.init(name: UnsafeBufferPointer(rebasing: source[..<nameEnd]), isEmptyElement: isEmptyElement)
        guard Self.isName(name) else { return nil }
        guard nameEnd < end else { return }
        let rest = UnsafeBufferPointer(rebasing: source[nameEnd..<end])
        guard parseAttributes(rest, limit: attributeLimit) else { return nil }
    }

    /// The name without its prefix.
    var localName: UnsafeBufferPointer<UInt8> { UnsafeBufferPointer(rebasing: name[localStart...]) }

    static func isName(_ name: UnsafeBufferPointer<UInt8>) -> Bool {
        isName(name, upTo: endOfNameBytes(name))
    }

    /// - Parameter end: the index of the first byte that no name contains.
    static func isName(_ name: UnsafeBufferPointer<UInt8>, upTo end: Int) -> Bool {
        guard end == name.count, let first = name.first, ASCII.isLetter(first) || first == UInt8(ascii: "_") else {
            return false
        }
        return name[end - 1] != UInt8(ascii: ":")
    }

    /// - Returns: the index of the first byte that no name contains.
    static func endOfNameBytes(_ bytes: UnsafeBufferPointer<UInt8>) -> Int {
        var index = 0
        while index < bytes.count, isNameByte(bytes[index]) { index &+= 1 }
        return index
    }

    static func endsName(_ byte: UInt8) -> Bool {
        ASCII.isSpace(byte) || byte == UInt8(ascii: "/")
    }

    private static func isNameByte(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "-"), UInt8(ascii: "_"), UInt8(ascii: "."), UInt8(ascii: ":"): true
        default: ASCII.isLetterOrDigit(byte)
        }
    }

    private static func localStart(of name: UnsafeBufferPointer<UInt8>) -> Int {
        name.firstIndex(of: UInt8(ascii: ":")).map { $0 + 1 } ?? 0
    }

    private mutating func parseAttributes(_ source: UnsafeBufferPointer<UInt8>, limit: Int) -> Bool {
        var scanner = AttributeScanner(source)
        var count = 0
        while let attribute = scanner.next() {
            // XML itself declares the prefix `xml`. libxml2 omits a declaration of it, too.
            guard Self.isName(attribute.name), !ASCII.equals(attribute.name, "xmlns:xml") else { continue }
            count += 1
            guard count <= limit else { return false }
            record(attribute)
        }
        return true
    }

    private mutating func record(_ attribute: AttributeScanner.Attribute) {
        let start = Self.localStart(of: attribute.name)
        let prefix = UnsafeBufferPointer(rebasing: attribute.name[..<max(0, start - 1)])
        let local = UnsafeBufferPointer(rebasing: attribute.name[start...])
        if ASCII.equals(prefix, "xmlns") || start == 0 && ASCII.equals(local, "xmlns") {
            declare(start == 0 ? "" : String(decoding: local, as: UTF8.self), attribute.decodedValue)
        } else {
            set(local, prefix: prefix, attribute.decodedValue)
        }
    }

    /// Reserves space for so many attributes.
    mutating func reserve(_ count: Int) {
        attributes.reserve(count)
    }

    /// Stores a namespace declaration; the default namespace has an empty prefix.
    mutating func declare(_ prefix: String, _ uri: [UInt8]) {
        namespaces.append((prefix, String(decoding: uri, as: UTF8.self)))
    }

    /// Stores an attribute under its lower-case name, without its prefix unless that is `xml:`.
    mutating func set(_ local: UnsafeBufferPointer<UInt8>, prefix: UnsafeBufferPointer<UInt8>, _ value: [UInt8]) {
        let name = ASCII.lowercasedString(local)
        attributes.set(ASCII.equals(prefix, "xml") ? "xml:" + name : name, value)
    }
}

/// The decoded attributes of a start tag.
struct ElementAttributes {
    private var values: [(name: String, value: [UInt8])] = []

    mutating func reserve(_ count: Int) {
        values.reserveCapacity(count)
    }

    mutating func set(_ name: String, _ value: [UInt8]) {
        values.append((name, value))
    }

    /// - Parameter name: in lower case.
    subscript(_ name: String) -> [UInt8]? {
        values.first { $0.name == name }?.value
    }

    var all: [(name: String, value: [UInt8])] { values }
}
