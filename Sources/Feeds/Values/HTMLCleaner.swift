// SPDX-License-Identifier: GPL-3.0-or-later
import Media

/// Makes show notes safe to display: keeps harmless elements and attributes, absolute links and all words.
struct HTMLCleaner {
    /// The base URL of relative links.
    let base: String?
    private var output: [UInt8] = []
    private var hasContent = false

    /// - Returns: `nil` if neither a word nor a picture is left.
    static func clean(_ html: [UInt8], base: String?) -> String? {
        var cleaner = HTMLCleaner(base: base)
        cleaner.output.reserveCapacity(html.count)
        html.withUnsafeBufferPointer { cleaner.read($0) }
        guard cleaner.hasContent else { return nil }
        return String(text: ASCII.trimmed(cleaner.output))
    }

    /// Returns true if the text contains markup and so is HTML rather than plain text.
    static func isMarkedUp(_ text: [UInt8]) -> Bool {
        guard text.contains(UInt8(ascii: "<")) else { return false }
        return text.withUnsafeBufferPointer { text in
            HTMLTokenizer(text).contains { token in
                if case .tag(let tag) = token { HTMLElement.kind(of: tag.name) != nil } else { false }
            }
        }
    }

    private init(base: String?) {
        self.base = base
    }

    private mutating func read(_ html: UnsafeBufferPointer<UInt8>) {
        var tokens = HTMLTokenizer(html)
        while let token = tokens.next() {
            switch token {
            case .text(let text): append(text: text)
            case .hidden: break
            case .tag(let tag):
                switch HTMLElement.kind(of: tag.name) {
                case .inline, .block: append(tag)
                case .hidden where !tag.isEnd:
                    // Code is not for display, even if its element never ends.
                    let isCode = tag.name == "script" || tag.name == "style"
                    if !tokens.skipElement(tag.name), isCode { tokens.skipRest() }
                case .hidden, .dropped, .foreign, nil: break
                }
            }
        }
    }

    private mutating func append(text: UnsafeBufferPointer<UInt8>) {
        if !hasContent { hasContent = !text.allSatisfy(ASCII.isSpace) }
        var index = 0
        if text.first == UInt8(ascii: "<") {
            output.append(contentsOf: "&lt;".utf8)
            index = 1
        }
        while index < text.count {
            let end = ByteScan.firstIndex(of: UInt8(ascii: "&"), or: UInt8(ascii: ">"), in: text, from: index)
            output.append(contentsOf: UnsafeBufferPointer(rebasing: text[index..<end]))
            guard end < text.count else { return }
            if text[end] == UInt8(ascii: ">") {
                output.append(contentsOf: "&gt;".utf8)
            } else if CharacterReference.reference(in: text, at: end) != nil {
                output.append(UInt8(ascii: "&"))
            } else {
                output.append(contentsOf: "&amp;".utf8)
            }
            index = end + 1
        }
    }

    private mutating func append(_ tag: HTMLTokenizer.Tag) {
        if tag.isEnd, Self.voidElements[tag.name] != nil { return }
        if !hasContent, Self.pictures[tag.name] != nil { hasContent = true }
        if tag.attributes.isEmpty, tag.isLowercase { return output.append(contentsOf: tag.source) }
        output.append(UInt8(ascii: "<"))
        if tag.isEnd { output.append(UInt8(ascii: "/")) }
        tag.name.append(to: &output)
        if !tag.isEnd, !tag.attributes.isEmpty { appendAttributes(tag.attributes) }
        output.append(UInt8(ascii: ">"))
    }

    private mutating func appendAttributes(_ source: UnsafeBufferPointer<UInt8>) {
        for attribute in AttributeScanner(source).prefix(64) {
            guard attribute.name.count <= 8 else { continue }
            let name = HTMLName(attribute.name)
            guard let isLink = Self.attributes[name] else { continue }
            if !attribute.value.contains(UInt8(ascii: "&")) {
                append(name, attribute.value, isLink: isLink)
            } else {
                var value: [UInt8] = []
                CharacterReference.decode(attribute.value, into: &value)
                value.withUnsafeBufferPointer { append(name, $0, isLink: isLink) }
            }
        }
    }

    private mutating func append(_ name: HTMLName, _ value: UnsafeBufferPointer<UInt8>, isLink: Bool) {
        if !isLink || WebURL.isPlain(value) {
            append(name, value)
        } else if let link = link(value) {
            link.withUnsafeBufferPointer { append(name, $0) }
        }
    }

    private mutating func append(_ name: HTMLName, _ value: UnsafeBufferPointer<UInt8>) {
        output.append(UInt8(ascii: " "))
        name.append(to: &output)
        output.append(UInt8(ascii: "="))
        output.append(UInt8(ascii: "\""))
        append(escaping: value)
        output.append(UInt8(ascii: "\""))
    }

    private mutating func append(escaping value: UnsafeBufferPointer<UInt8>) {
        var start = 0
        while start < value.count {
            let end = ByteScan.firstIndex(in: value, from: start) {
                ByteScan.hits(of: UInt8(ascii: "\""), in: $0) | ByteScan.hits(of: UInt8(ascii: "&"), in: $0)
                    | ByteScan.hits(of: UInt8(ascii: "<"), in: $0)
            }
            output.append(contentsOf: UnsafeBufferPointer(rebasing: value[start..<end]))
            guard end < value.count else { return }
            switch value[end] {
            case UInt8(ascii: "\""): output.append(contentsOf: "&quot;".utf8)
            case UInt8(ascii: "&"): output.append(contentsOf: "&amp;".utf8)
            default: output.append(contentsOf: "&lt;".utf8)
            }
            start = end + 1
        }
    }

    /// - Returns: `nil` for a scheme that could execute code or open another program.
    private func link(_ value: UnsafeBufferPointer<UInt8>) -> [UInt8]? {
        // Browsers ignore control characters in a scheme, so control characters must not hide one here.
        let visible = value.filter { $0 > 0x20 && $0 != 0x7F }
        let scheme = WebURL(String(text: visible)).scheme
        if scheme == "mailto" || scheme == "tel" { return visible }
        if let url = WebURL.resolve(value, base: visible.first == UInt8(ascii: "#") ? nil : base) {
            return Array(url.utf8)
        }
        let mayStandAlone = visible.first == UInt8(ascii: "#") || base == nil
        return scheme == nil && mayStandAlone && !visible.isEmpty ? visible : nil
    }

    private static let pictures = HTMLNameTable(["img", "audio", "video"], true)
    /// Elements without an end tag; a browser would read such an end tag as another start tag.
    private static let voidElements = HTMLNameTable(["br", "col", "hr", "img", "source", "wbr"], true)
    /// The allowed attributes; true if the value is a link.
    private static let attributes: HTMLNameTable<Bool> = {
        var attributes = HTMLNameTable(
            [
                "alt", "title", "width", "height", "lang", "dir", "datetime", "colspan", "rowspan", "start", "value",
                "rel", "type", "controls", "open",
            ], false)
        for name: HTMLName in ["href", "src", "cite", "poster"] { attributes.set(name, true) }
        return attributes
    }()
}
