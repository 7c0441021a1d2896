// SPDX-License-Identifier: GPL-3.0-or-later

/// Collects the header lines of a transfer and keeps those of the last response: each interim response and each
/// redirect starts over with a status line. Pure.
struct HeadCollector {
    /// The maximum size of one head in bytes.
    static let largestHead = 64 * 1024
    /// The maximum size of all heads of a transfer in bytes, which also bounds endless interim responses.
    static let largestSum = 256 * 1024

    private enum State {
        case collecting
        /// After the blank line. Further lines are trailers, or the status line of the next response.
        case complete
    }

    private(set) var fields = HeaderFields()
    /// True if the last head is complete.
    var isComplete: Bool { if case .complete = state { true } else { false } }
    private var state = State.collecting
    private var headSize = 0
    private var sum = 0

    /// Reads one line with its line end.
    ///
    /// - Returns: false if the head is too large.
    mutating func append(_ line: UnsafeRawBufferPointer) -> Bool {
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
