// SPDX-License-Identifier: GPL-3.0-or-later

/// A push parser for UTF-8 text that should be XML. It accepts any chunking and passes elements and text to a
/// receiver.
///
/// libxml2 parses the document up to its first fault. There `MarkupRepairer` takes over, at the end of the last tag
/// before the fault: it continues with the open elements of the strict parser, and parses again the text that was kept
/// since that tag. So memory stays flat, and the result is that of the repairer alone.
final class MarkupReader {
    private let receiver: any MarkupReceiver
    /// Holds the state of the document for both parsers.
    private var repairer: MarkupRepairer
    /// `nil` after the repairer has taken over.
    private var parser: XMLPushParser?
    /// The bytes since the last tag before the current piece, including this piece.
    private var kept: [UInt8] = []
    /// The number of bytes of the document before `kept`.
    private var start = 0
    /// The end of the last tag, as an index in `kept`.
    private var tagEnd = 0
    /// The number of bytes of text passed on since that tag.
    private var textCount = 0
    /// The number of lines that begin before the index `end` of `kept`.
    private var counted = (lines: 1, end: 0)

    /// - Parameters:
    ///   - roots: local names of the elements that may be the root, in lower case.
    ///   - isStrictFirst: false to parse the whole document with the repairer, for comparisons.
    init(
        receiver: any MarkupReceiver, roots: [StaticString], limits: FeedLimits, log: RepairLog,
        isStrictFirst: Bool = true
    ) {
        self.receiver = receiver
        repairer = MarkupRepairer(receiver: receiver, roots: roots, limits: limits, log: log)
        parser = isStrictFirst ? XMLPushParser(limits: limits) : nil
        isRepairing = !isStrictFirst
    }

    /// True if the repairer parses a part of the document.
    private(set) var isRepairing: Bool

    /// The line at which the parser stands after the end of the document, from 1.
    var line: Int { repairer.line }

    /// - Parameter bytes: whole characters.
    func append(_ bytes: UnsafeBufferPointer<UInt8>) throws(FeedError) {
        var rest = bytes[...]
        while !rest.isEmpty {
            var end = rest.index(rest.startIndex, offsetBy: Self.pieceLength, limitedBy: rest.endIndex) ?? rest.endIndex
            while end < rest.endIndex, bytes[end] & 0xC0 == 0x80 { end += 1 }
            try read(UnsafeBufferPointer(rebasing: rest[..<end]))
            rest = rest[end...]
        }
    }

    /// Closes the open elements.
    ///
    /// - Returns: true if the document was complete.
    func finish() throws(FeedError) -> Bool {
        if parser != nil { try takeOver() }
        return try repairer.finish()
    }

    /// The approximate number of bytes that libxml2 gets at a time. It bounds the size of the tags that libxml2 parses.
    private static var pieceLength: Int { 32 << 10 }

    private func read(_ piece: UnsafeBufferPointer<UInt8>) throws(FeedError) {
        guard let parser else { return try repairer.append(piece) }
        kept.append(contentsOf: piece)
        parser.append(piece, to: self)
        let isOver = repairer.root == .closed || kept.count - tagEnd > repairer.limits.strictBytes
        if parser.hasStopped || isOver { try takeOver() } else { dropPassed() }
    }

    /// Lets the repairer continue after the last tag. It ignores text after the root element.
    private func takeOver() throws(FeedError) {
        dropPassed()
        parser = nil
        isRepairing = repairer.root != .closed
        repairer.resume(onLine: counted.lines, repeated: textCount)
        var failure: FeedError?
        kept.withUnsafeBufferPointer { rest in
            do throws(FeedError) { try repairer.append(rest) } catch { failure = error }
        }
        kept = []
        if let failure { throw failure }
    }

    private func dropPassed() {
        _ = line(at: tagEnd)
        kept.removeFirst(tagEnd)
        start += tagEnd
        (tagEnd, counted.end) = (0, 0)
    }

    /// - Parameter index: an index in `kept`, not below that of the previous call.
    private func line(at index: Int) -> Int {
        kept.withUnsafeBufferPointer {
            counted.lines += ByteScan.count(of: UInt8(ascii: "\n"), in: $0, from: counted.end, to: index)
        }
        counted.end = index
        return counted.lines
    }
}

extension MarkupReader: XMLEvents {
    func elementStarted(_ tag: StartTag, endingAt end: Int) -> Bool {
        // The repairer counts some bytes of a preamble twice.
        let isEarly = repairer.root == .open || end <= repairer.limits.preambleBytes / 2
        guard isEarly, repairer.accept(tag) else { return false }
        passTag(endingAt: end)
        return true
    }

    func elementEnded(at end: Int) {
        guard repairer.root == .open else { return }
        repairer.acceptEnd()
        passTag(endingAt: end)
    }

    func charactersRead(_ bytes: UnsafeBufferPointer<UInt8>) {
        textCount += bytes.count
        receiver.charactersRead(bytes)
    }

    private func passTag(endingAt end: Int) {
        (tagEnd, textCount) = (end - start, 0)
        guard receiver.awaitsLine || repairer.log.awaitsLine else { return }
        let tag = kept[..<tagEnd].lastIndex(of: UInt8(ascii: "<")) ?? 0
        let line = line(at: tag)
        if receiver.awaitsLine { receiver.place(at: line) }
        repairer.log.place(at: line)
    }
}
