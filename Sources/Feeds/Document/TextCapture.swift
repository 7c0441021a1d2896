// SPDX-License-Identifier: GPL-3.0-or-later

/// The text of the element that is being read. Elements inside it are markup somebody forgot to escape: they are
/// written out again.
struct TextCapture {
    private(set) var text: [UInt8] = []
    private let limit: Int
    /// Text that is longer than the limit is cut, and stays cut.
    private var isFull = false
    /// The text is markup by declaration: what is escaped in it stays so.
    private var isMarkup = false

    init(limit: Int) {
        self.limit = limit
    }

    /// Nothing but white space so far.
    var isBlank: Bool { text.allSatisfy(ASCII.isSpace) }

    mutating func reset(isMarkup: Bool = false) {
        text.removeAll(keepingCapacity: true)
        isFull = false
        self.isMarkup = isMarkup
    }

    mutating func append(_ bytes: UnsafeBufferPointer<UInt8>) {
        if isMarkup {
            append(piece: MarkupText.escaped(bytes))
        } else {
            append(piece: bytes)
        }
    }

    private mutating func append(piece bytes: some Collection<UInt8>) {
        guard !isFull else { return }
        let room = limit - text.count
        guard bytes.count > room else { return text.append(contentsOf: bytes) }
        isFull = true
        text.append(contentsOf: bytes.prefix(room))
        // Cut at a character: neither its first byte nor its other ones may be left alone.
        guard bytes[bytes.index(bytes.startIndex, offsetBy: room)] & 0xC0 == 0x80 else { return }
        while let byte = text.popLast(), byte & 0xC0 == 0x80 {}
    }

    mutating func appendStart(_ name: String, _ attributes: ElementAttributes) {
        append(piece: "<\(name)".utf8)
        for (name, value) in attributes.all {
            append(piece: " \(name)=\"".utf8)
            append(piece: MarkupText.escaped(value))
            append(piece: "\"".utf8)
        }
        append(piece: ">".utf8)
    }

    mutating func appendEnd(_ name: String) {
        append(piece: "</\(name)>".utf8)
    }
}
