// SPDX-License-Identifier: GPL-3.0-or-later
public import Media

/// The start that the listener chose: a time, or words of the transcript.
public enum StartTarget: Sendable, Equatable {
    case time(TimeTarget)
    case words(String)

    /// Parses a time. Other text is words, unless it looks like a mistyped time: one word that begins with a digit or a
    /// sign.
    public init(parsing text: String) throws(ArgumentError) {
        do throws(ArgumentError) {
            self = .time(try TimeTarget(parsingStart: text))
        } catch {
            let isOneWord = !text.contains(where: \.isWhitespace)
            let looksLikeTime = text.first.map { $0.isNumber || "+-.:%".contains($0) } ?? true
            guard text.contains(where: \.isLetter), !(isOneWord && looksLikeTime) else { throw error }
            self = .words(text)
        }
    }

    /// The time; `nil` for words.
    public var time: TimeTarget? { if case .time(let time) = self { time } else { nil } }
}
