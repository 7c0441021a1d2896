// SPDX-License-Identifier: GPL-3.0-or-later

/// What stands between `&` and `;`.
enum CharacterReference {
    /// The longest name that can mean something, in bytes.
    static let longestName = 32

    /// - Parameter name: `eacute`, `#233` or `#xE9`.
    /// - Returns: nil where it means nothing. A reference to a character that XML has no place for is 0.
    static func scalar(_ name: some Collection<UInt8>) -> UInt32? {
        guard let first = name.first else { return nil }
        guard first == UInt8(ascii: "#") else {
            return HTMLEntity.scalars[String(decoding: name, as: UTF8.self)].map(UInt32.init)
        }
        let digits = name.dropFirst()
        guard digits.first.map({ $0 | 0x20 }) == UInt8(ascii: "x") else {
            return ASCII.number(digits).map(valid)
        }
        return hexadecimal(digits.dropFirst()).map(valid)
    }

    static func isNameByte(_ byte: UInt8) -> Bool {
        ASCII.isLetterOrDigit(byte) || byte == UInt8(ascii: "#")
    }

    private static func hexadecimal(_ digits: some Collection<UInt8>) -> Int? {
        guard !digits.isEmpty, digits.count <= 8 else { return nil }
        var number = 0
        for digit in digits {
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
    /// Appends XML text for what `&name` and perhaps `;` mean: the character itself, escaped where it is markup; what
    /// means nothing was meant literally.
    static func appendXML(_ name: some Collection<UInt8>, isTerminated: Bool, to output: inout [UInt8]) {
        guard isTerminated, let scalar = scalar(name) else {
            output.append(contentsOf: "&amp;".utf8)
            output.append(contentsOf: name)
            if isTerminated { output.append(UInt8(ascii: ";")) }
            return
        }
        switch scalar {
        case 0x26: output.append(contentsOf: "&amp;".utf8)
        case 0x3C: output.append(contentsOf: "&lt;".utf8)
        case 0x3E: output.append(contentsOf: "&gt;".utf8)
        case 0x22: output.append(contentsOf: "&quot;".utf8)
        default: XMLCharacterFilter.append(scalar, to: &output)
        }
    }

    /// Appends `text` with its references replaced, once; what means nothing stays as it is.
    static func decode(_ text: ArraySlice<UInt8>, into output: inout [UInt8]) {
        var rest = text
        while let ampersand = rest.firstIndex(of: UInt8(ascii: "&")) {
            output.append(contentsOf: rest[..<ampersand])
            let name = rest[(ampersand + 1)...].prefix(longestName).prefix(while: isNameByte)
            if name.endIndex < rest.endIndex, rest[name.endIndex] == UInt8(ascii: ";"), let scalar = scalar(name) {
                XMLCharacterFilter.append(scalar, to: &output)
                rest = rest[(name.endIndex + 1)...]
            } else {
                output.append(UInt8(ascii: "&"))
                rest = rest[(ampersand + 1)...]
            }
        }
        output.append(contentsOf: rest)
    }
}
