// SPDX-License-Identifier: GPL-3.0-or-later

/// The line that the listener types.
extension Screen {
    private static let longestHistory = 100

    mutating func type(_ key: ScreenKey) -> [ScreenEffect] {
        switch key {
        case .escape, .control("c"): cancelTyping()
        case .enter: return finishTyping()
        case .tab, .backTab: complete(by: key == .tab ? 1 : -1)
        case .up, .down: typing?.purpose == .command ? recall(key == .up ? 1 : -1) : moveWhileTyping(key)
        case .pageUp, .pageDown: break
        case .backspace where typing?.editor.text.isEmpty == true: cancelTyping()
        default:
            let old = typing?.editor.text
            guard typing?.editor.handle(key) == true, typing?.editor.text != old else { return [] }
            typing?.completion = nil
            typing?.completions = []
            typedTextChanged()
        }
        return []
    }

    private mutating func moveWhileTyping(_ key: ScreenKey) { moveFocused(by: key == .up ? -1 : 1) }

    /// Filters and searches while the listener types.
    mutating func typedTextChanged() {
        guard let typing else { return }
        switch typing.purpose {
        case .filter(let pane): setFilter(typing.editor.text, of: pane)
        case .readerSearch: reader?.find(typing.editor.text)
        case .find: lists[.found]?.show(.search(Self.trimmed(typing.editor.text)))
        case .command: break
        }
    }

    static func trimmed(_ text: String) -> String { text.split(separator: " ").joined(separator: " ") }

    private mutating func cancelTyping() {
        if case .filter(let pane) = typing?.purpose { setFilter("", of: pane) }
        typing = nil
    }

    private mutating func finishTyping() -> [ScreenEffect] {
        guard let typing else { return [] }
        self.typing = nil
        return typing.purpose == .command ? runLine(Self.trimmed(ends: typing.editor.text)) : []
    }

    /// Returns the text without spaces at its ends.
    private static func trimmed(ends text: String) -> String {
        String(text.drop { $0 == " " }.reversed().drop { $0 == " " }.reversed())
    }

    private mutating func runLine(_ line: String) -> [ScreenEffect] {
        guard !line.isEmpty else { return [] }
        history.removeAll { $0 == line }
        history.append(line)
        if history.count > Self.longestHistory { history.removeFirst() }
        guard let words = CommandWords.arguments(line), let first = words.first else {
            fail("A quote is not closed in \"\(line)\".")
            return []
        }
        if words.count == 1, let action = Self.words[first], isValid(action) { return perform(action) }
        let known = Set(options.commands.compactMap { $0.name.split(separator: " ").first.map(String.init) })
        guard known.isEmpty || known.contains(first) else {
            fail("There is no command \"\(first)\"; Tab completes the commands.")
            return []
        }
        return run(words, showsOutput: true)
    }

    /// The words of the command line for actions of the screen itself.
    private static let words: [String: ScreenAction] = [
        "q": .quit, "quit": .quit, "exit": .quit, "help": .help, "errors": .showErrors, "find": .showFind,
    ]

    private mutating func complete(by step: Int) {
        guard typing?.purpose == .command, var typing else { return }
        if typing.completion == nil {
            typing.completions = CommandCompletion(commands: options.commands).lines(typing.editor.text)
            let common = CommandCompletion.commonPrefix(typing.completions)
            if typing.completions.count == 1 {
                typing.editor.replace(with: common + " ")
                typing.completions = []
            } else if common.count > typing.editor.text.count {
                typing.editor.replace(with: common)
            } else if !typing.completions.isEmpty {
                typing.completion = step > 0 ? 0 : typing.completions.count - 1
            }
        } else if let index = typing.completion, !typing.completions.isEmpty {
            typing.completion = (index + step + typing.completions.count) % typing.completions.count
        }
        if let index = typing.completion { typing.editor.replace(with: typing.completions[index]) }
        self.typing = typing
    }

    /// Shows an earlier command line.
    private mutating func recall(_ step: Int) {
        let place = (typing?.recalled ?? -1) + step
        guard place >= 0 else {
            if typing?.recalled != nil { typing?.editor.replace(with: "") }
            typing?.recalled = nil
            return
        }
        guard place < history.count else { return }
        typing?.recalled = place
        typing?.editor.replace(with: history[history.count - 1 - place])
    }
}
