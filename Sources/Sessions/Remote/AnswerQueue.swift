// SPDX-License-Identifier: GPL-3.0-or-later
import TerminalInterface

/// The answers to the lines of `--commands`, in the order of the lines. A pure value.
struct AnswerQueue: Sendable {
    /// The answers to the lines from `first` on; `nil` for those that are still awaited.
    private var answers: [CommandAnswer?] = []
    private var first = 0

    /// Awaits the answer to the next line.
    /// - Returns: the number of the line.
    mutating func expect() -> Int {
        answers.append(nil)
        return first + answers.count - 1
    }

    /// Accepts the answer to a line, once.
    /// - Returns: the answers that are due: an answer waits for those to earlier lines.
    mutating func accept(_ answer: CommandAnswer, to line: Int) -> [CommandAnswer] {
        answers[line - first] = answer
        let due = answers.prefix { $0 != nil }.compactMap { $0 }
        answers.removeFirst(due.count)
        first += due.count
        return due
    }
}
