// SPDX-License-Identifier: GPL-3.0-or-later

extension Screen {
    mutating func move(_ action: ScreenAction) {
        let page = max(1, reader == nil ? layout.height(focus) : layout.body.rows)
        switch action {
        case .down: moveFocused(by: 1)
        case .up: moveFocused(by: -1)
        case .halfDown: moveFocused(by: max(1, page / 2))
        case .halfUp: moveFocused(by: -max(1, page / 2))
        case .pageDown: moveFocused(by: page)
        case .pageUp: moveFocused(by: -page)
        case .top: moveToEnd(false)
        default: moveToEnd(true)
        }
    }

    mutating func moveFocused(by step: Int) {
        if reader != nil { reader?.scroll(by: step) } else { move(focus, by: step) }
    }

    mutating func move(_ pane: Pane, by step: Int) {
        switch pane {
        case .podcasts: podcasts.move(by: step)
        case .chapters: chapterCursor.move(by: step, count: chapters.count)
        case .settings: settings.cursor.move(by: step, count: settings.shown.count)
        case .errors: errors.cursor.move(by: step, count: errors.sentences.count)
        default: lists[pane]?.move(by: step)
        }
    }

    private mutating func moveToEnd(_ isEnd: Bool) {
        if reader != nil {
            reader?.scrollToEnd(isEnd)
        } else {
            select(isEnd ? rowCount - 1 : 0, in: focus)
        }
    }

    mutating func select(_ row: Int, in pane: Pane) {
        switch pane {
        case .podcasts: podcasts.move(to: row)
        case .chapters: chapterCursor.move(to: row, count: chapters.count)
        case .settings: settings.cursor.move(to: row, count: settings.shown.count)
        case .errors: errors.cursor.move(to: row, count: errors.sentences.count)
        default: lists[pane]?.move(to: row)
        }
    }

    /// The first visible row of a pane.
    func top(_ pane: Pane, height: Int) -> Int {
        switch pane {
        case .podcasts: podcasts.cursor.visibleTop(height: height, count: podcasts.lines.count)
        case .chapters: chapterCursor.visibleTop(height: height, count: chapters.count)
        case .settings: settings.cursor.visibleTop(height: height, count: settings.shown.count)
        case .errors: errors.cursor.visibleTop(height: height, count: errors.sentences.count)
        default: lists[pane].map { $0.cursor.visibleTop(height: height, count: $0.count) } ?? 0
        }
    }
}
