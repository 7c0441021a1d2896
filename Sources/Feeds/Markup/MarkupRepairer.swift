// SPDX-License-Identifier: GPL-3.0-or-later

/// A push parser for UTF-8 text that should be XML but may be malformed, or that libxml2 does not read as we do. It
/// accepts any chunking and passes elements and text to a receiver.
///
/// Publishers forget to escape `&`, leave tags open and copy control characters along; a strict parser loses words,
/// or everything after the fault. So this parser repairs each fault: it knows HTML's character names, reads malformed
/// markup as text, closes elements left open, and drops junk around the root element, comments, instructions and the
/// DOCTYPE. It never opens an external resource, and expands only short entities.
///
///     text ── & ──▶ reference ──▶ text
///       │── < ──▶ opening ──▶ tag | overlongTag | section | comment | instruction | declaration ──▶ text
struct MarkupRepairer<Receiver: MarkupReceiver> {
    /// Each case ends by returning to `text`.
    enum State: Equatable {
        case text
        /// After `&`; `scratch` holds the name so far.
        case reference
        /// After `<`; `scratch` holds the bytes that identify the kind of markup.
        case opening
        /// Inside a tag; `scratch` holds it.
        case tag(TagScanner)
        /// Inside a tag that exceeds the size limit; until `>`.
        case overlongTag
        /// Inside CDATA, after so many `]` that were not emitted yet.
        case section(brackets: Int)
        /// Inside a comment, after so many `-`.
        case comment(dashes: Int)
        /// Inside `<? ?>`.
        case instruction(afterQuestionMark: Bool)
        /// Inside `<! >`.
        case declaration(DeclarationScanner)
    }

    enum Root {
        /// Only junk so far.
        case awaited
        case open
        case closed
    }

    let limits: FeedLimits
    /// Local names of the elements that may be the root, in lower case.
    let roots: [StaticString]
    var receiver: Receiver
    let log: RepairLog
    var state: State = .text
    var root: Root = .awaited
    /// The first element's name in the junk before the root.
    var junkElement: String?
    var open: OpenElements
    var scratch: [UInt8] = []
    var entities: InternalEntities
    var items = 0
    /// True if the document ended inside an item.
    private(set) var endsInsideItem = false
    /// True if the DOCTYPE is HTML's. Some publishers also print it before a feed.
    var isDeclaredHTML = false
    /// The index in `chunk` at which the current piece of markup begins.
    var position = 0
    private var chunk = UnsafeBufferPointer<UInt8>(start: nil, count: 0)
    /// The number of lines that begin before the index `end` of `chunk`.
    private var counted = (lines: 1, end: 0)
    /// The line on which a tag or reference begins that is parsed byte by byte.
    var markupLine: Int?
    /// The first byte that is not white space; it identifies the kind of junk.
    private var firstByte: UInt8?
    private var preambleLength = 0
    private var hasJunk = false
    /// The number of bytes of text that the receiver already has from the strict parser.
    private var repeated = 0

    init(receiver: Receiver, roots: [StaticString], limits: FeedLimits, log: RepairLog) {
        self.receiver = receiver
        self.roots = roots
        self.limits = limits
        self.log = log
        open = OpenElements(limit: limits.depth)
        entities = InternalEntities(limits: limits)
    }

    /// The current line, from 1. It is counted on demand, each byte once.
    var line: Int {
        mutating get {
            counted.lines += ByteScan.count(of: UInt8(ascii: "\n"), in: chunk, from: counted.end, to: position)
            counted.end = position
            return counted.lines
        }
    }

    mutating func append(_ bytes: UnsafeBufferPointer<UInt8>) throws(FeedError) {
        chunk = bytes
        (position, counted.end) = (0, 0)
        var index = 0
        while index < bytes.count, root != .closed {
            position = index
            if root == .awaited { try awaitRoot(bytes[index]) }
            index = try step(bytes, at: index)
            if log.awaitsLine { log.place(at: markupLine ?? line) }
            if markupLine != nil, case .text = state { markupLine = nil }
        }
        position = index
        _ = line
        chunk = UnsafeBufferPointer(start: nil, count: 0)
        (position, counted.end) = (0, 0)
    }

    /// Closes the open elements.
    ///
    /// - Returns: true if the document was complete.
    mutating func finish() throws(FeedError) -> Bool {
        if root == .awaited { throw missingRoot() }
        guard root == .open else { return items <= limits.items }
        flush()
        markupLine = nil
        note(.truncated)
        endsInsideItem = open.hasItem
        end(open.closeAll())
        return false
    }

    mutating func note(_ kind: FeedRepair.Kind) {
        guard log.isOpen else { return }
        let line = markupLine ?? line
        log.note(kind, line: line)
    }

    /// Continues after a tag that the strict parser read.
    ///
    /// - Parameters:
    ///   - line: the line on which that tag ends.
    ///   - repeated: the number of bytes of text after the tag that the receiver already has.
    mutating func resume(onLine line: Int, repeated: Int) {
        counted = (line, 0)
        self.repeated = repeated
    }

    /// Passes text on, except for the part that the receiver already has.
    mutating func emit(_ text: UnsafeBufferPointer<UInt8>) {
        let known = min(repeated, text.count)
        repeated -= known
        if known < text.count { receiver.charactersRead(UnsafeBufferPointer(rebasing: text[known...])) }
    }

    mutating func noteJunk() {
        if !hasJunk { note(.junkBeforeRoot) }
        hasJunk = true
    }

    /// - Returns: the index of the next byte to parse; the same index if only the state changed.
    private mutating func step(_ bytes: UnsafeBufferPointer<UInt8>, at index: Int) throws(FeedError) -> Int {
        switch state {
        case .text: text(bytes, from: index)
        case .section(let brackets): section(bytes, from: index, brackets: brackets)
        default: try consume(bytes[index]) ? index + 1 : index
        }
    }

    private mutating func consume(_ byte: UInt8) throws(FeedError) -> Bool {
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
            declaration(byte, &scanner)
        }
        return true
    }

    private mutating func awaitRoot(_ byte: UInt8) throws(FeedError) {
        if firstByte == nil, !ASCII.isSpace(byte) { firstByte = byte }
        preambleLength += 1
        guard preambleLength <= limits.preambleBytes else { throw missingRoot() }
    }

    private mutating func missingRoot() -> FeedError {
        switch (firstByte, junkElement) {
        case _ where isDeclaredHTML: .notAFeed(.htmlPage)
        case (nil, _): .notAFeed(.empty)
        case (UInt8(ascii: "{"), _): .notAFeed(.otherJSON)
        case (UInt8(ascii: "<"), let name?): .notAFeed(.unknownRoot(name))
        case (UInt8(ascii: "<"), nil): .malformed(reason: "it ends before its root element", line: line)
        // What looks like a tag in other text or in binary data is there by chance.
        default: .notAFeed(.notMarkup)
        }
    }
}
