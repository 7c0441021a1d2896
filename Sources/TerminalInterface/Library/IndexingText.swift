// SPDX-License-Identifier: GPL-3.0-or-later

/// How far making episodes findable is, drawn over itself on a terminal.
public struct IndexingText: Sendable {
    /// Carriage return, and erase to the end of the line. Source: ECMA-48 8.3.41, EL.
    private static let clear = "\r\u{1B}[K"
    private var isDrawn = false

    public init() {}

    public mutating func line(left: Int) -> [ReportText] {
        isDrawn = true
        return [.error("\(Self.clear)Reading notes: \(left) episodes to go")]
    }

    public mutating func finish() -> [ReportText] { isDrawn ? [.error(Self.clear)] : [] }
}
