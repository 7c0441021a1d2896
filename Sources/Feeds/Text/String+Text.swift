// SPDX-License-Identifier: GPL-3.0-or-later

extension String {
    /// The text of bytes that mean to be UTF-8; what is none is repaired. The same as `init(decoding:as:)`, which goes
    /// byte by byte once there is one character beyond ASCII.
    init(text bytes: UnsafeBufferPointer<UInt8>) {
        guard XMLCharacterFilter.isUTF8(bytes, isCut: false) else {
            self.init(decoding: bytes, as: UTF8.self)
            return
        }
        // Unchecked, for it has just been checked: whole characters, none overlong, no surrogate, none past U+10FFFF.
        self.init(copying: UTF8Span(unchecked: bytes.span))
    }

    init(text bytes: some Collection<UInt8>) {
        self = bytes.withContiguousStorageIfAvailable(String.init(text:)) ?? String(decoding: bytes, as: UTF8.self)
    }
}
