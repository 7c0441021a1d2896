// SPDX-License-Identifier: GPL-3.0-or-later

/// The actions of the keys: the standard ones, changed by the listener's key file.
public struct KeyMap: Sendable, Equatable {
    private var actions: [ScreenKey: ScreenAction]
    /// The keys of each action, in the order in which they were assigned.
    private var keys: [ScreenAction: [ScreenKey]]

    /// Creates the standard keys.
    public init() {
        (actions, keys) = ([:], [:])
        for (action, names) in Self.standard {
            for name in names { if let key = ScreenKey(named: name) { assign(key, to: action) } }
        }
    }

    public func action(_ key: ScreenKey) -> ScreenAction? { actions[key] }

    /// Returns the name of the first key of an action; `nil` if it has none.
    public func keyName(_ action: ScreenAction) -> String? { keys[action]?.first?.name }

    /// Returns the names of all keys of an action.
    public func keyNames(_ action: ScreenAction) -> [String] { (keys[action] ?? []).map(\.name) }

    func key(_ action: ScreenAction) -> ScreenKey? { keys[action]?.first }

    private mutating func assign(_ key: ScreenKey, to action: ScreenAction?) {
        if let old = actions[key] { keys[old]?.removeAll { $0 == key } }
        actions[key] = action
        if let action { keys[action, default: []].append(key) }
    }

    /// Parses the key file: one `key action` a line; `#` begins a comment line; `key none` removes a key.
    /// - Returns: the keys, and a sentence for each line with an error; such lines change nothing.
    public static func parse(_ text: String) -> (keys: KeyMap, problems: [String]) {
        var map = KeyMap()
        var problems: [String] = []
        let lines = text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline)
        for (number, line) in lines.enumerated() {
            if let problem = map.read(line) { problems.append("key file, line \(number + 1): \(problem)") }
        }
        return (map, problems)
    }

    /// - Returns: the error in the line; `nil` if there is none.
    private mutating func read(_ line: Substring) -> String? {
        let words = line.split(whereSeparator: \.isWhitespace).map(String.init)
        guard let first = words.first, !first.hasPrefix("#") else { return nil }
        guard words.count == 2 else { return "write a key and an action, such as \"j down\"" }
        guard let key = ScreenKey(named: first) else {
            return "there is no key \"\(first)\"; a key is one character, enter, f1 or ctrl-a"
        }
        if words[1] == "none" {
            assign(key, to: nil)
            return nil
        }
        guard let action = ScreenAction(rawValue: words[1]) else {
            return "there is no action \"\(words[1])\"; the help (?) lists the actions"
        }
        assign(key, to: action)
        return nil
    }

    private static let standard: [(ScreenAction, [String])] = [
        (.down, ["j", "down"]),
        (.up, ["k", "up"]),
        (.top, ["g", "home"]),
        (.bottom, ["G", "end"]),
        (.halfDown, ["ctrl-d"]),
        (.halfUp, ["ctrl-u"]),
        (.pageDown, ["pagedown", "ctrl-f"]),
        (.pageUp, ["pageup", "ctrl-b"]),
        (.nextPane, ["l", "tab"]),
        (.previousPane, ["h", "backtab"]),
        (.open, ["enter"]),
        (.queue, ["a"]),
        (.queueNext, ["A"]),
        (.moveDown, ["J"]),
        (.moveUp, ["K"]),
        (.download, ["d"]),
        (.remove, ["x"]),
        (.mark, ["m"]),
        (.bookmark, ["b"]),
        (.notes, ["o"]),
        (.transcript, ["t"]),
        (.why, ["w"]),
        (.undo, ["u"]),
        (.refresh, ["R"]),
        (.subscribe, ["s"]),
        (.filter, ["/"]),
        (.nextMatch, ["n"]),
        (.previousMatch, ["N"]),
        (.command, [":"]),
        (.help, ["?", "f1"]),
        (.close, ["esc"]),
        (.toggle, ["space"]),
        (.back, ["left"]),
        (.forward, ["right"]),
        (.previous, ["<", ","]),
        (.next, [">", "."]),
        (.nextChapter, ["c"]),
        (.previousChapter, ["C"]),
        (.louder, ["+", "="]),
        (.quieter, ["-"]),
        (.faster, ["]"]),
        (.slower, ["["]),
        (.normalSpeed, ["backslash"]),
        (.sleep, ["z"]),
        (.`repeat`, ["e"]),
        (.retry, ["r"]),
        (.showQueue, ["1"]),
        (.showPodcasts, ["2"]),
        (.showNew, ["3"]),
        (.showDownloads, ["4"]),
        (.showFind, ["5"]),
        (.showPlaying, ["6"]),
        (.showSettings, ["7"]),
        (.showErrors, ["8"]),
        (.repaint, ["ctrl-l"]),
        (.suspend, ["ctrl-z"]),
        (.quit, ["q", "ctrl-c"]),
        (.stop, ["Q"]),
    ]
}
