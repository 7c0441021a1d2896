// SPDX-License-Identifier: GPL-3.0-or-later
@testable import Feeds

/// A receiver that records its calls as text: `<name a=1>text</>`.
final class MarkupRecord: MarkupReceiver {
    private(set) var text = ""
    private(set) var awaitsLine = false
    /// True to record also namespace declarations, and the line of each tag.
    let isDetailed: Bool

    init(isDetailed: Bool = false) {
        self.isDetailed = isDetailed
    }

    func elementStarted(_ tag: StartTag) {
        let values = tag.attributes.all.map { " \($0.name)=\(String(decoding: $0.value, as: UTF8.self))" }
        text += "<\(String(decoding: tag.name, as: UTF8.self))\(values.joined())"
        if isDetailed { text += tag.namespaces.map { " xmlns:\($0.prefix)=\($0.uri)" }.joined() }
        text += ">"
        awaitsLine = isDetailed
    }

    func elementEnded() {
        text += "</>"
    }

    func charactersRead(_ bytes: UnsafeBufferPointer<UInt8>) {
        text += String(decoding: bytes, as: UTF8.self)
    }

    func place(at line: Int) {
        text += "@\(line):"
        awaitsLine = false
    }
}

/// A reader whose events are recorded.
struct RecordedReader {
    private let record: MarkupRecord
    private let reader: MarkupReader<MarkupRecord>

    init(
        roots: [StaticString], limits: FeedLimits = FeedLimits(), log: RepairLog = RepairLog(limit: 0),
        isDetailed: Bool = false, isStrictFirst: Bool = true
    ) {
        record = MarkupRecord(isDetailed: isDetailed)
        reader = MarkupReader(
            receiver: record, roots: roots, limits: limits, log: log, isStrictFirst: isStrictFirst)
    }

    var text: String { record.text }
    var isRepairing: Bool { reader.isRepairing }

    /// Parses `bytes` in pieces of about these lengths, which repeat: each piece ends with a whole character.
    ///
    /// - Returns: true if the document was complete.
    func read(_ bytes: [UInt8], pieces: [Int] = [.max]) throws -> Bool {
        var rest = bytes[...]
        var number = 0
        while !rest.isEmpty {
            let length = pieces[number % pieces.count]
            number += 1
            let piece = Array(rest.prefix(length)) + rest.dropFirst(length).prefix { $0 & 0xC0 == 0x80 }
            rest = rest.dropFirst(piece.count)
            try piece.withUnsafeBufferPointer { try reader.append($0) }
        }
        return try reader.finish()
    }
}
