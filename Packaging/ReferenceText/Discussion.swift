// SPDX-License-Identifier: GPL-3.0-or-later

/// The parts of the discussion of a command's help.
struct Discussion: Equatable {
    /// A part with indented lines: its heading without the colon, and the lines without their indentation.
    struct Listing: Equatable {
        let heading: String
        let lines: [Substring]
    }

    private(set) var paragraphs: [String] = []
    private(set) var listings: [Listing] = []

    static let examples = "For example"

    init(_ text: String) {
        for part in text.split(separator: "\n\n") {
            let lines = part.split(separator: "\n")
            let body = lines.dropFirst()
            if let first = lines.first, first.hasSuffix(":"), !body.isEmpty, body.allSatisfy({ $0.hasPrefix(" ") }) {
                listings.append(Listing(heading: String(first.dropLast()), lines: Self.outdented(body)))
            } else {
                paragraphs.append(lines.joined(separator: " "))
            }
        }
    }

    private static func outdented(_ lines: ArraySlice<Substring>) -> [Substring] {
        let indentation = lines.map { $0.prefix { $0 == " " }.count }.min() ?? 0
        return lines.map { $0.dropFirst(indentation) }
    }
}
