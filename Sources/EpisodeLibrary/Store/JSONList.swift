// SPDX-License-Identifier: GPL-3.0-or-later

/// A list of texts as a JSON array, stored in one column.
enum JSONList {
    static func text(_ strings: [String]) -> String {
        "[" + strings.map(quoted).joined(separator: ",") + "]"
    }

    /// Parses an array that `text` wrote; returns an empty list for anything else.
    static func strings(_ text: String) -> [String] {
        var strings: [String] = []
        var current: String.UnicodeScalarView?
        var isEscaped = false
        for scalar in text.unicodeScalars {
            guard current != nil else {
                if scalar == "\"" { current = String.UnicodeScalarView() }
                continue
            }
            if isEscaped {
                current?.append(scalar == "n" ? "\n" : scalar)
                isEscaped = false
            } else if scalar == "\\" {
                isEscaped = true
            } else if scalar == "\"" {
                strings.append(current.map { String($0) } ?? "")
                current = nil
            } else {
                current?.append(scalar)
            }
        }
        return strings
    }

    private static func quoted(_ string: String) -> String {
        var text = "\""
        for scalar in string.unicodeScalars {
            switch scalar {
            case "\"", "\\": text += "\\\(scalar)"
            case "\n": text += "\\n"
            case _ where scalar.value < 0x20: text += " "
            default: text.unicodeScalars.append(scalar)
            }
        }
        return text + "\""
    }
}
