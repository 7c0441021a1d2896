// SPDX-License-Identifier: GPL-3.0-or-later

/// Decodes character references: the text between `&` and `;`.
enum CharacterReference {
    /// The length of the longest name with a meaning, in bytes.
    static let longestName = 32

    /// - Parameter name: `eacute`, `#233` or `#xE9`.
    /// - Returns: `nil` if the name has no meaning; 0 if the number is not a Unicode scalar.
    static func scalar(_ name: UnsafeBufferPointer<UInt8>) -> UInt32? {
        guard let first = name.first else { return nil }
        guard first == UInt8(ascii: "#") else { return HTMLEntity.scalar(name) }
        let isHexadecimal = name.count > 1 && name[1] | 0x20 == UInt8(ascii: "x")
        guard isHexadecimal else { return ASCII.number(name.dropFirst()).map(valid) }
        return hexadecimal(name.dropFirst(2)).map(valid)
    }

    static func isNameByte(_ byte: UInt8) -> Bool {
        ASCII.isLetterOrDigit(byte) || byte == UInt8(ascii: "#")
    }

    /// Returns true if XML defines the name without a declaration.
    static func isXML(_ name: UnsafeBufferPointer<UInt8>) -> Bool {
        let names: [StaticString] = ["amp", "lt", "gt", "quot", "apos"]
        return names.contains { ASCII.equals(name, $0) }
    }

    private static func hexadecimal(_ digits: some Collection<UInt8>) -> Int? {
        let significant = digits.drop { $0 == UInt8(ascii: "0") }
        guard !digits.isEmpty, significant.count <= 8 else { return nil }
        var number = 0
        for digit in significant {
            switch digit {
            case 0x30...0x39: number = number << 4 | Int(digit & 0x0F)
            case 0x41...0x46, 0x61...0x66: number = number << 4 | Int(digit & 0x0F) + 9
            default: return nil
            }
        }
        return number
    }

    private static func valid(_ number: Int) -> UInt32 {
        guard let scalar = UInt32(exactly: number).flatMap(Unicode.Scalar.init) else { return 0 }
        return scalar.value
    }
}

extension CharacterReference {
    /// Appends `text` with its references decoded once. A reference without a meaning stays unchanged.
    static func decode(_ text: UnsafeBufferPointer<UInt8>, into output: inout [UInt8]) {
        let ampersand = UInt8(ascii: "&")
        var index = 0
        while index < text.count {
            let next = ByteScan.firstIndex(of: ampersand, in: text, from: index)
            output.append(contentsOf: UnsafeBufferPointer(rebasing: text[index..<next]))
            guard next < text.count else { return }
            if let (scalar, end) = reference(in: text, at: next) {
                XMLCharacterFilter.append(scalar, to: &output)
                index = end
            } else {
                output.append(ampersand)
                index = next + 1
            }
        }
    }

    /// - Returns: the character of the reference that begins at `start`, and the index after the reference.
    static func reference(in text: UnsafeBufferPointer<UInt8>, at start: Int) -> (scalar: UInt32, end: Int)? {
        var end = start + 1
        // A number may begin with any number of zeros.
        let isNumber = end < text.count && text[end] == UInt8(ascii: "#")
        let most = isNumber ? text.count : min(text.count, start + 2 + longestName)
        while end < most, isNameByte(text[end]) { end += 1 }
        guard end < most, text[end] == UInt8(ascii: ";"),
            let scalar = scalar(UnsafeBufferPointer(rebasing: text[(start + 1)..<end]))
        else { return nil }
        return (scalar, end + 1)
    }
}
