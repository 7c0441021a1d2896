// SPDX-License-Identifier: GPL-3.0-or-later
import Media

/// The status line of a download on a terminal: title, bar, percentage, bytes, rate, time left. A narrow terminal
/// shortens the title first, then drops fields, the least important first.
struct DownloadLine: Equatable {
    /// The columns that title and bar need before figures are dropped.
    private static let wantedForTitleAndBar = 24
    private static let barCells = 8...40
    private static let shortestTitle = 5

    private var pieces: [StyledText] = []
    private let style: LineStyle

    /// Returns the line.
    /// - Parameter width: the columns of the terminal; the line is never wider.
    static func render(_ progress: DownloadItem, width: Int, style: LineStyle) -> String {
        DownloadLine(progress, width: width, style: style).pieces.map { $0.rendered(colour: style.colour) }.joined()
    }

    init(_ progress: DownloadItem, width: Int, style: LineStyle) {
        self.style = style
        let gap = width >= 72 ? "  " : " "
        let choices = Self.figures(progress).map { $0.joined(separator: gap) }
        let figures = choices.first { width - $0.count - 2 * gap.count >= Self.wantedForTitleAndBar } ?? choices.last
        let end = PrintableText(keepingSpaces: figures ?? "", cutTo: width)
        let room = width - end.columns - 2 * gap.count
        let ascii = style.glyphs == .ascii
        let titles = [progress.name, progress.title].map { PrintableText($0, asciiOnly: ascii) }
        let least = max(Self.barCells.lowerBound, room * 2 / 5)
        let left = titles.map { room - $0.columns }.first { $0 >= least } ?? least
        let cells = left > room ? 0 : min(left, Self.barCells.upperBound)
        let bar = DownloadBar(progress.progress, cells: cells)?.rendered(style.glyphs) ?? []
        let titleRoom = bar.isEmpty ? room + gap.count : room - cells
        let title = titles.first { $0.columns <= titleRoom } ?? PrintableText(progress.title, asciiOnly: ascii)
        let cut = titleRoom < Self.shortestTitle ? "" : title.cut(to: titleRoom, ellipsis: ascii ? "..." : "…").text
        let fields = [[StyledText(text: cut)], bar, [StyledText(text: end.text, tint: progress.progress.tint)]]
        pieces = Array(fields.filter { $0.columns > 0 }.joined(separator: [StyledText(text: gap)]))
    }

    /// The choices of figures, from all of them to the most important one. Figures keep their width while they
    /// change, so that the bar does not jump.
    private static func figures(_ progress: DownloadItem) -> [[String]] {
        let downloadProgress = progress.progress
        let percent = progress.percent.map { "\($0)%".padded(to: 4) }
        guard case .receiving = downloadProgress.condition else {
            let text = DownloadText(downloadProgress)
            let percents = percent.map { [$0] } ?? []
            return [percents + [text.long], [text.long], percents + [text.short], [text.short]]
        }
        let here = ClockText.size(downloadProgress.extents.count)
        let bytes =
            downloadProgress.total.map { here.padded(to: 6) + " of " + ClockText.size($0) } ?? here.padded(to: 6)
        let rate = (downloadProgress.bytesPerSecond.map(ClockText.rate) ?? "").padded(to: 8)
        let left = progress.timeLeft.map { "~" + ClockText.time($0) }
        guard let percent else {
            return [[bytes, "length unknown", rate], [bytes, rate], [bytes]]
        }
        let long = left.map { "\($0) left".padded(to: 11) } ?? "time unknown".padded(to: 11)
        let short = (left ?? "?").padded(to: 6)
        return [
            [percent, bytes, rate, long], [percent, rate, long], [percent, rate, short], [percent, short], [percent],
        ]
    }
}

extension DownloadProgress {
    fileprivate var tint: StyledText.Tint {
        switch condition {
        case .receiving, .complete: .plain
        case .failed: .bad
        default: .warning
        }
    }
}

extension String {
    /// Returns the text right-aligned in at least `columns` columns.
    fileprivate func padded(to columns: Int) -> String {
        String(repeating: " ", count: max(0, columns - count)) + self
    }
}
