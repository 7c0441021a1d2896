// SPDX-License-Identifier: GPL-3.0-or-later

/// The fields of one head, in the order received; names are stored in lower case (RFC 9110 section 5).
public struct HeaderFields: Sendable, Equatable {
    public struct Field: Sendable, Equatable {
        public let name: String
        public let value: String
    }

    public private(set) var fields: [Field] = []

    public init() {}

    /// Returns the last value of a field; the case of the name is ignored.
    public subscript(name: String) -> String? {
        let key = name.lowercased()
        return fields.last { $0.name == key }?.value
    }

    /// Returns all values of a field; the case of the name is ignored.
    public func all(_ name: String) -> [String] {
        let key = name.lowercased()
        return fields.filter { $0.name == key }.map(\.value)
    }

    /// Adds a field, without spaces and tabs around its value.
    public mutating func append(_ name: String, _ value: String) {
        fields.append(Field(name: name.lowercased(), value: Self.trimmed(value[...])))
    }

    /// Parses one line of a head, without its line end; drops a line without a name.
    mutating func append(line: some StringProtocol) {
        guard let colon = line.firstIndex(of: ":"), colon != line.startIndex else { return }
        append(Self.trimmed(line[..<colon]), String(line[line.index(after: colon)...]))
    }

    /// Returns the text without spaces and tabs at both ends.
    static func trimmed(_ text: some StringProtocol) -> String {
        let isBlank: (Character) -> Bool = { $0 == " " || $0 == "\t" }
        let tail = text.drop(while: isBlank)
        guard let last = tail.lastIndex(where: { !isBlank($0) }) else { return "" }
        return String(tail[...last])
    }
}

extension HeaderFields {
    /// The registered content codings other than identity (RFC 9110 section 16.6.1).
    private static let codings: Set<String> = [
        "aes128gcm", "br", "compress", "dcb", "dcz", "deflate", "exi", "gzip", "pack200-gzip", "x-compress", "x-gzip",
        "zstd",
    ]

    /// The codings that Content-Encoding names. Some servers send a character set or a media type in this field, which
    /// does not count.
    var contentCoding: String? {
        let names = self["content-encoding"]?.lowercased().split(separator: ",").map(Self.trimmed) ?? []
        let codings = names.filter(Self.codings.contains)
        return codings.isEmpty ? nil : codings.joined(separator: ", ")
    }
}

extension HeaderFields: ExpressibleByDictionaryLiteral {
    public init(dictionaryLiteral elements: (String, String)...) {
        for (name, value) in elements { append(name, value) }
    }
}
