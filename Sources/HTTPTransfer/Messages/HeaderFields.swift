// SPDX-License-Identifier: GPL-3.0-or-later

/// The fields of one head, in the order they came; names are kept in lower case (RFC 9110 section 5).
public struct HeaderFields: Sendable, Equatable {
    public struct Field: Sendable, Equatable {
        public let name: String
        public let value: String
    }

    public private(set) var fields: [Field] = []

    public init() {}

    /// The last value of a field, in any case of its name.
    public subscript(name: String) -> String? {
        let key = name.lowercased()
        return fields.last { $0.name == key }?.value
    }

    public func all(_ name: String) -> [String] {
        let key = name.lowercased()
        return fields.filter { $0.name == key }.map(\.value)
    }

    public mutating func append(_ name: String, _ value: String) {
        fields.append(Field(name: name.lowercased(), value: Self.trimmed(value[...])))
    }

    /// Takes one line of a head without its line end; a line without a name is dropped.
    mutating func append(line: some StringProtocol) {
        guard let colon = line.firstIndex(of: ":"), colon != line.startIndex else { return }
        append(Self.trimmed(line[..<colon]), String(line[line.index(after: colon)...]))
    }

    /// Without spaces and tabs at either end.
    static func trimmed(_ text: some StringProtocol) -> String {
        let isBlank: (Character) -> Bool = { $0 == " " || $0 == "\t" }
        let tail = text.drop(while: isBlank)
        guard let last = tail.lastIndex(where: { !isBlank($0) }) else { return "" }
        return String(tail[...last])
    }
}

extension HeaderFields: ExpressibleByDictionaryLiteral {
    public init(dictionaryLiteral elements: (String, String)...) {
        for (name, value) in elements { append(name, value) }
    }
}
