// SPDX-License-Identifier: GPL-3.0-or-later

/// Long text over the lists: notes, a transcript, or the output of a command.
struct Reader: Sendable, Equatable {
    enum Content: Sendable, Equatable {
        case notes(Int64)
        case transcript(Int64)
        case output
    }

    struct Line: Sendable, Equatable {
        var text: String
        /// The time at which the text is spoken.
        var time: Duration?
        /// True if the time may be that of another version of the audio.
        var isApproximate = false
    }

    let content: Content
    let title: String
    /// The paragraphs; `nil` until they are loaded.
    private(set) var paragraphs: [Line]?
    private(set) var lines: [Line] = []
    private var width = 0
    private(set) var top = 0
    /// The lines of a transcript that are being heard; empty if it is not known.
    private(set) var heard = 0..<0
    /// True while the listener has scrolled away from these lines.
    private var isAway = false
    private(set) var search = ""

    init(_ content: Content, title: String, paragraphs: [Line]? = nil) {
        (self.content, self.title, self.paragraphs) = (content, title, paragraphs)
    }

    mutating func take(_ paragraphs: [Line]) {
        self.paragraphs = paragraphs
        (width, isAway) = (0, false)
    }

    /// Wraps the text, and keeps the first visible paragraph in its place.
    mutating func settle(width: Int, height: Int) {
        if width != self.width {
            let part = lines.isEmpty ? 0 : Double(top) / Double(lines.count)
            lines = wrapped(width)
            top = Int(part * Double(lines.count))
            self.width = width
        }
        top = max(0, min(top, lines.count - max(1, height)))
    }

    private func wrapped(_ width: Int) -> [Line] {
        // Commands align columns with spaces.
        let rows = content == .output ? WrappedText.aligned : WrappedText.lines
        return (paragraphs ?? []).flatMap { paragraph in
            rows(paragraph.text, width).enumerated().map { index, text in
                Line(
                    text: text, time: index == 0 ? paragraph.time : nil, isApproximate: paragraph.isApproximate)
            }
        }
    }

    /// Marks the lines that are being heard, and scrolls to them, unless the listener has scrolled away from them.
    mutating func follow(_ position: Duration?, height: Int) {
        let former = heard
        heard = linesHeard(at: position)
        guard !heard.isEmpty else { return }
        if (top..<top + max(1, height)).contains(heard.lowerBound) { isAway = false }
        guard heard != former, !isAway else { return }
        guard heard.lowerBound < top || heard.upperBound > top + height else { return }
        top = max(0, min(heard.lowerBound, lines.count - max(1, height)))
    }

    private func linesHeard(at position: Duration?) -> Range<Int> {
        guard let position, let first = lines.lastIndex(where: { $0.time.map { $0 <= position } ?? false }) else {
            return 0..<0
        }
        return first..<(lines[(first + 1)...].firstIndex { $0.time != nil } ?? lines.count)
    }

    mutating func scroll(by step: Int) { (top, isAway) = (max(0, min(lines.count, top + step)), true) }

    mutating func scrollToEnd(_ isEnd: Bool) { (top, isAway) = (isEnd ? lines.count : 0, true) }

    /// The time of the first visible line or of the last one before it.
    var time: Duration? { lines.prefix(top + 1).last { $0.time != nil }?.time }

    mutating func find(_ words: String) {
        search = words
        if !matches(top) { step(1) }
    }

    func matches(_ index: Int) -> Bool {
        !search.isEmpty && lines.indices.contains(index) && TextMatch.contains(lines[index].text, search)
    }

    /// Scrolls to the next or previous line with the words; it wraps around.
    mutating func step(_ direction: Int) {
        let found = lines.indices.filter(matches)
        let next = direction > 0 ? found.first { $0 > top } : found.last { $0 < top }
        guard let place = next ?? (direction > 0 ? found.first : found.last) else { return }
        (top, isAway) = (place, true)
    }
}
