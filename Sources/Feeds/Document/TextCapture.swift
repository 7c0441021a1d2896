// SPDX-License-Identifier: GPL-3.0-or-later

/// The text of the element that is being read. Elements inside it are markup that the publisher did not escape; they
/// are serialized again.
struct TextCapture {
    private(set) var text: [UInt8] = []
    private let limit: Int
    /// True if the text was cut at the limit. Later text is then dropped.
    private var isFull = false
    /// True if the element declares its text to be markup. Escaped characters in it stay escaped.
    private var isMarkup = false

    init(limit: Int) {
        self.limit = limit
    }

    /// True if the text is empty or only white space.
    var isBlank: Bool { text.allSatisfy(ASCII.isSpace) }

    mutating func reset(isMarkup: Bool = false) {
        text.removeAll(keepingCapacity: true)
        isFull = false
        self.isMarkup = isMarkup
    }

    mutating func append(_ bytes: UnsafeBufferPointer<UInt8>) {
        if isMarkup { append(escaping: bytes) } else { append(piece: bytes) }
    }

    private mutating func append(escaping bytes: UnsafeBufferPointer<UInt8>) {
        MarkupText.forEachPart(of: bytes) { append(piece: $0) }
    }

    private mutating func append(_ text: StaticString) {
        text.withUTF8Buffer { append(piece: $0) }
    }

    private mutating func append(_ name: String) {
        var name = name
        name.withUTF8 { append(piece: $0) }
    }

    private mutating func append(piece bytes: UnsafeBufferPointer<UInt8>) {
        guard !isFull else { return }
        let room = limit - text.count
        guard bytes.count > room else { return text.append(contentsOf: bytes) }
        isFull = true
        text.append(contentsOf: bytes.prefix(room))
        // Cut at a character boundary: remove the incomplete character at the end.
        guard bytes[room] & 0xC0 == 0x80 else { return }
        while let byte = text.popLast(), byte & 0xC0 == 0x80 {}
    }

    mutating func appendStart(_ name: String, _ attributes: ElementAttributes) {
        append("<")
        append(name)
        for (name, value) in attributes.all {
            append(" ")
            append(name)
            append("=\"")
            value.withUnsafeBufferPointer { append(escaping: $0) }
            append("\"")
        }
        append(">")
    }

    mutating func appendEnd(_ name: String) {
        append("</")
        append(name)
        append(">")
    }
}
