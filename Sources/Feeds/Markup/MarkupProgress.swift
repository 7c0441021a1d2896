// SPDX-License-Identifier: GPL-3.0-or-later

/// The document as far as libxml2 has parsed it: the state of the repairer, and the text that the repairer would parse
/// again.
struct MarkupProgress<Receiver: MarkupReceiver> {
    var repairer: MarkupRepairer<Receiver>
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

    init(_ repairer: MarkupRepairer<Receiver>) {
        self.repairer = repairer
    }

    /// True if libxml2 must not parse more: the root element is closed, or the text between two tags is too long.
    var isOver: Bool { repairer.root == .closed || kept.count - tagEnd > repairer.limits.strictBytes }

    mutating func keep(_ piece: UnsafeBufferPointer<UInt8>) {
        kept.append(contentsOf: piece)
    }

    /// Drops the text up to the last tag.
    mutating func dropPassed() {
        _ = line(at: tagEnd)
        kept.removeFirst(tagEnd)
        start += tagEnd
        (tagEnd, counted.end) = (0, 0)
    }

    /// Lets the repairer continue after the last tag. It ignores text after the root element.
    mutating func repair() throws(FeedError) {
        dropPassed()
        repairer.resume(onLine: counted.lines, repeated: textCount)
        let rest = kept
        kept = []
        var failure: FeedError?
        rest.withUnsafeBufferPointer { rest in
            do throws(FeedError) { try repairer.append(rest) } catch { failure = error }
        }
        if let failure { throw failure }
    }

    /// - Parameter index: an index in `kept`, not below that of the previous call.
    private mutating func line(at index: Int) -> Int {
        counted.lines += kept.withUnsafeBufferPointer {
            ByteScan.count(of: UInt8(ascii: "\n"), in: $0, from: counted.end, to: index)
        }
        counted.end = index
        return counted.lines
    }
}

extension MarkupProgress {
    /// Takes a tag that libxml2 read.
    ///
    /// - Returns: false if libxml2 must stop before the tag.
    mutating func start(_ tag: StartTag, endingAt end: Int) -> Bool {
        // The repairer counts some bytes of a preamble twice.
        let isEarly = repairer.root == .open || end <= repairer.limits.preambleBytes / 2
        guard isEarly, repairer.accept(tag) else { return false }
        passTag(endingAt: end)
        return true
    }

    mutating func end(at end: Int) {
        guard repairer.root == .open else { return }
        repairer.acceptEnd()
        passTag(endingAt: end)
    }

    mutating func append(_ text: UnsafeBufferPointer<UInt8>) {
        textCount += text.count
        repairer.receiver.charactersRead(text)
    }

    private mutating func passTag(endingAt end: Int) {
        (tagEnd, textCount) = (end - start, 0)
        guard repairer.receiver.awaitsLine || repairer.log.awaitsLine else { return }
        let tag = kept[..<tagEnd].lastIndex(of: UInt8(ascii: "<")) ?? 0
        let line = line(at: tag)
        if repairer.receiver.awaitsLine { repairer.receiver.place(at: line) }
        repairer.log.place(at: line)
    }
}
