// SPDX-License-Identifier: GPL-3.0-or-later

/// A list of episodes of which only a window around the visible part is in memory.
struct PagedList: Sendable {
    /// The rows of a window; a window is larger than every screen.
    private static let windowRows = 200

    private(set) var list: EpisodeList
    var cursor = ListCursor()
    private(set) var rows: [EpisodeRow] = []
    /// The index of the first row of the window in the whole list.
    private(set) var start = 0
    /// The length of the whole list; `nil` before the first answer.
    private(set) var total: Int?
    /// False while only the first page is known.
    private(set) var isCounted = false
    private var selectedID: Int64?
    private var asked: LibraryQuery?
    private var isAnswered = true
    /// The list that the rows belong to; `nil` before the first answer.
    private var answered: EpisodeList?
    private var isStale = true
    /// The place before the filter, which Esc restores.
    private(set) var placeBeforeFilter: (cursor: ListCursor, id: Int64?)?

    init(_ source: EpisodeList.Source) { list = EpisodeList(source) }

    var count: Int { total ?? 0 }
    var filter: String { list.filter }

    /// The selected episode; `nil` if it is not loaded.
    var selected: EpisodeRow? { row(cursor.index) }

    func row(_ index: Int) -> EpisodeRow? {
        rows.indices.contains(index - start) ? rows[index - start] : nil
    }

    mutating func move(by step: Int) {
        cursor.move(by: step, count: count)
        selectedID = selected?.id
    }

    mutating func move(to row: Int) {
        cursor.move(to: row, count: count)
        selectedID = selected?.id
    }

    /// Marks the rows as outdated, so that the next `neededQuery` reads them again.
    mutating func invalidate() { isStale = true }

    /// Shows another list, with its first row selected.
    mutating func show(_ source: EpisodeList.Source) {
        guard source != list.source else { return }
        self = PagedList(source)
    }

    mutating func setFilter(_ text: String) {
        guard text != list.filter else { return }
        if list.filter.isEmpty { placeBeforeFilter = (cursor, selectedID) }
        list.filter = text
        isStale = true
        guard text.isEmpty, let place = placeBeforeFilter else {
            cursor = ListCursor()
            return
        }
        (cursor, selectedID, placeBeforeFilter) = (place.cursor, place.id, nil)
    }

    /// Returns the query for rows that are visible but not loaded; `nil` if none is needed.
    mutating func neededQuery(height: Int) -> LibraryQuery? {
        let first = cursor.visibleTop(height: height, count: max(count, cursor.index + 1))
        // Rows beside the visible ones are loaded before the listener reaches them.
        let margin = height / 2
        let end = min(first + max(1, height) + margin, count)
        let isLoaded = max(0, first - margin) >= start && end <= start + rows.count
        guard isStale || !isCounted || !isLoaded else { return nil }
        let size = max(Self.windowRows, height * 3)
        let start = total == nil ? PageStart.top : .index(max(0, first - (size - height) / 2))
        let from = isStale ? selectedID.map { PageStart.around($0, otherwise: cursor.index) } ?? start : start
        let query = LibraryQuery.episodes(list, from, count: size)
        guard isStale || query != asked else { return nil }
        (asked, isStale, isAnswered) = (query, false, false)
        return query
    }

    /// Takes a page.
    /// - Returns: false if the page does not answer the last query.
    mutating func take(_ page: EpisodePage, for query: LibraryQuery) -> Bool {
        guard query == asked else { return false }
        (rows, total) = (page.rows, max(0, page.total))
        (isAnswered, answered) = (true, list)
        isCounted = !query.isOpen(after: page.rows.count)
        start = max(0, min(page.start, count))
        let kept = selectedID.flatMap { id in rows.firstIndex { $0.id == id } }
        if let kept { cursor.follow(to: start + kept) } else { cursor.move(to: cursor.index, count: count) }
        selectedID = selected?.id ?? selectedID
        return true
    }

    /// Takes the failure of a query.
    /// - Returns: false if it was not the last one.
    mutating func fail(_ query: LibraryQuery) -> Bool {
        guard query == asked else { return false }
        isAnswered = true
        return true
    }

    /// Returns true if an answer that is on its way decides what an action does here. A search may take long: its keys
    /// do not wait.
    func awaitsAnswer(for action: ScreenAction) -> Bool {
        if isAnswered { return false }
        if case .search = list.source { return false }
        return answered != list || (!action.isMove && selected == nil && count > 0)
    }

    /// Moves the selected episode before the library confirms the change.
    /// - Returns: its new index; `nil` if it cannot move there.
    mutating func moveSelected(by step: Int) -> Int? {
        let (old, new) = (cursor.index - start, cursor.index - start + step)
        guard rows.indices.contains(old), rows.indices.contains(new) else { return nil }
        rows.swapAt(old, new)
        cursor.move(by: step, count: count)
        return cursor.index
    }

    /// Removes an episode before the library confirms the change. The selection stays at its place.
    mutating func remove(_ id: Int64) {
        guard let index = rows.firstIndex(where: { $0.id == id }) else { return }
        rows.remove(at: index)
        total = max(0, count - 1)
        cursor.move(to: cursor.index - (start + index < cursor.index ? 1 : 0), count: count)
        selectedID = selected?.id
    }

    /// Changes a loaded row before the library confirms the change.
    mutating func update(_ id: Int64, _ change: (inout EpisodeRow) -> Void) {
        for index in rows.indices where rows[index].id == id { change(&rows[index]) }
    }
}

extension LibraryQuery {
    /// True if more episodes may follow the first page, which does not count them.
    fileprivate func isOpen(after rows: Int) -> Bool {
        if case .episodes(_, .top, let count) = self { rows >= count } else { false }
    }
}
