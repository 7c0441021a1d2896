// SPDX-License-Identifier: GPL-3.0-or-later

/// A push parser for UTF-8 text that should be XML. It accepts any chunking and passes elements and text to a
/// receiver.
///
/// libxml2 parses the document up to its first fault. There `MarkupRepairer` takes over, at the end of the last tag
/// before the fault: it continues with the open elements of the strict parser, and parses again the text that was kept
/// since that tag. So memory stays flat, and the result is that of the repairer alone.
final class MarkupReader<Receiver: MarkupReceiver> {
    /// A pointer, because libxml2 calls back while `append` uses this reader.
    private let progress: UnsafeMutablePointer<MarkupProgress<Receiver>>
    /// `nil` after the repairer has taken over.
    private var parser: XMLPushParser?
    /// True if the repairer parses a part of the document.
    private(set) var isRepairing: Bool

    /// - Parameters:
    ///   - roots: local names of the elements that may be the root, in lower case.
    ///   - isStrictFirst: false to parse the whole document with the repairer, for comparisons.
    init(
        receiver: Receiver, roots: [StaticString], limits: FeedLimits, log: RepairLog, isStrictFirst: Bool = true
    ) {
        let repairer = MarkupRepairer(receiver: receiver, roots: roots, limits: limits, log: log)
        progress = .allocate(capacity: 1)
        progress.initialize(to: MarkupProgress(repairer))
        isRepairing = !isStrictFirst
        guard isStrictFirst else { return }
        let events = XMLEvents(
            target: progress,
            elementStarted: { Self.progress($0).pointee.start($1, endingAt: $2) },
            elementEnded: { Self.progress($0).pointee.end(at: $1) },
            charactersRead: { Self.progress($0).pointee.append($1) })
        parser = XMLPushParser(limits: limits, events: events)
    }

    deinit {
        progress.deinitialize(count: 1)
        progress.deallocate()
    }

    private static func progress(_ pointer: UnsafeMutableRawPointer) -> UnsafeMutablePointer<MarkupProgress<Receiver>> {
        pointer.assumingMemoryBound(to: MarkupProgress<Receiver>.self)
    }

    /// The line at which the parser stands after the end of the document, from 1.
    var line: Int { progress.pointee.repairer.line }

    /// True if the document ended inside an item.
    var endsInsideItem: Bool { progress.pointee.repairer.endsInsideItem }

    func withReceiver<Result>(_ body: (inout Receiver) -> Result) -> Result {
        body(&progress.pointee.repairer.receiver)
    }

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
        return try progress.pointee.repairer.finish()
    }

    /// The approximate number of bytes that libxml2 gets at a time. It bounds the size of the tags that libxml2 parses.
    private static var pieceLength: Int { 32 << 10 }

    private func read(_ piece: UnsafeBufferPointer<UInt8>) throws(FeedError) {
        guard let parser else { return try progress.pointee.repairer.append(piece) }
        progress.pointee.keep(piece)
        parser.append(piece)
        if parser.hasStopped || progress.pointee.isOver { try takeOver() } else { progress.pointee.dropPassed() }
    }

    private func takeOver() throws(FeedError) {
        parser = nil
        isRepairing = progress.pointee.repairer.root != .closed
        try progress.pointee.repair()
    }
}
