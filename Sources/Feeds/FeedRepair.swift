// SPDX-License-Identifier: GPL-3.0-or-later

/// One kind of fault in a feed, with its repair.
public struct FeedRepair: Sendable, Equatable {
    /// The kind of fault. Quoted document text is cut at 40 bytes and has no control characters.
    public enum Kind: Sendable, Hashable {
        case bareAmpersand
        case bareLessThan
        /// A character name that XML requires a declaration for; replaced by HTML's character.
        case undeclaredEntity(String)
        case controlCharacter
        /// Bytes that are not valid UTF-8, read as windows-1252.
        case invalidUTF8
        /// Bytes without a meaning in the document's charset.
        case invalidBytes(charset: String)
        case unknownEncoding(String)
        case wrongEncoding(declared: String, actual: String)
        case unclosedElement(String)
        case strayEndTag(String)
        /// A tag without its `>`.
        case brokenTag
        /// `<` and `>` around text that is not a tag.
        case noTag
        case overlongTag
        case nestedTooDeep
        case undeclaredPrefix(String)
        case junkBeforeRoot
        /// More items than the limit; the rest is left out.
        case tooManyItems
        case truncated
        case badDate(String)
    }

    public let kind: Kind
    /// The line of the first occurrence, from 1.
    public let line: Int
    /// The number of occurrences.
    public internal(set) var count: Int

    /// Returns a piece of the document for a report.
    static func quoted(_ bytes: some Collection<UInt8>) -> String {
        let visible = bytes.prefix(40).map { $0 < 0x20 || $0 == 0x7F ? UInt8(ascii: " ") : $0 }
        return String(decoding: visible, as: UTF8.self)
    }
}

extension FeedRepair: CustomStringConvertible {
    /// One line: `line 12: bare ampersand (3 times)`.
    public var description: String {
        "line \(line): \(kind)" + (count > 1 ? " (\(count) times)" : "")
    }
}

extension FeedRepair.Kind: CustomStringConvertible {
    public var description: String {
        switch self {
        case .bareAmpersand: "bare ampersand"
        case .bareLessThan: "bare <"
        case .undeclaredEntity(let name): "undeclared entity &\(name);"
        case .controlCharacter: "control character"
        case .invalidUTF8: "invalid UTF-8, read as windows-1252"
        case .invalidBytes(let charset): "invalid bytes in \(charset)"
        case .unknownEncoding(let name): "unknown encoding \(name), read as UTF-8"
        case .wrongEncoding(let declared, let actual): "the declared encoding is \(declared), the real one \(actual)"
        case .unclosedElement(let name): "unclosed <\(name)>"
        case .strayEndTag(let name): "</\(name)> without a start tag"
        case .brokenTag: "unterminated tag"
        case .noTag: "< and > around text that is not a tag"
        case .overlongTag: "overlong tag"
        case .nestedTooDeep: "elements nested too deeply"
        case .undeclaredPrefix(let prefix): "undeclared prefix \(prefix)"
        case .junkBeforeRoot: "junk before the root element"
        case .tooManyItems: "too many items"
        case .truncated: "the document ends inside its root element"
        case .badDate(let text): "unreadable date: \(text)"
        }
    }
}

/// Collects the repairs: one entry for each kind, up to a limit.
final class RepairLog {
    private var found: [FeedRepair] = []
    private let limit: Int
    /// Repairs reported by a stage that does not know the line.
    private var pending: [FeedRepair.Kind] = []

    private static let mostPending = 1_000

    init(limit: Int) {
        self.limit = limit
    }

    /// Returns the repairs of both logs, sorted by line.
    func repairs(with other: RepairLog) -> [FeedRepair] {
        let all = Dictionary((found + other.found).map { ($0.kind, $0) }) { one, other in
            FeedRepair(kind: one.kind, line: min(one.line, other.line), count: one.count + other.count)
        }
        let sorted = all.values.sorted { ($0.line, $0.kind.description) < ($1.line, $1.kind.description) }
        return Array(sorted.prefix(limit))
    }

    /// True if repairs are collected.
    var isOpen: Bool { limit > 0 }
    /// True if a repair is waiting for `place(at:)`.
    var awaitsLine: Bool { isOpen && !pending.isEmpty }

    func note(_ kind: FeedRepair.Kind, line: @autoclosure () -> Int) {
        if let index = found.firstIndex(where: { $0.kind == kind }) {
            found[index].count += 1
        } else if found.count < limit {
            found.append(FeedRepair(kind: kind, line: line(), count: 1))
        }
    }

    /// Notes a repair whose line the next call of `place(at:)` supplies.
    func note(_ kind: FeedRepair.Kind) {
        if isOpen, pending.count < Self.mostPending { pending.append(kind) }
    }

    /// Assigns a line to the pending repairs.
    func place(at line: Int) {
        for kind in pending { note(kind, line: line) }
        pending.removeAll(keepingCapacity: true)
    }
}
