// SPDX-License-Identifier: GPL-3.0-or-later

/// The places of all parts on the screen. They depend on the size, the view and the focus only.
struct Layout: Sendable, Equatable {
    enum Kind: Sendable { case tiny, standard, wide }

    let kind: Kind
    /// The row of the tabs, or of the heading of a tiny screen.
    let head: Area
    /// The row of the titles of the panes; `nil` on a tiny screen.
    let titles: Area?
    /// Everything between the titles and the line of playback; a reader and the help cover it.
    let body: Area
    private(set) var panes: [Pane: Area] = [:]
    /// The details of the selected row; the row above has its title.
    private(set) var details: Area?
    /// The cover, the chapters and the queue beside the lists of a wide screen.
    private(set) var side: (now: Area, queue: Area)?
    /// The place of the cover.
    private(set) var cover: Area?
    /// The columns with vertical lines, each with its rows.
    private(set) var verticals: [Area] = []
    let now: Area
    let footer: Area

    init(_ size: ScreenSize, _ tab: ScreenTab, focus: Pane) {
        let (rows, columns) = (size.rows, size.columns)
        kind = rows < 15 || columns < 60 ? .tiny : columns >= 110 && rows >= 20 ? .wide : .standard
        let nowRows = kind == .standard && rows >= 20 ? 3 : 1
        let isTiny = kind == .tiny
        let rules = isTiny ? 0 : nowRows == 3 ? 2 : 1
        let footRows = rows >= 2 ? 1 : 0
        let nowShown = rows >= 4 ? nowRows : 0
        let headRows = rows >= 3 ? 1 : 0
        head = Area(row: 0, column: 0, rows: headRows, columns: columns)
        titles = isTiny ? nil : Area(row: 1, column: 0, rows: 1, columns: columns)
        let first = headRows + (isTiny ? 0 : 1)
        let bottom = nowShown + footRows + rules
        body = Area(row: first, column: 0, rows: rows - first - bottom, columns: columns)
        now = Area(row: body.endRow + (isTiny ? 0 : 1), column: 0, rows: nowShown, columns: columns)
        footer = Area(row: rows - footRows, column: 0, rows: footRows, columns: columns)
        if isTiny { panes = [focus: body] } else { divide(tab) }
    }

    private mutating func divide(_ tab: ScreenTab) {
        var lists = body
        if kind == .wide, tab != .playing { lists = divideSide() }
        switch tab {
        case .podcasts:
            let width = kind == .wide ? min(36, body.columns / 5) : max(18, min(32, body.columns * 27 / 100))
            panes[.podcasts] = Area(row: lists.row, column: 0, rows: lists.rows, columns: width)
            verticals.append(Area(row: lists.row, column: width, rows: lists.rows, columns: 1))
            divideDetails(.episodes, lists.inset(left: width + 1))
        case .playing: dividePlaying()
        default: divideDetails(tab.panes[0], lists)
        }
    }

    private mutating func divideSide() -> Area {
        let width = min(48, body.columns * 3 / 10)
        let place = body.columns - width
        let right = body.inset(left: place)
        let parts = right.split(top: Self.listRows(body), gap: 1)
        side = (parts.top.inset(left: 1), parts.bottom.inset(left: 1))
        cover = parts.top.rows >= 16 ? Self.cover(parts.top, width: 24) : nil
        verticals.append(Area(row: body.row, column: place - 1, rows: body.rows, columns: 1))
        return body.inset(left: 0, right: width + 1)
    }

    private mutating func divideDetails(_ pane: Pane, _ area: Area) {
        let parts = area.split(top: Self.listRows(area), gap: 1)
        panes[pane] = parts.top
        if parts.bottom.rows > 0 { details = parts.bottom.inset(left: 1) }
    }

    private mutating func dividePlaying() {
        let width = body.columns * 45 / 100
        let left = Area(row: body.row, column: 0, rows: body.rows, columns: width)
        verticals.append(Area(row: body.row, column: width, rows: body.rows, columns: 1))
        cover = left.rows >= 14 ? Self.cover(left, width: width - 4) : nil
        // The title, the podcast, and a heading stand above the chapters.
        panes[.chapters] = left.split(top: (cover.map { $0.rows + 1 } ?? 0) + 3).bottom
        let parts = body.inset(left: width + 1).split(top: Self.listRows(body), gap: 1)
        details = parts.top.inset(left: 1)
        panes[.queue] = parts.bottom
        if parts.bottom.rows < 1 { panes[.queue] = nil }
    }

    /// The rows of a list above details, of which one third of the rows, after a line, remains for the details.
    private static func listRows(_ area: Area) -> Int {
        area.rows < 10 ? area.rows : area.rows - area.rows / 3 - 1
    }

    /// Returns the place of a cover: about twice as many columns as rows make a square.
    private static func cover(_ area: Area, width: Int) -> Area {
        let rows = max(4, min(width / 2, area.rows / 2, 16))
        return Area(row: area.row, column: area.column + 2, rows: rows, columns: min(rows * 2, area.columns - 2))
    }

    /// The number of visible rows of a list; 0 if it is not on the screen.
    func height(_ pane: Pane) -> Int { panes[pane]?.rows ?? 0 }

    static func == (left: Layout, right: Layout) -> Bool {
        left.head == right.head && left.body == right.body && left.panes == right.panes && left.now == right.now
            && left.details == right.details && left.cover == right.cover && left.footer == right.footer
    }
}
