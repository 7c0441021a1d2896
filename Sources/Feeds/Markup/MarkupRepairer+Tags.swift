// SPDX-License-Identifier: GPL-3.0-or-later

extension MarkupRepairer {
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
            try endTag()
            return true
        case .broken:
            note(.brokenTag)
            try endTag()
        case .endedBefore(let end):
            note(.brokenTag)
            scratch.removeSubrange(end...)
            try endTag()
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

    /// Takes a tag that the strict parser read.
    ///
    /// - Returns: false if the tag needs a repair; then nothing has changed.
    mutating func accept(_ tag: StartTag) -> Bool {
        guard open.hasRoom, root == .open || root == .awaited && isRoot(tag) else { return false }
        if OpenElements.isItem(tag.name) {
            guard items < limits.items, open.depth == open.depthOfItems else { return false }
            items += 1
        }
        root = .open
        _ = open.open(tag.name)
        receiver.elementStarted(tag)
        return true
    }

    /// Takes the end of the innermost element, which the strict parser read.
    mutating func acceptEnd() {
        end(open.close(downTo: open.depth - 1))
        if open.isEmpty { root = .closed }
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

    private mutating func endTag() throws(FeedError) {
        state = .text
        var failure: FeedError?
        let tag = entities.isEmpty ? scratch : entities.replacing(in: scratch)
        tag.withUnsafeBufferPointer { tag in
            do throws(FeedError) { try consumeTag(tag) } catch { failure = error }
        }
        if let failure { throw failure }
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

    private func isRoot(_ tag: StartTag) -> Bool {
        let local = tag.localName
        return roots.contains { ASCII.equalsIgnoringCase(local, $0) }
    }

    private mutating func beginRoot(_ tag: StartTag) throws(FeedError) {
        if isRoot(tag) {
            root = .open
        } else if ASCII.equalsIgnoringCase(tag.localName, "html") || isDeclaredHTML {
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
