// SPDX-License-Identifier: GPL-3.0-or-later
public import Media

/// The chapters of a file's own list.
///
/// In MP4, the titles and links may be samples of a track, which writers store in one piece or interleaved with the
/// sound. The sample tables state all chapters with their times; the titles follow when their bytes were passed to
/// `read`, in any order:
/// ```
/// for range in chapters.requests() { … }   // fetch these, then pass them on
/// for range in chapters.missing { … }      // pass on what has arrived with the sound
/// ```
public struct ContainerChapters: Sendable, Equatable {
    /// A text sample that was not read yet.
    private struct Text: Sendable, Equatable {
        let range: ByteRange
        /// The number of its chapter in `titles` or `links`.
        let index: Int
        let isLink: Bool
    }

    private var titles: [Chapter]
    /// The chapters of a shorter list, which is used until all texts were read.
    private var others: [Chapter] = []
    private var links: [Chapter] = []
    private var pictures: [Chapter] = []
    /// In the order of the file.
    private var texts: [Text] = []

    private static let longestText = 4 << 10
    /// The least length in bytes of a title that was cut after 255 bytes and lost the parts of a character.
    private static let shortestCut = 252
    private static let longestPicture = 16 << 20

    /// - Parameter list: a list that contains its texts.
    public init(_ list: ChapterList) { titles = list.chapters }

    /// - Parameters:
    ///   - tracks: the chapter tracks: the first one of texts contains the titles, the second one the links.
    ///   - list: Nero's list, which needs no further bytes.
    /// - Returns: `nil` if the tracks add nothing to that list.
    init?(_ tracks: [ChapterTrackWalker.Track], completing list: [Chapter]) {
        titles = list
        let textTracks = tracks.filter { $0.pictureType == nil }
        if let track = textTracks.first, Self.replaces(track, list) {
            (titles, others) = (track.chapters, list)
            addTexts(of: track, areLinks: false)
        }
        if textTracks.count > 1 {
            links = textTracks[1].chapters
            addTexts(of: textTracks[1], areLinks: true)
        }
        for track in tracks {
            guard let type = track.pictureType else { continue }
            let samples = track.samples.filter { 1...Self.longestPicture ~= $0.range.count }
            pictures += samples.map { Chapter($0, picture: type) }
        }
        guard titles != list || !links.isEmpty || !pictures.isEmpty else { return nil }
        texts.sort { $0.range.lowerBound < $1.range.lowerBound }
    }

    /// Returns true if a track tells more than Nero's list, in which most writers cut the list after 255 chapters and a
    /// title after 255 bytes.
    private static func replaces(_ track: ChapterTrackWalker.Track, _ list: [Chapter]) -> Bool {
        let isCut = list.contains { ($0.title ?? "").utf8.count >= shortestCut }
        return track.samples.count > list.count || track.samples.count == list.count && isCut
    }

    private mutating func addTexts(of track: ChapterTrackWalker.Track, areLinks: Bool) {
        for (index, sample) in track.samples.enumerated() where 2...Self.longestText ~= sample.range.count {
            texts.append(Text(range: sample.range, index: index, isLink: areLinks))
        }
    }

    /// The chapters with the texts read so far. A picture that appears within a chapter is a chapter of its own outside
    /// the table of contents.
    public var list: ChapterList {
        let named = ChapterList(.inFile, titles).completed(by: ChapterList(.inFile, links))
            .completed(by: ChapterList(.inFile, others))
        let shown = ChapterList(.inFile, pictures)
        guard !shown.chapters.isEmpty else { return named }
        return ChapterList(.inFile, named.completed(by: shown).chapters + shown.chapters)
    }
}

extension ContainerChapters {
    /// The bytes of the texts that were not read yet, ascending.
    public var missing: [ByteRange] { joined(overGapsOf: 0) }

    /// Returns the ranges to request: the missing texts, joined over gaps that cost less time than a request.
    ///
    /// The result is empty if the texts are in too many places, as in a file whose chapters are interleaved with the
    /// sound: each title then arrives with the sound of its chapter.
    /// - Parameter limit: the maximum number of requests.
    public func requests(atMost limit: Int = 16) -> [ByteRange] {
        let ranges = joined(overGapsOf: Self.cheapGap)
        return ranges.count <= limit && ranges.reduce(0, { $0 + $1.count }) <= Self.mostRequested ? ranges : []
    }

    /// In bytes: at 1 MB/s, a round trip of 32 ms.
    private static let cheapGap: Int64 = 32 << 10
    private static let mostRequested = 1 << 20

    private func joined(overGapsOf gap: Int64) -> [ByteRange] {
        var ranges: [ByteRange] = []
        for text in texts {
            if let last = ranges.last, text.range.lowerBound <= last.upperBound + gap {
                ranges[ranges.count - 1] = last.lowerBound..<max(last.upperBound, text.range.upperBound)
            } else {
                ranges.append(text.range)
            }
        }
        return ranges
    }

    /// Reads the texts that lie completely within these bytes of the file; a text across their edge remains missing.
    public mutating func read(_ bytes: UnsafeRawBufferPointer, at offset: Int64) {
        let end = offset &+ Int64(bytes.count)
        var left: [Text] = []
        for text in texts {
            if text.range.lowerBound >= offset, text.range.upperBound <= end {
                let start = Int(text.range.lowerBound - offset)
                set(text, to: QuickTimeText(Array(bytes[start..<start + text.range.count])[...]))
            } else {
                left.append(text)
            }
        }
        texts = left
    }

    /// Gives up the texts beyond the end of the file.
    public mutating func finish(length: Int64) { texts.removeAll { $0.range.upperBound > length } }

    private mutating func set(_ text: Text, to sample: QuickTimeText) {
        if text.isLink {
            links[text.index].url = sample.link
        } else {
            titles[text.index].title = sample.text
            titles[text.index].url = sample.link
        }
    }
}

extension ChapterTrackWalker.Track {
    fileprivate var chapters: [Chapter] { samples.map { Chapter(start: $0.start, end: $0.end) } }
}

extension Chapter {
    fileprivate init(_ sample: ChapterSample, picture mimeType: String) {
        self.init(
            start: sample.start, end: sample.end,
            image: .stored(StoredPicture(range: sample.range, mimeType: mimeType)), isInTableOfContents: false)
    }
}
