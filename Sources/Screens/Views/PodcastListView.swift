// SPDX-License-Identifier: GPL-3.0-or-later

/// The list of podcasts with their groups and the numbers of unplayed episodes.
struct PodcastListView {
    let screen: Screen

    func draw(in area: Area, on canvas: inout Canvas) {
        let tree = screen.podcasts
        let top = tree.cursor.visibleTop(height: area.rows, count: tree.lines.count)
        for line in 0..<max(0, min(area.rows, tree.lines.count - top)) {
            let place = area.line(line)
            row(tree.lines[top + line], in: place, on: &canvas)
            guard top + line == tree.cursor.index else { continue }
            canvas.put(">", place.row, place.column)
            canvas.select(place, isFocused: screen.focus == .podcasts)
        }
    }

    private func row(_ line: PodcastLine, in area: Area, on canvas: inout Canvas) {
        switch line {
        case .all: write("All", "\(screen.podcasts.unplayed)", depth: 0, area, on: &canvas)
        case .group(let path, let isOpen):
            write((isOpen ? "- " : "+ ") + (path.last ?? ""), "", depth: path.count - 1, area, on: &canvas)
        case .podcast(let podcast, let depth):
            let note = podcast.failure != nil ? "!" : podcast.unplayed > 0 ? "\(podcast.unplayed)" : ""
            write(podcast.title.isEmpty ? "(no title)" : podcast.title, note, depth: depth, area, on: &canvas)
        }
    }

    private func write(_ title: String, _ note: String, depth: Int, _ area: Area, on canvas: inout Canvas) {
        let rest = area.inset(left: 2 + min(depth, 6) * 2, right: 1)
        let width = canvas.text(note, in: rest, note == "!" ? CellStyle(.red) : .plain, .right)
        canvas.text(title, in: rest.inset(left: 0, right: width > 0 ? width + 1 : 0))
    }
}
