// SPDX-License-Identifier: GPL-3.0-or-later
import Media

/// Makes show notes safe to display: keeps harmless elements and attributes, absolute links and all words.
struct HTMLCleaner {
    /// The base URL of relative links.
    let base: String?
    private var output: [UInt8] = []
    private var hasContent = false
    /// The part of the source that follows `output` unchanged.
    private var unchanged = UnsafeBufferPointer<UInt8>(start: nil, count: 0)

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
        copyUnchanged()
    }

    private mutating func append(text: UnsafeBufferPointer<UInt8>) {
        if !hasContent { hasContent = !text.allSatisfy(ASCII.isSpace) }
        var start = 0
        if text.first == UInt8(ascii: "<") {
            write("&lt;")
            start = 1
        }
        var ampersand = ByteScan.firstIndex(of: UInt8(ascii: "&"), in: text, from: start)
        var bracket = ByteScan.firstIndex(of: UInt8(ascii: ">"), in: text, from: start)
        while ampersand < text.count || bracket < text.count {
            let end = min(ampersand, bracket)
            if end == bracket {
                bracket = ByteScan.firstIndex(of: UInt8(ascii: ">"), in: text, from: end + 1)
            } else {
                ampersand = ByteScan.firstIndex(of: UInt8(ascii: "&"), in: text, from: end + 1)
                if CharacterReference.reference(in: text, at: end) != nil { continue }
            }
            copy(UnsafeBufferPointer(rebasing: text[start..<end]))
            write(text[end] == UInt8(ascii: "&") ? "&amp;" : "&gt;")
            start = end + 1
        }
        copy(UnsafeBufferPointer(rebasing: text[start...]))
    }

    /// Appends a part of the source. Adjacent parts are copied together, because there are many.
    private mutating func copy(_ part: UnsafeBufferPointer<UInt8>) {
        if let start = unchanged.baseAddress, start + unchanged.count == part.baseAddress {
            unchanged = UnsafeBufferPointer(start: start, count: unchanged.count + part.count)
        } else {
            copyUnchanged()
            unchanged = part
        }
    }

    private mutating func copyUnchanged() {
        output.append(contentsOf: unchanged)
        unchanged = UnsafeBufferPointer(start: nil, count: 0)
    }

    private mutating func write(_ text: StaticString) {
        copyUnchanged()
        text.withUTF8Buffer { output.append(contentsOf: $0) }
    }

    private mutating func append(_ tag: HTMLTokenizer.Tag) {
        if tag.isEnd, Self.voidElements[tag.name] != nil { return }
        if !hasContent, Self.pictures[tag.name] != nil { hasContent = true }
        if tag.attributes.isEmpty, tag.isLowercase { return copy(tag.source) }
        copyUnchanged()
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
            if isLink, WebURL.isPlain(attribute.value, isEscaped: true) {
                append(name) { $0.append(contentsOf: attribute.value) }
            } else if !attribute.value.contains(UInt8(ascii: "&")) {
                append(name, attribute.value, isLink: isLink)
            } else {
                var value: [UInt8] = []
                value.reserveCapacity(attribute.value.count)
                CharacterReference.decode(attribute.value, into: &value)
                value.withUnsafeBufferPointer { append(name, $0, isLink: isLink) }
            }
        }
    }

    private mutating func append(_ name: HTMLName, _ value: UnsafeBufferPointer<UInt8>, isLink: Bool) {
        if !isLink || WebURL.isPlain(value, isEscaped: false) {
            append(name) { Self.append(escaping: value, to: &$0) }
        } else if let link = link(value) {
            link.withUnsafeBufferPointer { link in append(name) { Self.append(escaping: link, to: &$0) } }
        }
    }

    private mutating func append(_ name: HTMLName, value: (inout [UInt8]) -> Void) {
        output.append(UInt8(ascii: " "))
        name.append(to: &output)
        output.append(UInt8(ascii: "="))
        output.append(UInt8(ascii: "\""))
        value(&output)
        output.append(UInt8(ascii: "\""))
    }

    private static func append(escaping value: UnsafeBufferPointer<UInt8>, to output: inout [UInt8]) {
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
