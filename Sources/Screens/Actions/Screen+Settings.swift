// SPDX-License-Identifier: GPL-3.0-or-later

/// The options of the screen itself, which the list of settings contains.
extension Screen {
    private static let mouse = "tui.mouse"
    private static let clock = "tui.clock"

    mutating func showSettings() {
        let own = [
            SettingRow(
                name: Self.mouse, value: options.hasMouse ? "on" : "off",
                meaning: "whether this screen reacts to the mouse"),
            SettingRow(
                name: Self.clock, value: options.hasClock ? "on" : "off",
                meaning: "whether the position moves each second; off for screen readers"),
        ]
        settings.take(librarySettings + own) { $0.name + " " + $0.meaning }
    }

    /// Changes an option of the screen, or offers the command that changes a setting of the library.
    mutating func openSetting() -> [ScreenEffect] {
        guard let row = settings.selected else { return [] }
        switch row.name {
        case Self.mouse:
            options.hasMouse.toggle()
            showSettings()
            return [.save(.mouse(options.hasMouse))]
        case Self.clock:
            options.hasClock.toggle()
            showSettings()
            return [.save(.clock(options.hasClock))]
        default:
            typing = Typing(.command, "settings set \(row.name) ")
            return []
        }
    }
}
