// SPDX-License-Identifier: GPL-3.0-or-later

/// An element's or attribute's name during a SAX callback: zero-terminated UTF-8.
struct SAXName {
    let local: UnsafePointer<UInt8>
    let prefix: UnsafePointer<UInt8>?
    /// The namespace; nil also for a prefix that was never declared.
    let uri: UnsafePointer<UInt8>?
}

/// A start tag's attributes during a SAX callback.
struct SAXAttributes {
    /// Five pointers an attribute: local name, prefix, URI, value's begin, value's end.
    let fields: UnsafeBufferPointer<UnsafePointer<UInt8>?>

    /// The attributes as values. Names in lower case and without their prefix, but for `xml:`.
    func copied() -> ElementAttributes {
        var attributes = ElementAttributes()
        for field in stride(from: 0, to: fields.count, by: 5) {
            guard let local = fields[field], let start = fields[field + 3], let end = fields[field + 4] else {
                continue
            }
            let isXML = fields[field + 1].map { String(cString: $0) == "xml" } ?? false
            let name = String(cString: local).lowercased()
            attributes.set(
                isXML ? "xml:" + name : name, Self.value(UnsafeBufferPointer(start: start, count: end - start)))
        }
        return attributes
    }

    /// libxml2 hands `&` on as `&#38;` as long as it is not told to substitute entities.
    private static func value(_ bytes: UnsafeBufferPointer<UInt8>) -> [UInt8] {
        guard bytes.contains(UInt8(ascii: "&")) else { return Array(bytes) }
        let escape = Array("&#38;".utf8)
        var value: [UInt8] = []
        var rest = bytes[...]
        while let byte = rest.first {
            value.append(byte)
            rest = rest.dropFirst(rest.starts(with: escape) ? escape.count : 1)
        }
        return value
    }
}

/// A start tag's attributes as values.
struct ElementAttributes {
    private var values: [(name: String, value: [UInt8])] = []

    mutating func set(_ name: String, _ value: [UInt8]) {
        values.append((name, value))
    }

    /// - Parameter name: in lower case.
    subscript(_ name: String) -> [UInt8]? {
        values.first { $0.name == name }?.value
    }

    var all: [(name: String, value: [UInt8])] { values }
}
