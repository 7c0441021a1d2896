// SPDX-License-Identifier: GPL-3.0-or-later

/// Reads UTF-8 text that means to be XML, whatever the cuts, and tells its elements and text to a receiver.
///
/// Publishers forget to escape `&`, leave tags open and copy control characters along; a parser that keeps to the rules
/// loses words, or everything that follows. So this one makes of each fault what was meant: HTML's character names are
/// known, what is no markup is text, what was left open is closed, and junk around the root element, comments,
/// instructions and the DOCTYPE are dropped. Nothing is ever opened; of entities only short texts are known.
///
///     text ── & ──▶ reference ──▶ text
///       │── < ──▶ opening ──▶ tag | overlongTag | section | comment | instruction | declaration ──▶ text
///
/// A tag or reference that is whole in the bytes at hand is read where it stands; only one that is cut goes through the
/// states byte by byte.
struct MarkupReader<Receiver: MarkupReceiver> {
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
        /// Inside CDATA, after so many `]` that are not yet handed on.
        case section(brackets: Int)
        /// Inside a comment, after so many `-`.
        case comment(dashes: Int)
        /// Inside `<? ?>`.
        case instruction(afterQuestionMark: Bool)
        /// Inside `<! >`.
        case declaration(DeclarationScanner)
    }

    enum Root {
        /// Nothing but junk so far.
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
    var stranger: String?
    var open: OpenElements
    var scratch: [UInt8] = []
    var entities: InternalEntities
    var items = 0
    /// Whether the DOCTYPE says HTML: some print it in front of a feed too.
    var isDeclaredHTML = false
    /// Where the piece of markup that is being read begins in `chunk`.
    var position = 0
    private var chunk = UnsafeBufferPointer<UInt8>(start: nil, count: 0)
    /// How many lines begin before this place of `chunk`.
    private var counted = (lines: 1, end: 0)
    /// The line of a tag or reference that is read byte by byte.
    var markupLine: Int?
    /// The first byte that is no white space: it tells what the junk is.
    private var firstByte: UInt8?
    private var preambleLength = 0
    private var hasJunk = false

    init(receiver: Receiver, roots: [StaticString], limits: FeedLimits, log: RepairLog) {
        self.receiver = receiver
        self.roots = roots
        self.limits = limits
        self.log = log
        open = OpenElements(limit: limits.depth)
        entities = InternalEntities(limits: limits)
    }

    /// The line reached, from 1. Counted when it is asked for, each byte once.
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

    /// Closes what is open.
    /// - Returns: whether the document had ended before.
    mutating func finish() throws(FeedError) -> Bool {
        if root == .awaited { throw missingRoot() }
        guard root == .open else { return items <= limits.items }
        flush()
        markupLine = nil
        note(.truncated)
        end(open.closeAll())
        return false
    }

    mutating func note(_ kind: FeedRepair.Kind) {
        guard log.isOpen else { return }
        let line = markupLine ?? line
        log.note(kind, line: line)
    }

    mutating func noteJunk() {
        if !hasJunk { note(.junkBeforeRoot) }
        hasJunk = true
    }

    /// - Returns: the index of the next byte to look at; the same one where only the state changed.
    private mutating func step(_ bytes: UnsafeBufferPointer<UInt8>, at index: Int) throws(FeedError) -> Int {
        switch state {
        case .text: try text(bytes, from: index)
        case .section(let brackets): section(bytes, from: index, brackets: brackets)
        default: try take(bytes[index]) ? index + 1 : index
        }
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
        switch (firstByte, stranger) {
        case _ where isDeclaredHTML: .notAFeed(.htmlPage)
        case (nil, _): .notAFeed(.empty)
        case (UInt8(ascii: "{"), _): .notAFeed(.otherJSON)
        case (_, let name?): .notAFeed(.unknownRoot(name))
        case (UInt8(ascii: "<"), nil): .malformed(reason: "it ends before its root element", line: line)
        case (_, nil): .notAFeed(.notMarkup)
        }
    }
}

extension MarkupReceiver {
    var awaitsLine: Bool { false }

    mutating func place(at line: Int) {}
}

/// What a reader of markup reads, as it reads it. The pointers are valid during the call only.
protocol MarkupReceiver {
    mutating func elementStarted(_ tag: StartTag)
    mutating func elementEnded()
    /// A piece of text: UTF-8, split anywhere between characters.
    mutating func charactersRead(_ bytes: UnsafeBufferPointer<UInt8>)
    /// Whether it wants to know the line of the tag it was told last.
    var awaitsLine: Bool { get }
    mutating func place(at line: Int)
}
