// SPDX-License-Identifier: GPL-3.0-or-later

/// The lines of a text, without their line feeds.
struct TextLines: Sequence, IteratorProtocol {
    private let text: UnsafeBufferPointer<UInt8>
    private var index = 0

    /// - Parameter text: it must outlive the lines.
    init(_ text: UnsafeBufferPointer<UInt8>) { self.text = text }

    mutating func next() -> UnsafeBufferPointer<UInt8>? {
        range().map { UnsafeBufferPointer(rebasing: text[$0]) }
    }

    /// Returns the place of the next line in the text.
    mutating func range() -> Range<Int>? {
        guard index < text.count else { return nil }
        let start = index
        let end = ByteScan.firstIndex(of: 0x0A, in: text, from: start)
        index = end + 1
        return start..<end
    }
}
