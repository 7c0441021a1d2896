// SPDX-License-Identifier: GPL-3.0-or-later

/// Splits a command line into arguments, as a shell does: spaces separate, quotes and backslashes keep them.
public enum CommandWords {
    /// - Returns: the arguments; `nil` if a quote is not closed.
    public static func arguments(_ line: String) -> [String]? {
        var words: [String] = []
        var word: String?
        var quote: Character?
        var isEscaped = false
        for character in line {
            if isEscaped {
                word = (word ?? "") + String(character)
                isEscaped = false
            } else if character == "\\", quote != "'" {
                isEscaped = true
            } else if let open = quote {
                if character == open { quote = nil } else { word = (word ?? "") + String(character) }
            } else if character == "\"" || character == "'" {
                (quote, word) = (character, word ?? "")
            } else if character == " " {
                if let word { words.append(word) }
                word = nil
            } else {
                word = (word ?? "") + String(character)
            }
        }
        guard quote == nil, !isEscaped else { return nil }
        return words + (word.map { [$0] } ?? [])
    }
}

/// Completes the name and the options of a command.
struct CommandCompletion: Sendable {
    let commands: [CommandWord]

    /// Returns the whole lines that continue the typed one, in alphabetical order.
    func lines(_ typed: String) -> [String] {
        let names = commands.map(\.name).filter { $0.hasPrefix(typed) && $0 != typed }
        guard names.isEmpty, let space = typed.lastIndex(of: " ") else { return Array(Set(names)).sorted() }
        let (before, last) = (typed[...space], typed[typed.index(after: space)...])
        guard last.hasPrefix("-") else { return [] }
        let command = commands.filter { typed.hasPrefix($0.name + " ") }.max { $0.name.count < $1.name.count }
        let options = (command?.options ?? []).filter { $0.hasPrefix(last) && $0 != last }
        return Array(Set(options)).sorted().map { before + $0 }
    }

    /// Returns the longest beginning that all lines have.
    static func commonPrefix(_ lines: [String]) -> String {
        guard var prefix = lines.first else { return "" }
        for line in lines { while !line.hasPrefix(prefix) { prefix.removeLast() } }
        return prefix
    }
}
