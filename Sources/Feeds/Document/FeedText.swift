// SPDX-License-Identifier: GPL-3.0-or-later

/// A text for reading, with what is known of its form.
struct FeedText {
    /// What the text is by declaration. RSS has none; Atom's text constructs (RFC 4287, 3.1; `mode` is Atom 0.3's) and
    /// Media RSS have.
    enum Form: Equatable {
        /// Nobody says: HTML where it looks like it.
        case undeclared
        /// Plain: what looks like a tag is none.
        case plain
        /// Markup that was escaped once to stand in XML.
        case html
        /// Markup as XML, written out by the capture.
        case xhtml
        /// Something else in base64.
        case base64

        init(_ attributes: ElementAttributes) {
            let type = attributes["type"].map { ASCII.lowercasedString(ASCII.trimmed($0)) }
            let mode = attributes["mode"].map { ASCII.lowercasedString(ASCII.trimmed($0)) }
            switch (type, mode) {
            case (_, "base64"): self = .base64
            case ("text", _), ("plain", _), ("text/plain", _): self = .plain
            case ("xhtml", _), ("application/xhtml+xml", _), ("text/html", "xml"), (nil, "xml"): self = .xhtml
            case ("html", _), ("text/html", _): self = .html
            case (let type?, _) where Self.isOpaque(type): self = .base64
            default: self = .undeclared
            }
        }

        private static func isOpaque(_ type: String) -> Bool {
            let starts = ["application/", "audio/", "image/", "video/"]
            return starts.contains(where: type.hasPrefix) && !type.hasSuffix("xml") && !type.hasSuffix("json")
        }
    }

    let form: Form
    let bytes: [UInt8]
    /// What relative references are resolved against.
    let base: String?

    /// - Parameter form: what the element says of the text.
    init(_ text: [UInt8], form: Form, base: String?) {
        self.base = base
        if form == .base64 {
            self.form = .undeclared
            bytes = Self.allowed(Base64.decoded(text) ?? [])
        } else if form == .xhtml, !text.contains(UInt8(ascii: "<")) {
            // It was escaped all the same: the capture has escaped it once more.
            self.form = .undeclared
            bytes = Self.unescaped(text)
        } else {
            self.form = form
            // A copy of its own: the capture's buffer has room for the largest text so far.
            bytes = text.withUnsafeBufferPointer(Array.init)
        }
    }

    /// One line of plain text.
    var line: String? {
        switch form {
        case .plain: PlainText.literalLine(bytes)
        case .html, .xhtml: PlainText.markupLine(bytes)
        case .undeclared, .base64: PlainText.line(bytes)
        }
    }

    var isMarkedUp: Bool {
        form != .plain && HTMLCleaner.isMarkedUp(bytes)
    }

    /// HTML that is safe to display.
    var html: String? {
        switch form {
        case .plain: HTMLCleaner.clean(MarkupText.escaped(bytes), base: base)
        case .xhtml: HTMLCleaner.clean(Self.unwrapped(bytes), base: base)
        case .undeclared, .html, .base64: HTMLCleaner.clean(bytes, base: base)
        }
    }

    private static func allowed(_ bytes: [UInt8]) -> [UInt8] {
        var filter = XMLCharacterFilter(log: RepairLog(limit: 0))
        var text: [UInt8] = []
        bytes.withUnsafeBufferPointer { filter.append($0, to: &text) }
        return text
    }

    private static func unescaped(_ text: [UInt8]) -> [UInt8] {
        var markup: [UInt8] = []
        text.withUnsafeBufferPointer { CharacterReference.decode($0, into: &markup) }
        return markup
    }

    /// The `div` around XHTML is no part of it (RFC 4287, 3.1.1.3).
    private static func unwrapped(_ markup: [UInt8]) -> [UInt8] {
        let trimmed = ASCII.trimmed(markup)
        let start = trimmed.prefix(4).elementsEqual("<div".utf8) ? trimmed.firstIndex(of: UInt8(ascii: ">")) : nil
        guard let start, trimmed.suffix(6).elementsEqual("</div>".utf8) else { return markup }
        let inner = Array(trimmed[(start + 1)..<(trimmed.endIndex - 6)])
        return inner.withUnsafeBufferPointer(isBalanced) ? inner : markup
    }

    /// Whether each `div` that ends in `markup` has begun in it.
    private static func isBalanced(_ markup: UnsafeBufferPointer<UInt8>) -> Bool {
        var depth = 0
        for case .tag(let tag) in HTMLTokenizer(markup) where tag.name == "div" {
            depth += tag.isEnd ? -1 : 1
            if depth < 0 { return false }
        }
        return true
    }
}
