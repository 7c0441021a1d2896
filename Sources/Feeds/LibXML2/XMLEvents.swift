// SPDX-License-Identifier: GPL-3.0-or-later

/// The receiver of the events of `XMLPushParser`. The pointers are valid only during the call.
protocol XMLEvents: AnyObject {
    /// - Parameter end: the number of bytes of the document up to the end of the tag.
    /// - Returns: false if the parser must stop before the tag.
    func elementStarted(_ tag: StartTag, endingAt end: Int) -> Bool
    /// - Parameter end: the number of bytes of the document up to the end of the end tag or the empty element.
    func elementEnded(at end: Int)
    /// A piece of text: UTF-8, split anywhere between characters.
    func charactersRead(_ bytes: UnsafeBufferPointer<UInt8>)
}
