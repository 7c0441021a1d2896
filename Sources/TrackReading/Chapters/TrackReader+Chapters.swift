// SPDX-License-Identifier: GPL-3.0-or-later
import MPEGAudio
package import Media

extension MPEGTrackReader {
    package func findChapters() -> ChapterList? {
        chapters.advance(in: source, isIndexed: isWholeIndexed) { map?.time(atByte: $0) }
        return chapters.list
    }
}

extension ContainerTrackReader {
    package func findChapters() -> ChapterList? {
        chapters.advance(in: source, isIndexed: isWholeIndexed) { map?.time(atByte: $0) }
        return chapters.list
    }
}

/// The chapters of a file that is not played, and its duration.
package struct TrackChapters: Sendable {
    /// The chapters that the file states; `nil` if it states none.
    package let list: ChapterList?
    package let duration: MediaDuration

    /// Reads the chapters and the duration that a complete file states; `nil` if its format is unknown.
    package static func read(_ source: any ByteSource) -> TrackChapters? {
        var search = TrackFormatSearch()
        var step = TrackFormatSearch.Step.progressed
        while step == .progressed { step = search.step(source) }
        guard case .found(let format) = step else { return nil }
        let reader = format.makeReader(source)
        while reader.timeline == nil, case .progressed = reader.step() {}
        return TrackChapters(list: reader.findChapters(), duration: reader.duration)
    }
}
