// SPDX-License-Identifier: GPL-3.0-or-later

/// A splitter of bytes into lines, for chunks of any size and with bounded memory.
public struct LineSplitter: Sendable {
    /// The most bytes of a line without its end.
    public static let longestLine = 64 * 1024

    public enum Line: Sendable, Equatable {
        case text(String)
        /// A line of more than `longestLine` bytes, which were discarded.
        case tooLong
        case notUTF8
    }

    private let longestLine: Int
    private var pending: [UInt8] = []
    private var overflowing = false

    public init(longestLine: Int = Self.longestLine) { self.longestLine = longestLine }

    /// Returns the lines that `bytes` completes. A line ends with LF or CR LF.
    public mutating func consume(_ bytes: some Sequence<UInt8>) -> [Line] {
        var lines: [Line] = []
        for byte in bytes {
            if byte == 0x0A {
                lines.append(removeLine())
            } else if pending.count < longestLine {
                pending.append(byte)
            } else {
                overflowing = true
            }
        }
        return lines
    }

    /// Returns the last line if it has no line end.
    public mutating func finish() -> Line? {
        pending.isEmpty && !overflowing ? nil : removeLine()
    }

    private mutating func removeLine() -> Line {
        defer {
            pending.removeAll(keepingCapacity: pending.count < 4096)
            overflowing = false
        }
        if overflowing { return .tooLong }
        if pending.last == 0x0D { pending.removeLast() }
        return String(validating: pending, as: UTF8.self).map(Line.text) ?? .notUTF8
    }
}
