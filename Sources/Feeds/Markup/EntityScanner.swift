// SPDX-License-Identifier: GPL-3.0-or-later

/// Finds `<!ENTITY name "value">` in the internal subset of a DOCTYPE. Ignores external entities and parameter
/// entities (`%`).
struct EntityScanner {
    private let subset: [UInt8]
    private var index = 0

    init(_ subset: [UInt8]) {
        self.subset = subset
    }

    mutating func next() -> (name: [UInt8], value: [UInt8])? {
        while index < subset.count {
            if starts("<!--") {
                skipComment()
            } else if starts("<!entity") {
                index += 8
                if let entity = entity() { return entity }
            } else {
                index += 1
            }
        }
        return nil
    }

    private mutating func entity() -> (name: [UInt8], value: [UInt8])? {
        defer { skipDeclaration() }
        skipSpace()
        let name = subset[index...].prefix(while: InternalEntities.isNameByte)
        index = name.endIndex
        skipSpace()
        guard !name.isEmpty, index < subset.count, "\"'".utf8.contains(subset[index]) else { return nil }
        let value = subset[(index + 1)...].prefix { $0 != subset[index] }
        guard value.endIndex < subset.count else { return nil }
        index = value.endIndex + 1
        return (Array(name), Array(value))
    }

    /// Skips the rest of a declaration; a `>` inside quotes does not end it.
    private mutating func skipDeclaration() {
        while index < subset.count, subset[index] != UInt8(ascii: ">") {
            let isQuote = "\"'".utf8.contains(subset[index])
            if isQuote { index = subset[(index + 1)...].prefix { $0 != subset[index] }.endIndex }
            index += 1
        }
    }

    private mutating func skipSpace() {
        while index < subset.count, ASCII.isSpace(subset[index]) { index += 1 }
    }

    private mutating func skipComment() {
        index += 4
        while index < subset.count, !starts("-->") { index += 1 }
    }

    private func starts(_ text: StaticString) -> Bool {
        let slice = subset[index...].prefix(text.utf8CodeUnitCount)
        return slice.withUnsafeBufferPointer { ASCII.equalsIgnoringCase($0, text) }
    }
}
