// SPDX-License-Identifier: GPL-3.0-or-later
import Media

/// Chapters in a text track, read after `moov` by a parser of tags. Source: QuickTime File Format, "Chapter lists" and
/// "Text sample data".
extension MP4Parser {
    private static let mostChapters = 1000
    private static let longestTitle: Int64 = 4 << 10

    mutating func beginChapters(_ movie: MovieBox) {
        let ids = movie.tracks.first { !$0.chapterTracks.isEmpty }?.chapterTracks ?? []
        let text = movie.tracks.first { $0.isText && ids.contains($0.id) && $0.timescale > 0 }
        guard movie.tags.chapters.isEmpty, let text, text.samples.offsets != nil else {
            phase = .done
            return
        }
        trackBox = text
        table = SampleTable(text.samples, readsTimes: true)
        phase = .chapters
    }

    mutating func readChapterTitle() throws(Interruption) {
        guard let timescale = trackBox?.timescale, chapterTitles.count < Self.mostChapters,
            let sample = try table?.current(in: window) ?? nil
        else { return reportChapterTitles() }
        if sample.size >= 2, sample.size <= Self.longestTitle {
            let title = Self.title(try window.bytes(Int(sample.size), at: sample.offset))
            let start = Duration.microseconds(sample.time.scaled(by: 1_000_000, over: timescale))
            chapterTitles.append(ContainerChapter(start: start, title: title))
        }
        table?.advance(past: sample)
    }

    mutating func reportChapterTitles() {
        if !chapterTitles.isEmpty { pending.append(.chapters(chapterTitles)) }
        phase = .done
    }

    /// Parses a text sample: a length of two bytes, then UTF-8, or UTF-16 after a byte order mark.
    private static func title(_ sample: ArraySlice<UInt8>) -> String {
        var fields = ByteFields(sample)
        guard let length = fields.number(2), let text = fields.bytes(min(length, fields.rest.count)) else { return "" }
        guard text.starts(with: [0xFE, 0xFF]) else { return String(decoding: text, as: UTF8.self) }
        var rest = ByteFields(text.dropFirst(2))
        var units: [UInt16] = []
        while let unit = rest.number(2) { units.append(UInt16(unit)) }
        return String(decoding: units, as: UTF16.self)
    }
}
