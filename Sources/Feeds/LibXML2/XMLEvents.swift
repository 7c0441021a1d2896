// SPDX-License-Identifier: GPL-3.0-or-later

/// The receiver of the events of `XMLPushParser`: functions and their first argument. The pointers are valid only
/// during the call.
///
/// Functions without captures, because they are called for each tag and each piece of text: a protocol would prevent
/// their specialization, and captures are counted references.
struct XMLEvents {
    let target: UnsafeMutableRawPointer
    /// Takes a start tag, and the number of bytes of the document up to its end. Returns false if the parser must stop
    /// before the tag.
    let elementStarted: (_ target: UnsafeMutableRawPointer, StartTag, Int) -> Bool
    /// Takes the number of bytes of the document up to the end of the end tag or the empty element.
    let elementEnded: (_ target: UnsafeMutableRawPointer, Int) -> Void
    /// Takes a piece of text: UTF-8, split anywhere between characters.
    let charactersRead: (_ target: UnsafeMutableRawPointer, UnsafeBufferPointer<UInt8>) -> Void
}
