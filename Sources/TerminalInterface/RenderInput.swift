// SPDX-License-Identifier: GPL-3.0-or-later

/// A file to be rendered, or a section of it: `talk.mp3`, `talk.mp3@1:00-1:30`.
public struct RenderInput: Sendable, Equatable {
    public let target: String
    /// `nil` is all of it.
    public let section: TimeSection?

    /// What stands behind the last `@` is a section where it has the form of one; a name may have an `@` of its own.
    /// - Throws: what has the form of a section and ends before it begins.
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
