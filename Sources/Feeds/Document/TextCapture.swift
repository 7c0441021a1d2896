// SPDX-License-Identifier: GPL-3.0-or-later

/// The text of the element that is being read. Elements inside it are markup somebody forgot to escape: they are
/// written out again.
struct TextCapture {
    private(set) var text: [UInt8] = []
    private let limit: Int
    /// Text that is longer than the limit is cut, and stays cut.
    private var isFull = false

    init(limit: Int) {
        self.limit = limit
    }

    mutating func reset() {
        text.removeAll(keepingCapacity: true)
        isFull = false
    }

    mutating func append(_ bytes: some Collection<UInt8>) {
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
        append("<\(name)".utf8)
        for (name, value) in attributes.all {
            append(" \(name)=\"".utf8)
            append(Self.escaped(value))
            append("\"".utf8)
        }
        append(">".utf8)
    }

    mutating func appendEnd(_ name: String) {
        append("</\(name)>".utf8)
    }

    private static func escaped(_ value: [UInt8]) -> [UInt8] {
        value.flatMap { byte -> [UInt8] in
            switch byte {
            case UInt8(ascii: "\""): Array("&quot;".utf8)
            case UInt8(ascii: "&"): Array("&amp;".utf8)
            default: [byte]
            }
        }
    }
}
