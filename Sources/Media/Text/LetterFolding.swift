// SPDX-License-Identifier: GPL-3.0-or-later

/// The folding of letters to the form used for searching: without case, marks, width and the variant shapes of a
/// script. Pure.
package enum LetterFolding {
    package enum Folded: Sendable {
        /// The character separates words.
        case gap
        /// The character is dropped: a mark of a script that can be read without marks, or a formatting character.
        case nothing
        case letter(Unicode.Scalar)
        case letters(String)
    }

    package static func folded(_ scalar: Unicode.Scalar) -> Folded {
        if scalar.isASCII { return ascii(scalar) }
        if isPlainUnspaced(scalar.value) { return .letter(scalar) }
        if let letters = variants[scalar.value] { return letters }
        if let letter = width(scalar.value) { return letter }
        let properties = scalar.properties
        switch properties.generalCategory {
        case .uppercaseLetter, .titlecaseLetter: return lowercased(properties.lowercaseMapping)
        case .lowercaseLetter, .otherLetter, .letterNumber: return .letter(scalar)
        case .decimalNumber, .otherNumber: return number(scalar)
        // The Arabic tatweel only stretches a word.
        case .modifierLetter: return scalar.value == 0x640 ? .nothing : .letter(scalar)
        case .nonspacingMark, .spacingMark, .enclosingMark: return isLeftOut(scalar.value) ? .nothing : .letter(scalar)
        case .format: return .nothing
        default: return .gap
        }
    }

    private static func ascii(_ scalar: Unicode.Scalar) -> Folded {
        switch scalar {
        case "a"..."z", "0"..."9": .letter(scalar)
        case "A"..."Z": .letter(Unicode.Scalar(UInt8(scalar.value) | 0x20))
        default: .gap
        }
    }

    /// True for the bulk of Chinese, Japanese and Korean characters, which are never folded.
    private static func isPlainUnspaced(_ value: UInt32) -> Bool {
        (0x3041...0x3096).contains(value) || (0x30A1...0x30FA).contains(value) || (0x4E00...0x9FFF).contains(value)
            || (0xAC00...0xD7A3).contains(value)
    }

    private static func lowercased(_ text: String) -> Folded {
        let scalars = text.unicodeScalars
        guard let first = scalars.first, scalars.dropFirst().allSatisfy({ isLeftOut($0.value) }) else {
            return .letters(text)
        }
        return variants[first.value] ?? .letter(first)
    }

    /// Maps the digits of all scripts to ASCII digits.
    private static func number(_ scalar: Unicode.Scalar) -> Folded {
        guard scalar.properties.numericType == .decimal || scalar.properties.numericType == .digit,
            let value = scalar.properties.numericValue.flatMap(UInt8.init(exactly:)), value < 10
        else { return .letter(scalar) }
        return .letter(Unicode.Scalar(UInt8(ascii: "0") + value))
    }

    /// True for marks of Latin, Greek, Cyrillic, Hebrew, Arabic and Syriac, which are dropped. In the scripts of
    /// India and Southeast Asia marks are vowels; in Japanese they change the consonant.
    private static func isLeftOut(_ value: UInt32) -> Bool {
        switch value {
        case ..<0x900, 0x1AB0...0x1AFF, 0x1DC0...0x1DFF, 0x20D0...0x20FF, 0xFE00...0xFE2F, 0xE0100...: true
        default: false
        }
    }

    // MARK: Width

    private static let halfwidth = Array(
        ("・ヲァィゥェォャュョッーアイウエオカキクケコサシスセソタチツテトナニヌネノハヒフヘホマミムメモヤユヨラリルレロワン\u{3099}\u{309A}")
            .unicodeScalars)

    /// Folds fullwidth and halfwidth forms and the mathematical alphabets.
    private static func width(_ value: UInt32) -> Folded? {
        switch value {
        case 0xFF01...0xFF5E: Unicode.Scalar(value - 0xFEE0).map(ascii)
        case 0xFF65...0xFF9F: value == 0xFF65 ? .gap : .letter(halfwidth[Int(value - 0xFF65)])
        case 0x1D400...0x1D6A3: Unicode.Scalar(0x61 + (value - 0x1D400) % 26).map(Folded.letter)
        default: nil
        }
    }

    // MARK: Variants

    private static let variants: [UInt32: Folded] = {
        var variants: [UInt32: Folded] = [:]
        for line in LetterVariants.lines {
            let parts = line.split(separator: " ")
            guard parts.count == 2, let first = parts[0].unicodeScalars.first else { continue }
            let folded = parts[0].unicodeScalars.count == 1 ? Folded.letter(first) : .letters(String(parts[0]))
            for scalar in parts[1].unicodeScalars {
                variants[scalar.value] = folded
                let upper = scalar.properties.uppercaseMapping.unicodeScalars
                if upper.count == 1, let upper = upper.first, !upper.isASCII { variants[upper.value] = folded }
            }
        }
        return variants
    }()
}
