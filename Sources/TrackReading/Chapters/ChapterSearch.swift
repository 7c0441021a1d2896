// SPDX-License-Identifier: GPL-3.0-or-later
import AudioContainers
import MPEGAudio
import Media

/// The search for the chapters that a file states. It reads only bytes that have arrived, and requests none.
///
/// An MP4 file states its chapters in `moov`, which the reader of the sound reads only in part: a second parser reads
/// the rest of it as it arrives. Other containers report them with their tags. An ID3v2 tag may stand before any sound.
struct ChapterSearch {
    private enum Phase {
        /// Waits for the ID3v2 tag at the beginning of the file.
        case tag
        /// Reads `moov`.
        case movie(MP4Parser)
        /// Waits for the texts of a chapter track.
        case texts
        case done
    }

    private static let longestTag: Int64 = 16 << 20

    private var phase: Phase
    private var tag: ID3v2Chapters?
    /// True if the times of `tag` do not depend on estimates.
    private var isExact = false
    private var container: ContainerChapters?
    /// The chapters found so far; `nil` if the file states none.
    private(set) var list: ChapterList?

    init(_ format: TrackFormat) { phase = format == .container(.mp4) ? .movie(MP4Parser(.tags)) : .tag }

    /// Notes the chapters that the reader of the sound has found.
    mutating func note(_ chapters: ContainerChapters) {
        // The parser of `moov` reports the same list, and more.
        if case .movie = phase { return }
        if case .texts = phase { return }
        (container, phase) = (chapters, .texts)
        setList(chapters.list)
    }

    /// Reads what has arrived.
    /// - Parameters:
    ///   - timeAtByte: returns the time of the first packet at or after a file offset; `nil` if it is unknown.
    ///   - isIndexed: true if those times are exact.
    mutating func advance(in source: any ByteSource, isIndexed: Bool, timeAtByte: (Int64) -> Duration?) {
        switch phase {
        case .tag: readTag(source)
        case .movie(let parser): read(parser, source)
        case .texts, .done: break
        }
        if case .texts = phase { readTexts(source) }
        guard let tag, !isExact else { return }
        if list == nil || isIndexed { setList(tag.list(timeAtOffset: timeAtByte)) }
        isExact = tag.offsets.isEmpty || isIndexed
    }

    private mutating func setList(_ found: ChapterList) { list = found.chapters.isEmpty ? nil : found }
}

// MARK: ID3v2
extension ChapterSearch {
    private mutating func readTag(_ source: any ByteSource) {
        let header = source.bytes(at: 0, count: ID3v2Metadata.headerLength)
        let progress = source.downloadProgress
        guard header.count == ID3v2Metadata.headerLength, let length = ID3v2Metadata.tagLength(header: header) else {
            if header.count == ID3v2Metadata.headerLength || progress.isOver { phase = .done }
            return
        }
        let range = 0..<min(Int64(length), Self.longestTag)
        guard progress.isOver || progress.extents.missing(in: range) == 0 else { return }
        let chapters = ID3v2Chapters(source.bytes(at: 0, count: Int(range.upperBound)))
        if !chapters.isEmpty { tag = chapters }
        phase = .done
    }
}

// MARK: MP4
extension ChapterSearch {
    private mutating func read(_ start: MP4Parser, _ source: any ByteSource) {
        var parser = start
        parser.totalLength = source.downloadProgress.total
        while let event = parser.next(reading: source) {
            switch event {
            case .chapters(let found):
                container = found
                setList(found.list)
            case .failed: return phase = .texts
            case .track, .packet, .metadata, .gain, .garbage: continue
            }
        }
        phase = parser.isDone ? .texts : .movie(parser)
    }

    private mutating func readTexts(_ source: any ByteSource) {
        guard var chapters = container else { return phase = .done }
        guard !chapters.missing.isEmpty else { return phase = .done }
        let progress = source.downloadProgress
        if let total = progress.total { chapters.finish(length: total) }
        for range in chapters.missing {
            let arrived = min(progress.extents.contiguousEnd(from: range.lowerBound), range.upperBound)
            guard arrived > range.lowerBound else { continue }
            source.bytes(at: range.lowerBound, count: Int(arrived - range.lowerBound)).withUnsafeBytes {
                chapters.read($0, at: range.lowerBound)
            }
        }
        if chapters != container { setList(chapters.list) }
        container = chapters
        if chapters.missing.isEmpty { phase = .done }
    }
}
