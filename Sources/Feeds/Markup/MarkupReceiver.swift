// SPDX-License-Identifier: GPL-3.0-or-later

/// The receiver of a document's elements and text. The pointers are valid only during the call.
protocol MarkupReceiver: AnyObject {
    func elementStarted(_ tag: StartTag)
    func elementEnded()
    /// A piece of text: UTF-8, split anywhere between characters.
    func charactersRead(_ bytes: UnsafeBufferPointer<UInt8>)
    /// True if the receiver needs the line of the last start tag.
    var awaitsLine: Bool { get }
    func place(at line: Int)
}

extension MarkupReceiver {
    var awaitsLine: Bool { false }

    func place(at line: Int) {}
}
