// SPDX-License-Identifier: GPL-3.0-or-later
public import Media

/// The part of the file that a response carries. Source: RFC 9110 section 14.4.
public enum ContentRange: Sendable, Equatable {
    /// "bytes 0-499/1234" is `0..<500` of 1234; "*" in place of the total is `nil`.
    case part(ByteRange, total: Int64?)
    /// "bytes */1234": the server could not send the requested range.
    case unsatisfied(total: Int64)

    /// Parses the value of a Content-Range field; `nil` if it is malformed or uses another unit than bytes.
    public init?(headerText text: String) {
        let words = text.split(separator: " ", omittingEmptySubsequences: true)
        guard words.count == 2, words[0].lowercased() == "bytes" else { return nil }
        let halves = words[1].split(separator: "/", omittingEmptySubsequences: false)
        guard halves.count == 2 else { return nil }
        let total = Int64(httpDigits: halves[1])
        if halves[0] == "*" {
            guard let total else { return nil }
            self = .unsatisfied(total: total)
        } else {
            guard let range = Self.range(halves[0]), total != nil || halves[1] == "*" else { return nil }
            if let total, total < range.upperBound { return nil }
            self = .part(range, total: total)
        }
    }

    /// The range that the response carries; `nil` if unsatisfied.
    public var range: ByteRange? {
        if case .part(let range, _) = self { range } else { nil }
    }

    /// The length of the whole file; `nil` if unknown.
    public var total: Int64? {
        switch self {
        case .part(_, let total): total
        case .unsatisfied(let total): total
        }
    }

    /// Parses "0-499". The bounds are inclusive on the wire and half-open here.
    private static func range(_ text: Substring) -> ByteRange? {
        let bounds = text.split(separator: "-", omittingEmptySubsequences: false)
        guard bounds.count == 2, let first = Int64(httpDigits: bounds[0]), let last = Int64(httpDigits: bounds[1]),
            first <= last
        else { return nil }
        return first..<(last + 1)
    }
}
