// SPDX-License-Identifier: GPL-3.0-or-later
public import Media

/// The abilities of a terminal that decide how the screen is drawn.
public struct TerminalTraits: Sendable {
    /// False for a locale that is not UTF-8: every cell then is ASCII.
    public var isUnicode: Bool
    /// False if no colour may be used; bold, dim and reverse remain.
    public var hasColours: Bool
    /// True if the terminal draws pictures itself (kitty, sixel): covers then are in `CellGrid.cover`.
    public var drawsPictures: Bool
    /// Returns the columns that a cluster takes on this terminal. Values are clamped to 0...2, and the character is
    /// left out if the value is 0. The driver writes each cluster in a form that has this width: it leaves out
    /// variation selectors, skin tones and joined members that the terminal would draw separately.
    public var columns: @Sendable (Character) -> Int

    public init(
        isUnicode: Bool = true, hasColours: Bool = true, drawsPictures: Bool = false,
        columns: @escaping @Sendable (Character) -> Int = { $0.terminalColumns }
    ) {
        (self.isUnicode, self.hasColours, self.drawsPictures) = (isUnicode, hasColours, drawsPictures)
        self.columns = columns
    }
}
