// SPDX-License-Identifier: GPL-3.0-or-later

/// Gathers the header lines of a transfer and keeps those of the last response: interim responses and redirects
/// each begin anew with a status line. Pure.
struct HeadCollector {
    /// Of one head.
    static let largestHead = 64 * 1024
    /// Of all heads of a transfer, so that endless interim responses end, too.
    static let largestSum = 256 * 1024

    private enum State {
        case collecting
        /// Behind the blank line: what still comes are trailers, or the status line of the next response.
        case complete
    }

    private(set) var fields = HeaderFields()
    /// Whether the last head has come to its end.
    var isComplete: Bool { if case .complete = state { true } else { false } }
    private var state = State.collecting
    private var headSize = 0
    private var sum = 0

    /// Takes one line with its line end.
    /// - Returns: false where the head has grown too large.
    mutating func take(_ line: UnsafeRawBufferPointer) -> Bool {
        sum += line.count
        headSize += line.count
        guard headSize <= Self.largestHead, sum <= Self.largestSum else { return false }
        let text = String(decoding: line.prefix { $0 != 0x0D && $0 != 0x0A }, as: UTF8.self)
        if text.hasPrefix("HTTP/") {
            (fields, state, headSize) = (HeaderFields(), .collecting, line.count)
        } else if text.isEmpty {
            state = .complete
        } else if case .collecting = state {
            fields.append(line: text)
        }
        return true
    }
}
