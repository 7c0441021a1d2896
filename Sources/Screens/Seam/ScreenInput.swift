// SPDX-License-Identifier: GPL-3.0-or-later

/// A key as the driver decodes it.
public enum ScreenKey: Sendable, Hashable {
    /// A character, also the space.
    case character(Character)
    /// A lower-case letter together with Ctrl.
    case control(Character)
    case enter, escape, tab, backTab, backspace, delete
    case up, down, left, right, home, end, pageUp, pageDown
    /// F1 is `function(1)`.
    case function(Int)
}

/// An action of the mouse at a cell, counted from 0.
public struct MouseInput: Sendable, Hashable {
    public enum Action: Sendable, Hashable {
        case press
        /// The second press on one cell within 400 ms; the driver reports `press` before it.
        case doublePress
        case wheelUp, wheelDown
    }

    public var action: Action
    public var place: CellPlace

    public init(_ action: Action, at place: CellPlace) { (self.action, self.place) = (action, place) }
}
