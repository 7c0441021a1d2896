// SPDX-License-Identifier: GPL-3.0-or-later

extension MarkupReader {
    /// Identifies the markup that begins with `<`.
    mutating func opening(_ byte: UInt8) -> Bool {
        if scratch.isEmpty {
            switch byte {
            case UInt8(ascii: "?"): enter(.instruction(afterQuestionMark: false))
            case UInt8(ascii: "!"): scratch.append(byte)
            case _ where Self.beginsTag(byte):
                enter(.tag(TagScanner()))
                return false
            default:
                state = .text
                if root == .open { note(.bareLessThan) }
                emit("<")
                return false
            }
            return true
        }
        return openingDeclaration(byte)
    }

    mutating func tag(_ byte: UInt8, _ scanner: TagScanner) throws(FeedError) -> Bool {
        var scanner = scanner
        switch scanner.consume(byte, at: scratch.count) {
        case .inside:
            scratch.append(byte)
            state = .tag(scanner)
            guard scratch.count > limits.tagBytes else { return true }
            note(.overlongTag)
            state = .overlongTag
            return true
        case .ended:
            try endScratchTag()
            return true
        case .broken:
            note(.brokenTag)
            try endScratchTag()
        case .endedBefore(let end):
            note(.brokenTag)
            scratch.removeSubrange(end...)
            try endScratchTag()
        }
        return false
    }

    mutating func declaration(_ byte: UInt8, _ scanner: inout DeclarationScanner) {
        if scratch.count < Self.htmlDeclaration.utf8CodeUnitCount { scratch.append(byte) }
        switch scanner.consume(byte) {
        case .outside: state = .declaration(scanner)
        case .subset:
            state = .declaration(scanner)
            if root == .awaited { entities.append(byte) }
        case .ended:
            state = .text
            entities.declare()
            if root == .awaited, ASCII.equalsIgnoringCase(scratch, Self.htmlDeclaration) { isDeclaredHTML = true }
        }
    }

    /// - Parameter start: the index of the byte after `<`.
    /// - Returns: the index of the byte after the tag, or after the start of a CDATA section; `nil` if the markup is
    ///   incomplete or unusual.
    mutating func wholeMarkup(_ bytes: UnsafeBufferPointer<UInt8>, from start: Int) throws(FeedError) -> Int? {
        guard start < bytes.count else { return nil }
        if bytes[start] == UInt8(ascii: "!") {
            guard bytes[start...].prefix(Opening.section.count).elementsEqual(Opening.section) else { return nil }
            state = .section(brackets: 0)
            return start + Opening.section.count
        }
        guard Self.beginsTag(bytes[start]), let end = TagScanner.plainEnd(bytes, from: start),
            end - start <= limits.tagBytes
        else { return nil }
        try endTag(UnsafeBufferPointer(rebasing: bytes[start..<end]))
        return end + 1
    }

    /// Reports the end of so many elements to the receiver.
    mutating func end(_ count: Int) {
        for _ in 0..<count { receiver.elementEnded() }
    }

    private static var htmlDeclaration: StaticString { "doctype html" }

    private static func beginsTag(_ byte: UInt8) -> Bool {
        ASCII.isLetter(byte) || byte == UInt8(ascii: "/") || byte == UInt8(ascii: "_")
    }

    private mutating func openingDeclaration(_ byte: UInt8) -> Bool {
        let candidate = scratch + [byte]
        if candidate == Opening.section {
            enter(.section(brackets: 0))
        } else if candidate == Opening.comment {
            // As in HTML, <!--> is a complete comment.
            enter(.comment(dashes: 2))
        } else if Opening.section.starts(with: candidate) || Opening.comment.starts(with: candidate) {
            scratch = candidate
        } else {
            enter(.declaration(DeclarationScanner()))
            return false
        }
        return true
    }

    private mutating func endScratchTag() throws(FeedError) {
        state = .text
        try endTag(scratch)
    }

    private mutating func endTag(_ source: [UInt8]) throws(FeedError) {
        var failure: FeedError?
        let tag = entities.isEmpty ? source : entities.replacing(in: source)
        tag.withUnsafeBufferPointer { tag in
            do throws(FeedError) { try consumeTag(tag) } catch { failure = error }
        }
        if let failure { throw failure }
    }

    private mutating func endTag(_ source: UnsafeBufferPointer<UInt8>) throws(FeedError) {
        let hasEntities = !entities.isEmpty && source.contains(UInt8(ascii: "&"))
        if hasEntities { try endTag(Array(source)) } else { try consumeTag(source) }
    }

    private mutating func consumeTag(_ source: UnsafeBufferPointer<UInt8>) throws(FeedError) {
        guard source.first != UInt8(ascii: "/") else { return close(source) }
        guard let tag = StartTag(source, attributeLimit: limits.attributes) else { return meantAsText(source) }
        if root == .awaited { try beginRoot(tag) }
        guard root == .open else { return }
        if OpenElements.isItem(tag.name) {
            items += 1
            guard items <= limits.items else { return leaveRestOut() }
            closeUnclosed(open.depthOfItems)
        }
        emit(tag)
    }

    private mutating func leaveRestOut() {
        note(.tooManyItems)
        end(open.closeAll())
        root = .closed
    }

    private mutating func close(_ source: UnsafeBufferPointer<UInt8>) {
        guard root == .open else { return }
        let start = source.dropFirst().firstIndex { !ASCII.isSpace($0) } ?? source.count
        let behind = source[start...].firstIndex(where: ASCII.isSpace) ?? source.count
        let name = UnsafeBufferPointer(rebasing: source[start..<behind])
        if let depth = open.depth(closedBy: name) {
            closeUnclosed(depth + 1)
            end(open.close(downTo: depth))
            if open.isEmpty { root = .closed }
        } else {
            note(.strayEndTag(FeedRepair.quoted(name)))
        }
    }

    /// Closes the unclosed elements below this depth.
    private mutating func closeUnclosed(_ depth: Int) {
        guard open.depth > depth else { return }
        if log.isOpen { note(.unclosedElement(open.innermostName)) }
        end(open.close(downTo: depth))
    }

    private mutating func meantAsText(_ source: UnsafeBufferPointer<UInt8>) {
        guard root == .open else { return }
        note(.noTag)
        if source.count <= 256 { emit([UInt8(ascii: "<")] + source + [UInt8(ascii: ">")]) }
    }

    private mutating func emit(_ tag: StartTag) {
        if tag.isEmptyElement {
            guard open.hasRoom else { return note(.nestedTooDeep) }
            start(tag)
            receiver.elementEnded()
            if open.isEmpty { root = .closed }
        } else if open.open(tag.name) {
            start(tag)
        } else {
            note(.nestedTooDeep)
        }
    }

    private mutating func start(_ tag: StartTag) {
        receiver.elementStarted(tag)
        if receiver.awaitsLine { receiver.place(at: markupLine ?? line) }
    }

    private mutating func beginRoot(_ tag: StartTag) throws(FeedError) {
        let local = UnsafeBufferPointer(rebasing: tag.name[tag.localStart...])
        if roots.contains(where: { ASCII.equalsIgnoringCase(local, $0) }) {
            root = .open
        } else if ASCII.equalsIgnoringCase(local, "html") || isDeclaredHTML {
            throw .notAFeed(.htmlPage)
        } else if junkElement == nil {
            junkElement = String(decoding: tag.name.prefix(64), as: UTF8.self)
            noteJunk()
        }
    }
}

/// The bytes after `<` of markup other than tags.
private enum Opening {
    static let section = Array("![CDATA[".utf8)
    static let comment = Array("!--".utf8)
}
