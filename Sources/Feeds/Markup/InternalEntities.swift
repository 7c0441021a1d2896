// SPDX-License-Identifier: GPL-3.0-or-later

/// The texts that a document declares under names of its own, as old feeds do with HTML's characters.
///
/// Only what stands in the document itself counts, so nothing is opened; and what grows is bounded, so no memory is to
/// be had by it. Any other reference stays as it is written.
/// Source: XML 1.0, 4.2 to 4.5.
struct InternalEntities {
    private let limits: FeedLimits
    /// What stands between the brackets of the DOCTYPE, so far.
    private var subset: [UInt8] = []
    private var texts: [[UInt8]: [UInt8]] = [:]
    /// How many bytes may still come of references.
    private var room: Int

    init(limits: FeedLimits) {
        self.limits = limits
        room = limits.expandedBytes
    }

    var isEmpty: Bool { texts.isEmpty }

    mutating func append(_ byte: UInt8) {
        subset.append(byte)
    }

    /// The DOCTYPE is over.
    mutating func declare() {
        var scanner = EntityScanner(subset)
        while let (name, value) = scanner.next() {
            guard texts[name] == nil else { continue }
            // Of those before it only: none can contain itself.
            let text = Self.replacing(value) { Self.character($0) ?? texts[Array($0)] }
            if text.count <= limits.entityBytes { texts[name] = text }
        }
        subset = []
    }

    /// - Parameter name: one that XML and HTML do not know.
    /// - Returns: nil where it was not declared, or too much came of others.
    mutating func text(of name: some Sequence<UInt8>) -> [UInt8]? {
        guard let text = texts[Array(name)], text.count <= room else { return nil }
        room -= text.count
        return text
    }

    /// A tag with the texts in its attributes.
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

    /// What XML and HTML know by themselves.
    private static func character(_ name: ArraySlice<UInt8>) -> [UInt8]? {
        guard let scalar = name.withUnsafeBufferPointer(CharacterReference.scalar) else { return nil }
        var character: [UInt8] = []
        XMLCharacterFilter.append(scalar, to: &character)
        return character
    }
}
