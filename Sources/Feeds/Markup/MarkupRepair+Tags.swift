// SPDX-License-Identifier: GPL-3.0-or-later

extension MarkupRepair {
    /// Tells what a `<` begins.
    mutating func opening(_ byte: UInt8) -> Bool {
        if scratch.isEmpty {
            switch byte {
            case UInt8(ascii: "?"): enter(.instruction(afterQuestionMark: false))
            case UInt8(ascii: "!"): scratch.append(byte)
            case _ where ASCII.isLetter(byte) || byte == UInt8(ascii: "/") || byte == UInt8(ascii: "_"):
                enter(.tag(TagScanner()))
                return false
            default:
                emit("&lt;")
                state = .text
                return false
            }
            return true
        }
        return openingDeclaration(byte)
    }

    mutating func tag(_ byte: UInt8, _ scanner: TagScanner) throws(FeedError) -> Bool {
        var scanner = scanner
        switch scanner.take(byte, at: scratch.count) {
        case .inside:
            scratch.append(byte)
            state = scratch.count > limits.tagBytes ? .overlongTag : .tag(scanner)
            return true
        case .ended:
            state = .text
            try endTag()
            return true
        case .broken:
            state = .text
            try endTag()
        case .endedBefore(let end):
            state = .text
            scratch.removeSubrange(end...)
            try endTag()
        }
        return false
    }

    mutating func declaration(_ byte: UInt8, _ scanner: inout DeclarationScanner) throws(FeedError) {
        if scratch.count < Self.htmlDeclaration.utf8CodeUnitCount { scratch.append(byte) }
        switch scanner.take(byte) {
        case .inside: state = .declaration(scanner)
        case .declaresEntity: throw .entityDeclaration(line: line)
        case .ended:
            state = .text
            if case .awaited = root, ASCII.equalsIgnoringCase(scratch, Self.htmlDeclaration) {
                throw .notAFeed(.htmlPage)
            }
        }
    }

    mutating func emitEnds(_ names: [[UInt8]]) {
        for name in names {
            emit("</")
            output.append(contentsOf: name)
            emit(">")
        }
    }

    private static var htmlDeclaration: StaticString { "doctype html" }
    private static let sectionStart = Array("![CDATA[".utf8)
    private static let commentStart = Array("!--".utf8)

    private mutating func openingDeclaration(_ byte: UInt8) -> Bool {
        let candidate = scratch + [byte]
        if candidate == Self.sectionStart {
            emit("<![CDATA[")
            enter(.section(brackets: 0, length: 0))
        } else if candidate == Self.commentStart {
            enter(.comment(dashes: 0))
        } else if Self.sectionStart.starts(with: candidate) || Self.commentStart.starts(with: candidate) {
            scratch = candidate
        } else {
            enter(.declaration(DeclarationScanner()))
            return false
        }
        return true
    }

    private mutating func endTag() throws(FeedError) {
        guard scratch.first != UInt8(ascii: "/") else {
            let name = scratch.dropFirst().drop(while: ASCII.isSpace).prefix { !ASCII.isSpace($0) }
            emitEnds(open.close(name))
            if root == .open, open.isEmpty { root = .closed }
            return
        }
        guard let tag = StartTag(scratch, attributeLimit: limits.attributes) else {
            if scratch.count <= 256 { emitEscaped([UInt8(ascii: "<")] + scratch + [UInt8(ascii: ">")]) }
            return
        }
        if case .awaited(let stranger) = root { try beginRoot(tag, after: stranger) }
        guard root == .open else { return }
        if OpenElements.isItem(tag.name) { emitEnds(open.closeBeforeItem()) }
        emit(tag)
    }

    private mutating func emit(_ tag: StartTag) {
        if tag.isEmptyElement {
            if open.depth < limits.depth { output.append(contentsOf: tag.markup) }
            if open.isEmpty { root = .closed }
        } else if open.open(tag.name) {
            output.append(contentsOf: tag.markup)
        }
    }

    private mutating func beginRoot(_ tag: StartTag, after stranger: String?) throws(FeedError) {
        let local = tag.name.lastIndex(of: UInt8(ascii: ":")).map { tag.name[($0 + 1)...] } ?? tag.name
        let roots: [StaticString] = ["rss", "feed", "rdf"]
        if roots.contains(where: { ASCII.equalsIgnoringCase(local, $0) }) {
            root = .open
        } else if ASCII.equalsIgnoringCase(local, "html") {
            throw .notAFeed(.htmlPage)
        } else if stranger == nil {
            root = .awaited(stranger: String(decoding: tag.name.prefix(64), as: UTF8.self))
        }
    }
}
