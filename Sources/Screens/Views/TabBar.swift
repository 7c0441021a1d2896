// SPDX-License-Identifier: GPL-3.0-or-later

/// The first row: the views with their numbers, and the work in the background.
struct TabBar {
    private struct Item {
        let tab: ScreenTab
        let columns: Range<Int>
        let label: String
    }

    private static let help = "? help"
    private static let name = "Earshot"

    private let screen: Screen
    private let isTiny: Bool
    private var showsName = true
    private var showsCounts = true
    private var items: [Item] = []
    private var work: String?

    /// The columns that the tabs leave to the work in the background.
    private static let mostWork = 26

    init(_ screen: Screen, columns: Int, _ kind: Layout.Kind) {
        (self.screen, isTiny) = (screen, kind == .tiny)
        guard !isTiny else { return }
        work = Self.work(screen)
        let room = columns - 3 - (work.map { max(Self.help.count, min($0.count, Self.mostWork)) } ?? Self.help.count)
        var needed: [ScreenTab] = [.queue, .podcasts, .new, .downloads, .find]
        if !screen.errors.sentences.isEmpty || screen.tab == .errors { needed.append(.errors) }
        // A narrow screen leaves out the name first, then the counts.
        for (name, counts) in [(true, true), (false, true), (false, false)] {
            (showsName, showsCounts) = (name, counts)
            items = row(needed)
            if end <= room { break }
        }
        for tab in [ScreenTab.playing, .settings] {
            let more = row((needed + [tab]).sorted { $0.rawValue < $1.rawValue })
            guard more.last.map({ $0.columns.upperBound <= room }) ?? false else { break }
            (items, needed) = (more, needed + [tab])
        }
        items.removeAll { $0.columns.upperBound > room }
    }

    /// Returns the tabs, one after the other.
    private func row(_ tabs: [ScreenTab]) -> [Item] {
        var column = showsName ? Self.name.count + 4 : 1
        return tabs.map { tab in
            let label = "\(tab.rawValue) " + tab.name + (showsCounts ? count(tab) : "")
            defer { column += label.count + 2 }
            return Item(tab: tab, columns: column..<column + label.count, label: label)
        }
    }

    private var end: Int { items.last?.columns.upperBound ?? 0 }

    func tab(at column: Int) -> ScreenTab? { items.first { $0.columns.contains(column) }?.tab }

    private func count(_ tab: ScreenTab) -> String {
        let number =
            switch tab {
            case .queue: screen.counts.queued
            case .new: screen.counts.new
            case .downloads: max(screen.downloads.count, screen.counts.downloads)
            case .errors: screen.errors.sentences.count
            default: 0
            }
        return number > 0 ? " \(number)" : ""
    }

    func draw(in area: Area, on canvas: inout Canvas) {
        guard area.rows > 0 else { return }
        guard !isTiny else {
            let title = screen.reader?.title ?? (screen.help == nil ? PaneTitle(screen).text(screen.focus) : "Help")
            canvas.text(title, in: area, CellStyle(bold: true))
            return
        }
        if showsName { canvas.text(Self.name, in: area.inset(left: 1), CellStyle(bold: true)) }
        for item in items {
            let style = item.tab == screen.tab ? CellStyle(bold: true, reverse: true) : .plain
            let place = Area(row: area.row, column: item.columns.lowerBound, rows: 1, columns: item.columns.count)
            canvas.text(item.label, in: place, style)
        }
        let right = area.inset(left: max(end, Self.name.count + 2) + 2, right: 1)
        canvas.text(work ?? Self.helpLabel(screen), in: right, work == nil ? .plain : CellStyle(.yellow), .right)
    }

    private static func helpLabel(_ screen: Screen) -> String {
        screen.keys.keyName(.help).map { "\($0) help" } ?? ""
    }

    /// The oldest command in the background, with its progress. Changes are too short to be seen.
    private static func work(_ screen: Screen) -> String? {
        let runs = screen.runs.values.filter { !$0.command.isChange }
        guard let run = runs.min(by: { $0.command.id < $1.command.id }) else { return nil }
        let name = run.command.arguments.first ?? ""
        return run.progress.isEmpty ? name + "..." : name + ": " + run.progress
    }
}
