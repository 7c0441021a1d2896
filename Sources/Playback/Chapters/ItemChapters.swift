// SPDX-License-Identifier: GPL-3.0-or-later
public import Media

/// The chapters of an item, from the best list that is known of it.
public struct ItemChapters: Sendable, Equatable {
    /// A chapter and its number.
    public struct Place: Sendable, Equatable {
        /// Counted from 1.
        public var number: Int
        public var count: Int
        public var chapter: Chapter

        public init(number: Int, count: Int, chapter: Chapter) {
            (self.number, self.count, self.chapter) = (number, count, chapter)
        }
    }

    /// The chapters in the table of contents, ascending by their starts; not empty.
    public let chapters: [Chapter]
    /// The list that they come from. Lists of lower precedence may have completed their titles, links and pictures.
    public let source: ChapterList.Source
    /// True if the times may be those of another version of the audio, for example one without advertisements.
    public let isApproximate: Bool
    /// The spans of titled chapters that the table of contents hides, ascending; they do not overlap.
    public let hidden: [Range<Duration>]

    /// The end of a span that lasts to the end of the item.
    public static let never = Duration.seconds(1 << 40)

    /// - Parameters:
    ///   - lists: all lists that are known of the item.
    ///   - length: its duration, if it is not an estimate.
    ///   - isApproximate: true if the feed's lists describe another version.
    ///   - fewest: the number of chapters that a list must have.
    /// - Returns: `nil` if no list qualifies (`ChapterList.best`).
    public init?(_ lists: [ChapterList], length: Duration?, isApproximate: Bool = false, fewest: Int = 2) {
        guard let best = ChapterList.best(of: lists, length: length, fewest: fewest) else { return nil }
        chapters = best.chapters.filter(\.isInTableOfContents)
        guard !chapters.isEmpty else { return nil }
        source = best.source
        self.isApproximate = isApproximate && best.source != .inFile
        hidden = Self.hidden(best.chapters)
    }

    /// Returns the chapters to show of an item: those for playback, otherwise the only chapter of a list.
    /// - Parameters:
    ///   - lists: all lists that are known of the item.
    ///   - length: its duration, if it is not an estimate.
    ///   - claimed: its duration according to the feed.
    public static func shown(_ lists: [ChapterList], length: Duration?, claimed: Duration? = nil) -> ItemChapters? {
        let isApproximate = isOtherVersion(length: length, claimed: claimed)
        return ItemChapters(lists, length: length, isApproximate: isApproximate)
            ?? ItemChapters(lists, length: length, isApproximate: isApproximate, fewest: 1)
    }

    /// The difference at which the audio is another version than the one that the feed describes.
    private static let versionTolerance = Duration.seconds(2)

    /// Returns true if the audio is another version than the one that the feed describes.
    /// - Parameters:
    ///   - length: the duration of the audio, if it is not an estimate.
    ///   - claimed: the duration according to the feed.
    static func isOtherVersion(length: Duration?, claimed: Duration?) -> Bool {
        guard let length, let claimed else { return false }
        return max(length - claimed, claimed - length) > versionTolerance
    }

    /// Creates the chapters that another player has determined.
    /// - Parameter chapters: ascending by their starts.
    /// - Returns: `nil` if there are none.
    public init?(
        _ chapters: [Chapter], from source: ChapterList.Source, isApproximate: Bool, hidden: [Range<Duration>] = []
    ) {
        guard !chapters.isEmpty else { return nil }
        (self.chapters, self.source, self.isApproximate, self.hidden) = (chapters, source, isApproximate, hidden)
    }

    /// A chapter without a title only changes the picture or the link while another one lasts.
    private static func hidden(_ all: [Chapter]) -> [Range<Duration>] {
        var spans: [Range<Duration>] = []
        for (index, chapter) in all.enumerated() where !chapter.isInTableOfContents && chapter.title != nil {
            let next = index + 1 < all.count ? all[index + 1].start : never
            let start = max(chapter.start, spans.last?.upperBound ?? .zero)
            let end = max(start, chapter.end ?? next)
            if start < end { spans.append(start..<end) }
        }
        return spans
    }

    // MARK: Positions

    /// Returns the chapter that a position belongs to; `nil` before the first one and between two.
    public func place(at position: Duration) -> Place? {
        chapters.playing(at: position).map { Place(number: $0 + 1, count: chapters.count, chapter: chapters[$0]) }
    }

    /// The ends of the chapters inside the item, ascending, without the end of the item.
    /// - Parameters:
    ///   - length: the duration of the item, if it is known.
    ///   - skipsHidden: true if hidden chapters are left out.
    func ends(length: Duration?, skipsHidden: Bool) -> [Duration] {
        var ends = zip(chapters, chapters.dropFirst()).map { $0.end ?? $1.start }
        if let last = chapters.last?.end, let length, last < length,
            (last..<length).length(without: skipsHidden ? hidden : []) > Self.lastSilence
        {
            ends.append(last)
        }
        return ends
    }

    /// The last chapter ends with the item if no more than this is played after it.
    private static let lastSilence = Duration.seconds(2)
}

extension Range<Duration> {
    /// Returns the duration of the range without the parts that are left out.
    /// - Parameter spans: ranges that do not overlap.
    func length(without spans: [Range<Duration>]) -> Duration {
        spans.map { $0.clamped(to: self) }.reduce(upperBound - lowerBound) { $0 - ($1.upperBound - $1.lowerBound) }
    }

    /// Returns true if a saved position shows that the range was playing. The sleep timer pauses at the start of a
    /// range that is left out.
    func isLeft(at position: Duration) -> Bool {
        contains(position) && position - lowerBound > ChapterEnds.tolerance
    }
}

extension Duration {
    /// Returns the position at a distance from this one. The time in the parts that are left out does not count.
    /// - Parameter spans: ascending ranges that do not overlap. One that lasts to the end of the item does count,
    ///   because nothing follows it.
    package func moved(by distance: Duration, without spans: [Range<Duration>]) -> Duration {
        var (place, left) = (self, distance)
        guard distance < .zero else {
            for span in spans where span.upperBound > place && span.upperBound < ItemChapters.never {
                let played = max(.zero, span.lowerBound - place)
                guard played <= left else { break }
                (place, left) = (span.upperBound, left - played)
            }
            return place + left
        }
        for span in spans.reversed() where span.lowerBound < place {
            let played = max(.zero, place - span.upperBound)
            guard played + left < .zero else { break }
            (place, left) = (span.lowerBound, left + played)
        }
        return place + left
    }

    /// Returns the position at a distance before this one, where playback resumes. It does not leave a hidden chapter
    /// that was playing, because the rest of the chapter would be left out.
    /// - Parameter hidden: the hidden chapters that are left out unless the position is inside them.
    package func rewound(by distance: Duration, without hidden: [Range<Duration>]) -> Duration {
        guard let playing = hidden.first(where: { $0.isLeft(at: self) }) else {
            return max(.zero, moved(by: .zero - distance, without: hidden))
        }
        // A position at the start of the chapter would leave it out.
        return max(self - distance, min(self, playing.lowerBound + ChapterEnds.tolerance * 2))
    }
}

/// The target of a chapter command.
public enum ChapterChoice: Sendable, Equatable {
    case next
    /// The start of the present chapter, or, within its first three seconds, of the one before it.
    case previous
    /// Counted from 1.
    case number(Int)
    /// The title, words of it, or parts of its words; case, accents and punctuation do not matter.
    case title(String)
}

extension ItemChapters {
    /// The maximum time in a chapter at which `previous` goes to the one before it.
    private static let previousLimit = Duration.seconds(3)

    /// Returns the position of a chapter; `nil` if there is no such chapter.
    public func target(of choice: ChapterChoice, from position: Duration) -> Duration? {
        let index = chapters.begun(at: position)
        return switch choice {
        case .next: start(index.map { $0 + 1 } ?? 0)
        case .previous: previous(index, from: position)
        case .number(let number): number > 0 ? start(number - 1) : nil
        case .title(let title): TitleFolding.matches(title, in: chapters.map { $0.title ?? "" }).first.flatMap(start)
        }
    }

    private func start(_ index: Int) -> Duration? { chapters.indices.contains(index) ? chapters[index].start : nil }

    private func previous(_ index: Int?, from position: Duration) -> Duration {
        guard let index else { return .zero }
        let start = chapters[index].start
        guard position - start <= Self.previousLimit else { return start }
        return index > 0 ? chapters[index - 1].start : .zero
    }
}
