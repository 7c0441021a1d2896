// SPDX-License-Identifier: GPL-3.0-or-later

/// The chapters that one source states, in the order of their starts, with no two at the same start.
///
/// The texts come from the network. A list has at most 10,000 chapters, and its titles are single lines without control
/// characters, of at most 500 code points.
public struct ChapterList: Sendable, Hashable {
    /// The origin of a list; the earlier case takes precedence.
    public enum Source: Sendable, Hashable, CaseIterable, Comparable {
        /// The audio file itself, whose times are those of this very audio.
        case inFile
        /// The JSON document that `podcast:chapters` refers to.
        case json
        /// Podlove Simple Chapters in the feed.
        case podlove
        /// Times in the show notes.
        case notes
    }

    public static let mostChapters = 10_000
    private static let longestTitle = 500
    private static let longestURL = 4096

    public let source: Source
    public private(set) var chapters: [Chapter]

    /// - Parameter chapters: the chapters in any order; only the first 10,000 count. Of several with the same start,
    ///   the first one in the table of contents remains, completed by the others.
    public init(_ source: Source, _ chapters: some Sequence<Chapter>) {
        self.source = source
        let valid = chapters.prefix(Self.mostChapters).filter { $0.start >= .zero }
        let sorted = valid.enumerated().sorted {
            ($0.element.start, $0.offset) < ($1.element.start, $1.offset)
        }
        self.chapters = []
        self.chapters.reserveCapacity(sorted.count)
        for (_, chapter) in sorted { append(Self.cleaned(chapter, source)) }
        clampEnds(to: nil)
    }

    private mutating func append(_ chapter: Chapter) {
        guard let last = chapters.last, last.start == chapter.start else { return chapters.append(chapter) }
        let takesPrecedence = chapter.isInTableOfContents && !last.isInTableOfContents
        chapters[chapters.count - 1] = takesPrecedence ? chapter.completed(by: last) : last.completed(by: chapter)
    }

    /// Ends each chapter where the next one begins at the latest, and removes ends before the start. A chapter outside
    /// the table of contents does not end one inside it.
    private mutating func clampEnds(to length: Duration?) {
        var (next, nextListed) = (length, length)
        for index in chapters.indices.reversed() {
            let chapter = chapters[index]
            if let end = chapter.end {
                let limit = chapter.isInTableOfContents ? nextListed : next
                let clamped = limit.map { min(end, $0) } ?? end
                chapters[index].end = clamped > chapter.start ? clamped : nil
            }
            next = chapter.start
            if chapter.isInTableOfContents { nextListed = chapter.start }
        }
    }

    private static func cleaned(_ chapter: Chapter, _ source: Source) -> Chapter {
        var chapter = chapter
        chapter.title = chapter.title.flatMap { PlainWords.line($0, limit: longestTitle) }
        // A feed's references are resolved already, perhaps against a local file; a file may not refer to others.
        guard source == .inFile else { return chapter }
        chapter.url = chapter.url.flatMap(webURL)
        if case .url(let url) = chapter.image { chapter.image = webURL(url).map { .url($0) } }
        return chapter
    }

    /// Returns a URL without the white space around it; `nil` unless it is a web URL of visible characters.
    private static func webURL(_ text: String) -> String? {
        let url = WebURL(text)
        let line = url.isWeb ? PlainWords.line(url.text, limit: longestURL) : nil
        return line == url.text && !url.text.utf8.contains(0x20) ? line : nil
    }
}

extension ChapterList {
    /// Returns the list to use: the first by source that fits the audio and has enough chapters before its end. The
    /// other lists complete it. A longer list of lower precedence is not better: it may describe the audio without the
    /// advertisements that the server has inserted.
    ///
    /// - Parameters:
    ///   - length: the duration of the audio; `nil` while unknown.
    ///   - fewest: the number of chapters that are enough.
    /// - Returns: `nil` if no list qualifies.
    public static func best(of lists: [ChapterList], length: Duration?, fewest: Int = 2) -> ChapterList? {
        let lists = lists.sorted { $0.source < $1.source }
        let fitting = lists.lazy.compactMap { $0.fitted(to: length) }
        guard let chosen = fitting.first(where: { $0.chapters.count >= fewest }) else { return nil }
        // Completing the list with itself changes nothing.
        var best = lists.reduce(chosen) { $0.completed(by: $1) }
        best.clampEnds(to: length)
        return best
    }

    /// Returns a copy without the chapters that begin at or after the end of the audio, such as a mark of the end.
    /// - Returns: `nil` if these chapters show that the list, which is not the file's own, describes longer audio.
    private func fitted(to length: Duration?) -> ChapterList? {
        guard let length else { return self }
        var fitted = self
        fitted.chapters.removeAll { $0.start >= length }
        let late = chapters.dropFirst(fitted.chapters.count)
        let areMarks = late.count <= 1 || late.allSatisfy { $0.start <= length + Self.longestOvershoot }
        return source == .inFile || areMarks ? fitted : nil
    }

    /// The time after the end at which several chapters of a rounded list may begin.
    private static let longestOvershoot = Duration.seconds(10)

    /// Returns a copy with missing titles, URLs and pictures filled from the chapters of `other` that begin nearest,
    /// within 2 seconds.
    public func completed(by other: ChapterList) -> ChapterList {
        var (result, nearest) = (self, 0)
        guard !other.chapters.isEmpty else { return self }
        for (index, chapter) in chapters.enumerated() {
            while nearest + 1 < other.chapters.count,
                other.distance(of: nearest + 1, from: chapter) <= other.distance(of: nearest, from: chapter)
            {
                nearest += 1
            }
            guard other.distance(of: nearest, from: chapter) <= Self.tolerance else { continue }
            result.chapters[index] = chapter.completed(by: other.chapters[nearest])
        }
        return result
    }

    private static let tolerance = Duration.seconds(2)

    private func distance(of index: Int, from chapter: Chapter) -> Duration {
        max(chapters[index].start - chapter.start, chapter.start - chapters[index].start)
    }
}
