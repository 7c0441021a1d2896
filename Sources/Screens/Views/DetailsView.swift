// SPDX-License-Identifier: GPL-3.0-or-later
import Media
import TerminalInterface

/// The details of the selected row: its notes and chapters, the meaning of a setting, or the whole error.
struct DetailsView {
    let screen: Screen

    func draw(in area: Area, on canvas: inout Canvas) {
        guard area.rows > 0, area.columns > 2 else { return }
        let lines = lines(area.columns - 1)
        for (index, line) in lines.prefix(area.rows).enumerated() {
            canvas.text(line, in: area.line(index).inset(left: 0, right: 1))
        }
    }

    private func lines(_ width: Int) -> [String] {
        switch screen.tab {
        case .settings:
            WrappedText.lines(screen.settings.selected.map { Self.sentence($0.meaning) } ?? "", width: width)
        case .errors: WrappedText.lines(error, width: width)
        default: episode(width)
        }
    }

    private static func sentence(_ meaning: String) -> String {
        meaning.prefix(1).uppercased() + meaning.dropFirst() + "."
    }

    private var error: String {
        let index = screen.errors.cursor.index
        return screen.errors.sentences.indices.contains(index) ? screen.errors.sentences[index] : ""
    }

    private func episode(_ width: Int) -> [String] {
        guard let id = screen.detailedEpisode, let details = screen.details[id] else {
            return failure.map { WrappedText.lines($0, width: width) } ?? []
        }
        // More lines are never visible.
        let notes = details.notes.prefix(50).flatMap { WrappedText.lines(String($0.prefix(4000)), width: width) }
        let failure = failure.map { WrappedText.lines($0, width: width) + [""] } ?? []
        return failure + whole(width) + Array(notes.prefix(200)) + chapters(details, width)
    }

    /// The whole title, if the list may have cut it.
    private func whole(_ width: Int) -> [String] {
        guard screen.tab != .playing, let title = screen.lists[listPane]?.selected?.title else { return [] }
        let text = PlainTitle.text(title)
        return text.terminalColumns > width - 4 ? WrappedText.lines(text, width: width).prefix(6) + [""] : []
    }

    private var failure: String? {
        screen.focus == .podcasts ? screen.podcasts.selectedPodcast?.failure : screen.lists[listPane]?.selected?.failure
    }

    private var listPane: Pane { screen.tab == .podcasts ? .episodes : screen.focus }

    private func chapters(_ details: EpisodeDetails, _ width: Int) -> [String] {
        let chapters = details.chapters.filter(\.isInTableOfContents).prefix(100)
        guard !chapters.isEmpty, screen.tab != .playing else { return [] }
        let parts = chapters.enumerated().map { index, chapter in
            ClockText.time(chapter.start, isEstimated: details.areChaptersApproximate) + " "
                + (chapter.title ?? "Chapter \(index + 1)")
        }
        return [""] + WrappedText.lines(parts.joined(separator: ", "), width: width)
    }
}
