// SPDX-License-Identifier: GPL-3.0-or-later

/// A text for display, with its declared form.
struct FeedText {
    /// The declared form of a text. RSS declares none; Atom's text constructs (RFC 4287, 3.1; `mode` is from Atom
    /// 0.3) and Media RSS do.
    enum Form: Equatable {
        /// No declaration: read as HTML if the text looks like HTML.
        case undeclared
        /// Plain text: apparent tags are text.
        case plain
        /// HTML, escaped once for XML.
        case html
        /// Markup as XML, serialized by the capture.
        case xhtml
        /// Other content in base64.
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
    /// The base URL of relative references.
    let base: String?

    /// - Parameter form: the form that the element declares.
    init(_ text: [UInt8], form: Form, base: String?) {
        self.base = base
        if form == .base64 {
            self.form = .undeclared
            bytes = Self.allowed(Base64.decoded(text) ?? [])
        } else if form == .xhtml, !text.contains(UInt8(ascii: "<")) {
            // The publisher escaped the text despite the declaration, and the capture escaped it a second time.
            self.form = .undeclared
            bytes = Self.unescaped(text)
        } else {
            self.form = form
            // A copy, because the capacity of the capture's buffer is that of the largest text so far.
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

    /// Removes the `div` around XHTML, which is not part of the content (RFC 4287, 3.1.1.3).
    private static func unwrapped(_ markup: [UInt8]) -> [UInt8] {
        let trimmed = ASCII.trimmed(markup)
        let start = trimmed.prefix(4).elementsEqual("<div".utf8) ? trimmed.firstIndex(of: UInt8(ascii: ">")) : nil
        guard let start, trimmed.suffix(6).elementsEqual("</div>".utf8) else { return markup }
        let inner = Array(trimmed[(start + 1)..<(trimmed.endIndex - 6)])
        return inner.withUnsafeBufferPointer(isBalanced) ? inner : markup
    }

    /// Returns true if each `div` that ends in `markup` also begins in it.
    private static func isBalanced(_ markup: UnsafeBufferPointer<UInt8>) -> Bool {
        var depth = 0
        for case .tag(let tag) in HTMLTokenizer(markup) where tag.name == "div" {
            depth += tag.isEnd ? -1 : 1
            if depth < 0 { return false }
        }
        return true
    }
}
