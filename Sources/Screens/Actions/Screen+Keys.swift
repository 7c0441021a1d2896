// SPDX-License-Identifier: GPL-3.0-or-later

extension Screen {
    private static let mostHeld = 256

    mutating func press(_ key: ScreenKey) -> [ScreenEffect] {
        if holds(key) {
            if held.count < Self.mostHeld { held.append(key) }
            return []
        }
        (message, keyCount) = (nil, keyCount &+ 1)
        if typing != nil { return type(key) }
        if help != nil { return pressInHelp(key) }
        guard let action = keys.action(key) else { return [] }
        return attempt(action)
    }

    /// Performs an action, or says why it does nothing.
    private mutating func attempt(_ action: ScreenAction) -> [ScreenEffect] {
        guard let reason = refusal(of: action) else { return perform(action) }
        message = (reason, false)
        return []
    }

    /// Returns true if a key waits, because rows that it acts on are on their way, or because another key waits. A
    /// second key that leaves does not wait.
    private mutating func holds(_ key: ScreenKey) -> Bool {
        let action = keys.action(key)
        guard held.isEmpty else {
            let leaves = held.contains { keys.action($0)?.isDeparture == true }
            guard leaves, action?.isDeparture == true else { return true }
            held = []
            return false
        }
        return action.map(awaitsAnswer) ?? false
    }

    private func awaitsAnswer(for action: ScreenAction) -> Bool {
        guard typing == nil, help == nil, reader == nil, action.isForRows else { return false }
        return focus == .podcasts ? podcasts.isAwaited : lists[focus]?.awaitsAnswer(for: action) == true
    }

    /// Handles the keys that waited. One of them may have to wait again, with those after it.
    mutating func releaseKeys() -> [ScreenEffect] {
        guard let first = held.first, keys.action(first).map(awaitsAnswer) != true else { return [] }
        let released = held
        held = []
        var effects: [ScreenEffect] = []
        for key in released { effects += handle(.key(key)) }
        return effects
    }

    /// The text pasted into the line that is typed; elsewhere, an address is offered to subscribe to.
    mutating func paste(_ text: String) {
        let line = String(text.prefix { !$0.isNewline })
        message = nil
        if typing != nil {
            typing?.editor.insert(line)
            typedTextChanged()
        } else if help != nil {
            help?.editor.insert(line)
            help?.select()
        } else if line.hasPrefix("http://") || line.hasPrefix("https://") {
            typing = Typing(.command, "subscribe " + line)
        }
    }

    private mutating func pressInHelp(_ key: ScreenKey) -> [ScreenEffect] {
        switch key {
        case .escape, .control("c"): help = nil
        case .enter: return runHelp()
        case .up, .down, .pageUp, .pageDown: moveInHelp(key)
        default:
            guard help?.editor.handle(key) == true else { return [] }
            help?.select()
        }
        return []
    }

    private mutating func moveInHelp(_ key: ScreenKey) {
        guard let count = help?.rows.count else { return }
        let page = max(1, layout.body.rows)
        let step =
            switch key {
            case .up: -1
            case .down: 1
            case .pageUp: -page
            default: page
            }
        help?.cursor.move(by: step, count: count)
    }

    /// Runs the selected row of the help.
    private mutating func runHelp() -> [ScreenEffect] {
        guard let row = help?.selected else { return [] }
        help = nil
        switch row {
        case .command(let command): typing = Typing(.command, command.name + " ")
        case .action(let action, _): return attempt(action)
        }
        return []
    }
}
