// SPDX-License-Identifier: GPL-3.0-or-later

/// The receiver of a document's elements and text. The pointers are valid only during the call.
protocol MarkupReceiver {
    mutating func elementStarted(_ tag: StartTag)
    mutating func elementEnded()
    /// A piece of text: UTF-8, split anywhere between characters.
    mutating func charactersRead(_ bytes: UnsafeBufferPointer<UInt8>)
    /// True if the receiver needs the line of the last start tag.
    var awaitsLine: Bool { get }
    mutating func place(at line: Int)
}

extension MarkupReceiver {
    var awaitsLine: Bool { false }

    mutating func place(at line: Int) {}
}
