// SPDX-License-Identifier: GPL-3.0-or-later

/// Operations on single bytes of UTF-8 text.
enum ASCII {
    static func isSpace(_ byte: UInt8) -> Bool {
        byte == 0x20 || (0x09...0x0D).contains(byte)
    }

    static func isDigit(_ byte: UInt8) -> Bool {
        (0x30...0x39).contains(byte)
    }

    static func isLetter(_ byte: UInt8) -> Bool {
        (0x61...0x7A).contains(byte | 0x20)
    }

    static func isLetterOrDigit(_ byte: UInt8) -> Bool {
        isLetter(byte) || isDigit(byte)
    }

    static func lowercased(_ byte: UInt8) -> UInt8 {
        (0x41...0x5A).contains(byte) ? byte | 0x20 : byte
    }

    /// Compares bytes with `text`, which must be in lower case.
    static func equalsIgnoringCase(_ bytes: some Collection<UInt8>, _ text: StaticString) -> Bool {
        guard bytes.count == text.utf8CodeUnitCount else { return false }
        return text.withUTF8Buffer { text in zip(bytes, text).allSatisfy { lowercased($0) == $1 } }
    }

    /// Compares bytes with `text`, which must be in lower case.
    static func equalsIgnoringCase(_ bytes: UnsafeBufferPointer<UInt8>, _ text: StaticString) -> Bool {
        let count = text.utf8CodeUnitCount
        guard bytes.count == count else { return false }
        var index = 0
        while index < count, lowercased(bytes[index]) == text.utf8Start[index] { index &+= 1 }
        return index == count
    }

    static func equals(_ bytes: UnsafeBufferPointer<UInt8>, _ text: StaticString) -> Bool {
        let count = text.utf8CodeUnitCount
        guard bytes.count == count else { return false }
        var index = 0
        while index < count, bytes[index] == text.utf8Start[index] { index &+= 1 }
        return index == count
    }

    /// Searches for `text`, which must be in lower case.
    static func range<Bytes: RandomAccessCollection<UInt8>>(
        of text: StaticString, in bytes: Bytes
    ) -> Range<Int>? where Bytes.Index == Int {
        let length = text.utf8CodeUnitCount
        guard bytes.count >= length else { return nil }
        return (bytes.startIndex...(bytes.endIndex - length)).lazy.map { $0..<($0 + length) }
            .first { equalsIgnoringCase(bytes[$0], text) }
    }

    static func trimmed<Bytes: BidirectionalCollection<UInt8>>(_ bytes: Bytes) -> Bytes.SubSequence {
        guard let first = bytes.firstIndex(where: { !isSpace($0) }), let last = bytes.lastIndex(where: { !isSpace($0) })
        else { return bytes[bytes.startIndex..<bytes.startIndex] }
        return bytes[first...last]
    }

    static func lowercasedString(_ bytes: some Collection<UInt8>) -> String {
        String(unsafeUninitializedCapacity: bytes.count) { output in
            var count = 0
            for byte in bytes {
                output[count] = lowercased(byte)
                count &+= 1
            }
            return count
        }
    }

    /// Parses decimal digits.
    ///
    /// - Returns: `nil` if any other byte occurs or the number overflows.
    static func number(_ bytes: some Collection<UInt8>) -> Int? {
        guard !bytes.isEmpty else { return nil }
        var number = 0
        for byte in bytes {
            guard isDigit(byte) else { return nil }
            let (product, tooLarge) = number.multipliedReportingOverflow(by: 10)
            let (sum, overflow) = product.addingReportingOverflow(Int(byte & 0x0F))
            guard !tooLarge, !overflow else { return nil }
            number = sum
        }
        return number
    }
}
