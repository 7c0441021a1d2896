// SPDX-License-Identifier: GPL-3.0-or-later

/// One line at the bottom of a terminal that is redrawn; messages scroll above it.
struct RedrawnLine: Sendable {
    /// Carriage return and erase to the end of the line (ECMA-48 8.3.41, EL).
    static let clear = "\r\u{1B}[K"

    /// The columns of the terminal.
    var width: Int
    private var shown = ""
    private var isInBackground = false

    init(width: Int) { self.width = width }

    /// Draws the line if it changed.
    /// - Parameter render: returns the line for a number of columns.
    mutating func draw(_ render: (_ columns: Int) -> String) -> [ReportText] {
        // The last column stays free: erasing after a line that fills it would erase its last character.
        let line = render(width - 1)
        guard line != shown, !isInBackground else { return [] }
        shown = line
        return [.error(Self.clear + line)]
    }

    /// Writes texts above the line, which must then be drawn again.
    mutating func scroll(_ texts: [ReportText]) -> [ReportText] { erase() + texts }

    mutating func erase() -> [ReportText] {
        defer { shown = "" }
        return shown.isEmpty ? [] : [.error(Self.clear)]
    }

    /// Leaves the line readable above the prompt.
    mutating func leave() -> [ReportText] {
        defer { shown = "" }
        return shown.isEmpty ? [] : [.error("\n")]
    }

    /// Stops drawing while another program has the terminal, and draws again afterwards.
    mutating func setBackground(_ isInBackground: Bool) -> [ReportText] {
        self.isInBackground = isInBackground
        return isInBackground ? leave() : []
    }

    /// Draws again after the terminal changed its width or its contents.
    mutating func redraw(width: Int) { (self.width, shown) = (width, "") }
}
