// SPDX-License-Identifier: GPL-3.0-or-later

extension String {
    /// Creates a string from bytes that should be UTF-8, repairing invalid ones. Equivalent to `init(decoding:as:)`,
    /// which is slower because it works byte by byte after the first non-ASCII character.
    init(text bytes: UnsafeBufferPointer<UInt8>) {
        guard XMLCharacterFilter.isUTF8(bytes, isCut: false) else {
            self.init(decoding: bytes, as: UTF8.self)
            return
        }
        // Unchecked, because the check above has passed: whole characters, none overlong, no surrogate, none past
        // U+10FFFF.
        self.init(copying: UTF8Span(unchecked: bytes.span))
    }

    init(text bytes: some Collection<UInt8>) {
        self = bytes.withContiguousStorageIfAvailable(String.init(text:)) ?? String(decoding: bytes, as: UTF8.self)
    }
}
