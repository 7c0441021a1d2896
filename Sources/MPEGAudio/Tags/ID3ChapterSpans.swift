// SPDX-License-Identifier: GPL-3.0-or-later
import Media

/// The spans of the chapters of ID3v2, where each chapter states an end, and a chapter may contain others.
enum ID3ChapterSpans {
    /// The shortest rest of a chapter that becomes a chapter again.
    private static let shortestRest = Duration.seconds(2)

    /// Returns the chapters, followed by the rests of those that contain others. A chapter of the table of contents
    /// does not end where a hidden one begins, as in formats without ends.
    static func resolved(_ chapters: [Chapter]) -> [Chapter] {
        let valid = chapters.map { chapter in
            var chapter = chapter
            if let end = chapter.end, end <= chapter.start { chapter.end = nil }
            return chapter
        }
        let extended = lastingOverHidden(valid)
        let hidden = extended.filter { !$0.isInTableOfContents }.sorted { $0.start < $1.start }
        return extended + rests(of: extended).compactMap { afterHidden($0, hidden) }
    }

    private static func lastingOverHidden(_ chapters: [Chapter]) -> [Chapter] {
        let ends = endsOfHidden(chapters)
        guard !ends.isEmpty else { return chapters }
        let starts = chapters.filter(\.isInTableOfContents).map(\.start).sorted()
        return chapters.map { chapter in
            guard chapter.isInTableOfContents, let end = chapter.end, let later = ends[end] else { return chapter }
            var chapter = chapter
            let next = starts.partitioningIndex { $0 >= end }
            chapter.end = next < starts.count ? min(later, starts[next]) : later
            return chapter
        }
    }

    /// Returns the end of each run of hidden chapters by its start.
    private static func endsOfHidden(_ chapters: [Chapter]) -> [Duration: Duration] {
        var ends: [Duration: Duration] = [:]
        for chapter in chapters.filter({ !$0.isInTableOfContents }).sorted(by: { $0.start > $1.start }) {
            guard let end = chapter.end else { continue }
            let last = ends[end] ?? end
            ends[chapter.start] = max(last, ends[chapter.start] ?? last)
        }
        return ends
    }

    private static func rests(of chapters: [Chapter]) -> [Chapter] {
        var (rests, open): ([Chapter], [Chapter]) = ([], [])
        let listed = chapters.filter(\.isInTableOfContents)
        // Of two chapters with the same start, the longer one contains the other.
        for chapter in listed.sorted(by: { ($0.start, $1.end ?? .zero) < ($1.start, $0.end ?? .zero) }) {
            close(&open, before: chapter.start, &rests)
            open.append(chapter)
        }
        close(&open, before: nil, &rests)
        return rests
    }

    /// Returns a rest without its beginning inside a hidden chapter; `nil` if too little is left.
    private static func afterHidden(_ rest: Chapter, _ hidden: [Chapter]) -> Chapter? {
        var rest = rest
        let before = hidden[..<hidden.partitioningIndex { $0.start > rest.start }]
        if let end = before.last?.end, end > rest.start { rest.start = end }
        return rest.end.map { $0 - rest.start >= shortestRest } ?? true ? rest : nil
    }

    /// Removes the chapters that end before a time, and appends the rests of those that contain them.
    /// - Parameters:
    ///   - open: the chapters that have begun; each may contain the following ones.
    ///   - time: the start of the next chapter; `nil` if none follows.
    private static func close(_ open: inout [Chapter], before time: Duration?, _ rests: inout [Chapter]) {
        while let inner = open.last, let end = inner.end, end < time ?? end + shortestRest {
            while let outer = open.last, outer.end ?? .zero <= end { open.removeLast() }
            guard var rest = open.last, let restEnd = rest.end else { return }
            rest.start = end
            if min(restEnd, time ?? restEnd) - end >= shortestRest { rests.append(rest) }
        }
    }
}
