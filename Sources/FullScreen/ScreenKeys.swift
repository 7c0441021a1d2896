// SPDX-License-Identifier: GPL-3.0-or-later
public import Screens
public import TerminalInterface

/// The keys and mouse actions of the terminal as events of the screen. A pure value.
public struct ScreenKeys: Sendable {
    /// The longest time between the presses of a double press.
    private static let doublePress = Duration.milliseconds(400)

    private var lastPress: (place: CellPlace, at: Duration)?

    public init() {}

    /// Returns the event of a key; `nil` for an input that the screen does not use.
    /// - Parameter now: the monotonic time.
    public mutating func events(of key: KeyDecoder.Key, at now: Duration) -> [ScreenEvent] {
        switch key {
        case .paste(let text): return [.paste(text)]
        case .mouse(let mouse): return events(of: mouse, at: now)
        case .report: return []
        default: return ScreenKey(key).map { [.key($0)] } ?? []
        }
    }

    private mutating func events(of mouse: KeyDecoder.Mouse, at now: Duration) -> [ScreenEvent] {
        let place = CellPlace(row: mouse.row, column: mouse.column)
        switch mouse.action {
        case .wheelUp: return [.mouse(MouseInput(.wheelUp, at: place))]
        case .wheelDown: return [.mouse(MouseInput(.wheelDown, at: place))]
        case .press:
            let press = ScreenEvent.mouse(MouseInput(.press, at: place))
            if let last = lastPress, last.place == place, now - last.at <= Self.doublePress {
                lastPress = nil
                return [press, .mouse(MouseInput(.doublePress, at: place))]
            }
            lastPress = (place, now)
            return [press]
        case .release, .other: return []
        }
    }
}

extension ScreenKey {
    init?(_ key: KeyDecoder.Key) {
        switch key {
        case .character(let scalar): self = .character(Character(scalar))
        case .control(let scalar): self = .control(Character(scalar))
        case .interrupt: self = .control("c")
        case .function(let number): self = .function(number)
        case .enter: self = .enter
        case .escape: self = .escape
        case .tab: self = .tab
        case .backTab: self = .backTab
        case .backspace: self = .backspace
        case .delete: self = .delete
        case .up: self = .up
        case .down: self = .down
        case .left: self = .left
        case .right: self = .right
        case .home: self = .home
        case .end: self = .end
        case .pageUp: self = .pageUp
        case .pageDown: self = .pageDown
        case .insert, .paste, .mouse, .report: return nil
        }
    }
}
