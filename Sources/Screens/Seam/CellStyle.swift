// SPDX-License-Identifier: GPL-3.0-or-later

/// One of the 16 colours of a terminal, which its user chooses.
public enum TerminalColour: UInt8, Sendable, CaseIterable {
    case black, red, green, yellow, blue, magenta, cyan, white
    case brightBlack, brightRed, brightGreen, brightYellow, brightBlue, brightMagenta, brightCyan, brightWhite
}

/// The appearance of a cell. A colour that is `nil` is the terminal's own.
public struct CellStyle: Sendable, Hashable {
    public var foreground: TerminalColour?
    public var background: TerminalColour?
    public var isBold = false
    public var isDim = false
    public var isReverse = false
    public var isUnderlined = false

    public init(
        _ foreground: TerminalColour? = nil, on background: TerminalColour? = nil, bold: Bool = false,
        dim: Bool = false, reverse: Bool = false, underlined: Bool = false
    ) {
        (self.foreground, self.background) = (foreground, background)
        (isBold, isDim, isReverse, isUnderlined) = (bold, dim, reverse, underlined)
    }

    public static let plain = CellStyle()
}
