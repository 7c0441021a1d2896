// SPDX-License-Identifier: GPL-3.0-or-later

/// The entities that a document declares in its DOCTYPE, as old feeds do with HTML's characters.
///
/// Only declarations in the document itself count, so no external resource is opened, and the expansion is bounded,
/// so references cannot exhaust memory. Any other reference stays as written.
/// Source: XML 1.0, 4.2 to 4.5.
struct InternalEntities {
    private let limits: FeedLimits
    /// The text between the brackets of the DOCTYPE, so far.
    private var subset: [UInt8] = []
    private var texts: [[UInt8]: [UInt8]] = [:]
    /// The number of bytes that references may still expand to.
    private var room: Int

    init(limits: FeedLimits) {
        self.limits = limits
        room = limits.expandedBytes
    }

    var isEmpty: Bool { texts.isEmpty }

    mutating func append(_ byte: UInt8) {
        subset.append(byte)
    }

    /// Parses the declarations at the end of the DOCTYPE.
    mutating func declare() {
        var scanner = EntityScanner(subset)
        while let (name, value) = scanner.next() {
            guard texts[name] == nil else { continue }
            // A value may refer only to entities declared before it, so that no entity can contain itself.
            let text = Self.replacing(value) { Self.character($0) ?? texts[Array($0)] }
            if text.count <= limits.entityBytes { texts[name] = text }
        }
        subset = []
    }

    /// - Parameter name: a name that neither XML nor HTML defines.
    /// - Returns: `nil` if the name was not declared, or its text exceeds the remaining expansion limit.
    mutating func text(of name: some Sequence<UInt8>) -> [UInt8]? {
        guard let text = texts[Array(name)], text.count <= room else { return nil }
        room -= text.count
        return text
    }

    /// Returns a tag with the entities in its attributes expanded.
    mutating func replacing(in tag: [UInt8]) -> [UInt8] {
        Self.replacing(tag) { name in
            Self.character(name) == nil ? text(of: name).map(MarkupText.escaped) : nil
        }
    }

    static func isNameByte(_ byte: UInt8) -> Bool {
        CharacterReference.isNameByte(byte) || "-_.:".utf8.contains(byte)
    }

    private static func replacing(_ source: [UInt8], by text: (ArraySlice<UInt8>) -> [UInt8]?) -> [UInt8] {
        var result: [UInt8] = []
        var rest = source[...]
        while let start = rest.firstIndex(of: UInt8(ascii: "&")) {
            result.append(contentsOf: rest[..<start])
            let name = rest[(start + 1)...].prefix(while: isNameByte)
            rest = rest[name.endIndex...]
            if rest.first == UInt8(ascii: ";"), let text = text(name) {
                result.append(contentsOf: text)
                rest = rest.dropFirst()
            } else {
                result.append(contentsOf: source[start..<name.endIndex])
            }
        }
        return result + rest
    }

    /// Returns the character of a name that XML or HTML defines.
    private static func character(_ name: ArraySlice<UInt8>) -> [UInt8]? {
        guard let scalar = name.withUnsafeBufferPointer(CharacterReference.scalar) else { return nil }
        var character: [UInt8] = []
        XMLCharacterFilter.append(scalar, to: &character)
        return character
    }
}
