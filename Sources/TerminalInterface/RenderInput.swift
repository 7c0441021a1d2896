// SPDX-License-Identifier: GPL-3.0-or-later

/// An input of `earshot render`: a file or a section of it, as in `talk.mp3` or `talk.mp3@1:00-1:30`.
public struct RenderInput: Sendable, Equatable {
    public let target: String
    /// The section; `nil` for the whole file.
    public let section: TimeSection?

    /// Parses an input. Text after the last `@` is a section if it has the form of one; a name may contain `@`, too.
    /// - Throws: an error for a section that ends before it begins.
    public init(parsing text: String) throws(ArgumentError) {
        guard let mark = text.lastIndex(of: "@"), mark != text.startIndex,
            text[mark...].dropFirst().allSatisfy({ "0123456789:.-".contains($0) }), text[mark...].contains("-")
        else {
            (target, section) = (text, nil)
            return
        }
        target = String(text[..<mark])
        section = try TimeSection(parsing: text[mark...].dropFirst())
    }
}
