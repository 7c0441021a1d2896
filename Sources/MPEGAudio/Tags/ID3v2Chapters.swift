// SPDX-License-Identifier: GPL-3.0-or-later
public import Media

/// The chapters of an ID3v2.3 or 2.4 tag. Source: ID3v2 Chapter Frame Addendum 1.0.
///
/// A frame may state the byte offsets of a chapter instead of its times. The caller knows the times of the packets and
/// resolves these. Pictures are not copied: a chapter states their place in the file.
public struct ID3v2Chapters: Sendable, Equatable {
    private var frames: [ID3v2ChapterFrame] = []
    private static let mostFrames = 50_000

    /// - Parameters:
    ///   - bytes: the available bytes of the tag from the header on; a chapter that is cut off is missing.
    ///   - offset: the file offset of the tag.
    public init(_ bytes: [UInt8], at offset: Int64 = 0) {
        guard let tag = ID3v2Tag(bytes), tag.version > 2 else { return }
        var places = ID3PicturePlaces(tag, at: offset)
        var tables: [ArraySlice<UInt8>] = []
        for frame in tag.frames.prefix(Self.mostFrames) {
            if frame.name == "CTOC" {
                tables.append(frame.bytes)
            } else if frame.name == "CHAP", frames.count < ChapterList.mostChapters,
                let chapter = ID3v2ChapterFrame(frame, version: tag.version, &places)
            {
                frames.append(chapter)
            }
        }
        let contents = ID3TableOfContents(tables, chapters: Set(frames.map(\.identifier)))
        for index in frames.indices { frames[index].isListed = contents.lists(frames[index].identifier) }
    }

    public var isEmpty: Bool { frames.isEmpty }

    /// The file offsets that stand for times, in the order of the tag.
    public var offsets: [Int64] {
        frames.flatMap { [$0.start, $0.end] }.compactMap { if case .offset(let offset) = $0 { offset } else { nil } }
    }

    /// Returns the chapters. A chapter whose start has no time is missing.
    ///
    /// - Parameter time: returns the time of the first packet at or after a file offset; `nil` if it is unknown.
    public func list(timeAtOffset time: (Int64) -> Duration? = { _ in nil }) -> ChapterList {
        ChapterList(.inFile, ID3ChapterSpans.resolved(frames.compactMap { $0.chapter(timeAtOffset: time) }))
    }
}
