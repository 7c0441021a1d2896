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

/// The chapters of a file that is not played.
package enum TrackChapters {
    /// Reads the chapters that a complete file states; `nil` if it states none.
    package static func read(_ source: any ByteSource) -> ChapterList? {
        var search = TrackFormatSearch()
        var step = TrackFormatSearch.Step.progressed
        while step == .progressed { step = search.step(source) }
        guard case .found(let format) = step else { return nil }
        let reader = format.makeReader(source)
        while reader.timeline == nil, case .progressed = reader.step() {}
        return reader.findChapters()
    }
}
