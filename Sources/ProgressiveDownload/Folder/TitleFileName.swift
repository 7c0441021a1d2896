// SPDX-License-Identifier: GPL-3.0-or-later

/// A file name made from an episode's title, valid on any file system.
enum TitleFileName {
    /// Most file systems allow 255; the extension and a temporary name need the rest.
    private static let mostBytes = 200

    /// - Parameter kept: The name of the kept file, which has the extension.
    /// - Returns: `nil` for a title without usable characters.
    static func name(for title: String, like kept: String) -> String? {
        let suffix = kept.lastIndex(of: ".").map { String(kept[$0...]) } ?? ""
        let bare = title.lowercased().hasSuffix(suffix) ? String(title.dropLast(suffix.count)) : title
        let words = String(String.UnicodeScalarView(bare.unicodeScalars.map(plain)))
            .split(whereSeparator: \.isWhitespace)
        var name = ""
        for character in words.joined(separator: " ").drop(while: { "-. ".contains($0) }) {
            guard name.utf8.count + String(character).utf8.count <= mostBytes else { break }
            name.append(character)
        }
        while let last = name.last, ". ".contains(last) { name.removeLast() }
        return name.isEmpty ? nil : name + suffix
    }

    /// Replaces separators and characters that Windows rejects by a dash; control characters and direction marks by a
    /// space.
    private static func plain(_ scalar: Unicode.Scalar) -> Unicode.Scalar {
        switch scalar.properties.generalCategory {
        case .control, .surrogate, .lineSeparator, .paragraphSeparator: " "
        case .format where scalar.value != 0x200D: " "
        default: "/\\:*?\"<>|".unicodeScalars.contains(scalar) ? "-" : scalar
        }
    }
}
