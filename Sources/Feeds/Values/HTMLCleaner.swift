// SPDX-License-Identifier: GPL-3.0-or-later

/// Show notes that are safe to display: only harmless elements and attributes, absolute links, the words kept.
struct HTMLCleaner {
    /// What relative links are resolved against.
    let base: String?
    private var output: [UInt8] = []
    private var hasContent = false

    /// - Returns: nil where neither a word nor a picture is left.
    static func clean(_ html: [UInt8], base: String?) -> String? {
        var cleaner = HTMLCleaner(base: base)
        cleaner.output.reserveCapacity(html.count)
        cleaner.read(html)
        guard cleaner.hasContent else { return nil }
        return String(decoding: ASCII.trimmed(cleaner.output), as: UTF8.self)
    }

    /// Whether there is any markup, so that the text is HTML and not plain.
    static func isMarkedUp(_ text: [UInt8]) -> Bool {
        guard text.contains(UInt8(ascii: "<")) else { return false }
        return HTMLTokenizer(text).contains { token in
            if case .tag(let tag) = token { HTMLElement.kind(of: tag.name) != nil } else { false }
        }
    }

    private init(base: String?) {
        self.base = base
    }

    private mutating func read(_ html: [UInt8]) {
        var tokens = HTMLTokenizer(html)
        while let token = tokens.next() {
            switch token {
            case .text(let text): append(text: text)
            case .hidden: break
            case .tag(let tag):
                switch HTMLElement.kind(of: tag.name) {
                case .inline, .block: append(tag)
                case .hidden where !tag.isEnd: tokens.skipElement(tag.name)
                case .hidden, .dropped, nil: break
                }
            }
        }
    }

    private mutating func append(text: ArraySlice<UInt8>) {
        var rest = text
        while let byte = rest.popFirst() {
            switch byte {
            case UInt8(ascii: "<"): output.append(contentsOf: "&lt;".utf8)
            case UInt8(ascii: ">"): output.append(contentsOf: "&gt;".utf8)
            case UInt8(ascii: "&"): output.append(contentsOf: (startsReference(rest) ? "&" : "&amp;").utf8)
            default: output.append(byte)
            }
            if !hasContent, !ASCII.isSpace(byte) { hasContent = true }
        }
    }

    private func startsReference(_ rest: ArraySlice<UInt8>) -> Bool {
        let name = rest.prefix(CharacterReference.longestName).prefix(while: CharacterReference.isNameByte)
        guard name.endIndex < rest.endIndex, rest[name.endIndex] == UInt8(ascii: ";") else { return false }
        return CharacterReference.scalar(name) != nil
    }

    private mutating func append(_ tag: HTMLTokenizer.Tag) {
        if tag.isEnd, Self.voidElements.contains(tag.name) { return }
        if tag.name == "img" || tag.name == "audio" || tag.name == "video" { hasContent = true }
        output.append(contentsOf: (tag.isEnd ? "</" : "<").utf8)
        output.append(contentsOf: tag.name.utf8)
        if !tag.isEnd { appendAttributes(tag.attributes) }
        output.append(UInt8(ascii: ">"))
    }

    private mutating func appendAttributes(_ source: ArraySlice<UInt8>) {
        for attribute in AttributeScanner(source).prefix(64) {
            let name = ASCII.lowercasedString(attribute.name)
            var value: [UInt8] = []
            CharacterReference.decode(attribute.value, into: &value)
            if Self.linkAttributes.contains(name) {
                guard let link = link(value) else { continue }
                append(attribute: name, value: link)
            } else if Self.textAttributes.contains(name) {
                append(attribute: name, value: value)
            }
        }
    }

    private mutating func append(attribute name: String, value: some Sequence<UInt8>) {
        output.append(contentsOf: " \(name)=\"".utf8)
        for byte in value {
            switch byte {
            case UInt8(ascii: "\""): output.append(contentsOf: "&quot;".utf8)
            case UInt8(ascii: "&"): output.append(contentsOf: "&amp;".utf8)
            case UInt8(ascii: "<"): output.append(contentsOf: "&lt;".utf8)
            default: output.append(byte)
            }
        }
        output.append(UInt8(ascii: "\""))
    }

    /// - Returns: nil for a scheme that could do something.
    private func link(_ value: [UInt8]) -> [UInt8]? {
        // Browsers ignore control characters in a scheme, so they must not hide one here.
        let visible = value.filter { $0 > 0x20 && $0 != 0x7F }
        let parts = URLParts(visible)
        if parts.scheme == "mailto" || parts.scheme == "tel" { return visible }
        if let url = WebURL.resolve(value, base: visible.first == UInt8(ascii: "#") ? nil : base) {
            return Array(url.utf8)
        }
        let mayStandAlone = visible.first == UInt8(ascii: "#") || base == nil
        return parts.scheme == nil && mayStandAlone && !visible.isEmpty ? visible : nil
    }

    /// They have no end tag; a browser would take one for another beginning.
    private static let voidElements: Set<String> = ["br", "col", "hr", "img", "source", "wbr"]
    private static let linkAttributes: Set<String> = ["href", "src", "cite", "poster"]
    private static let textAttributes: Set<String> = [
        "alt", "title", "width", "height", "lang", "dir", "datetime", "colspan", "rowspan", "start", "value", "rel",
        "type", "controls", "open",
    ]
}
