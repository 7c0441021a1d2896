// SPDX-License-Identifier: GPL-3.0-or-later

/// UTF-8 text that means to be XML to XML that libxml2 takes without an error, whatever the cuts.
///
/// libxml2's push parser does not recover: it loses words at a bare `&`, whole sections at a stray `<`, and takes
/// quadratic time over attributes. So this stands before it, drops what carries no feed (comments, instructions, the
/// DOCTYPE, junk around the root element), resolves HTML's character names, and closes what was left open.
///
///     text ── & ──▶ reference ──▶ text
///       │── < ──▶ opening ──▶ tag | overlongTag | section | comment | instruction | declaration ──▶ text
struct MarkupRepair {
    /// Each case ends by returning to `text`.
    enum State: Equatable {
        case text
        /// After `&`; `scratch` holds the name so far.
        case reference
        /// After `<`; `scratch` holds what tells one kind of markup from another.
        case opening
        /// Inside a tag; `scratch` holds it.
        case tag(TagScanner)
        /// Inside a tag that is too long to be one; until `>`.
        case overlongTag
        /// Inside CDATA, after so many `]` that are not yet handed on, and so many bytes since it was begun.
        case section(brackets: Int, length: Int)
        /// Inside a comment, after so many `-`.
        case comment(dashes: Int)
        /// Inside `<? ?>`.
        case instruction(afterQuestionMark: Bool)
        /// Inside `<! >`.
        case declaration(DeclarationScanner)
    }

    enum Root: Equatable {
        /// Nothing but junk so far; the first element's name in it.
        case awaited(stranger: String?)
        case open
        case closed
    }

    let limits: FeedLimits
    var state: State = .text
    var root: Root = .awaited(stranger: nil)
    var open: OpenElements
    var scratch: [UInt8] = []
    /// XML to hand on; the caller empties it.
    var output: [UInt8] = []
    /// The first byte that is no white space: it tells what the junk is.
    private var firstByte: UInt8?
    private var preambleLength = 0
    private var lines = 1

    init(limits: FeedLimits) {
        self.limits = limits
        open = OpenElements(limit: limits.depth)
    }

    /// The line reached, from 1.
    var line: Int { lines }

    mutating func append(_ bytes: UnsafeBufferPointer<UInt8>) throws(FeedError) {
        var index = 0
        while index < bytes.count, root != .closed {
            if case .awaited = root { try awaitRoot(bytes[index]) }
            index = try step(bytes, at: index)
        }
    }

    /// Closes what is open.
    /// - Returns: whether the document had ended before.
    mutating func finish() throws(FeedError) -> Bool {
        if case .awaited(let stranger) = root { throw missingRoot(stranger) }
        guard root == .open else { return true }
        flush()
        emitEnds(open.closeAll())
        return false
    }

    /// - Returns: the index of the next byte to look at; the same one where only the state changed.
    private mutating func step(_ bytes: UnsafeBufferPointer<UInt8>, at index: Int) throws(FeedError) -> Int {
        switch state {
        case .text: return text(bytes, from: index)
        case .section(let brackets, let length): return section(bytes, from: index, brackets: brackets, length: length)
        default: break
        }
        let byte = bytes[index]
        let isTaken = try take(byte)
        if isTaken, byte == UInt8(ascii: "\n") { lines += 1 }
        return isTaken ? index + 1 : index
    }

    private mutating func take(_ byte: UInt8) throws(FeedError) -> Bool {
        switch state {
        case .text, .section: return false
        case .reference: return reference(byte)
        case .opening: return opening(byte)
        case .tag(let scanner): return try tag(byte, scanner)
        case .overlongTag:
            if byte == UInt8(ascii: ">") { state = .text }
        case .comment(let dashes):
            if byte == UInt8(ascii: ">"), dashes >= 2 {
                state = .text
            } else {
                state = .comment(dashes: byte == UInt8(ascii: "-") ? min(dashes + 1, 2) : 0)
            }
        case .instruction(let afterQuestionMark):
            let isEnd = afterQuestionMark && byte == UInt8(ascii: ">")
            state = isEnd ? .text : .instruction(afterQuestionMark: byte == UInt8(ascii: "?"))
        case .declaration(var scanner):
            try declaration(byte, &scanner)
        }
        return true
    }

    private mutating func awaitRoot(_ byte: UInt8) throws(FeedError) {
        if firstByte == nil, !ASCII.isSpace(byte) { firstByte = byte }
        preambleLength += 1
        guard preambleLength <= limits.preambleBytes else {
            guard case .awaited(let stranger) = root else { return }
            throw missingRoot(stranger)
        }
    }

    private func missingRoot(_ stranger: String?) -> FeedError {
        switch (firstByte, stranger) {
        case (nil, _): .notAFeed(.empty)
        case (_, let name?): .notAFeed(.unknownRoot(name))
        case (UInt8(ascii: "<"), nil): .malformed(reason: "it ends before its root element", line: lines)
        case (_, nil): .notAFeed(.notMarkup)
        }
    }

    mutating func count(newlinesIn bytes: Slice<UnsafeBufferPointer<UInt8>>) {
        for byte in bytes where byte == UInt8(ascii: "\n") { lines += 1 }
    }
}
