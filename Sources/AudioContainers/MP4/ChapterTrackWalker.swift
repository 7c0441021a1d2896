// SPDX-License-Identifier: GPL-3.0-or-later
import Media

/// A sample of a chapter track: its time in the presentation and the bytes of the file that contain it.
struct ChapterSample: Sendable, Equatable {
    let start: Duration
    let end: Duration
    let range: ByteRange
}

/// A walk through the sample tables of the tracks that an audio track names as those of its chapters. Source:
/// QuickTime File Format, "Chapter lists".
struct ChapterTrackWalker: Sendable {
    struct Track: Sendable {
        /// The media type of the samples if they are pictures; `nil` if they are texts.
        let pictureType: String?
        var samples: [ChapterSample] = []
    }

    /// The tracks walked so far, texts before pictures.
    private(set) var tracks: [Track] = []

    private let movieTimescale: Int64
    /// The tracks to walk, with the current one.
    private var boxes: [TrackBox]
    /// The table of the current track, once it was entered.
    private var table: SampleTable?

    init(_ movie: MovieBox) {
        movieTimescale = movie.timescale
        let ids = movie.tracks.first { !$0.chapterTracks.isEmpty }?.chapterTracks ?? []
        let named = movie.tracks.filter { ids.contains($0.id) && $0.timescale > 0 && $0.samples.offsets != nil }
        // A second text track contains the links.
        boxes = Array(named.filter(\.isText).prefix(2) + named.filter { $0.pictureType != nil }.prefix(1))
    }

    /// Reads one sample.
    /// - Returns: true after the last track.
    mutating func step(in window: ByteWindow) throws(Interruption) -> Bool {
        guard let box = boxes.first else { return true }
        if table == nil {
            table = SampleTable(box.samples, readsTimes: true)
            tracks.append(Track(pictureType: box.pictureType))
        }
        let index = tracks.count - 1
        guard tracks[index].samples.count < ChapterList.mostChapters, let sample = try table?.current(in: window) ?? nil
        else {
            endTrack()
            return false
        }
        let start = presentationTime(of: sample.time, in: box)
        let end = presentationTime(of: min(sample.time + sample.duration, ByteWindow.farthest), in: box)
        tracks[index].samples.append(
            ChapterSample(
                start: start, end: end,
                range: sample.offset..<min(sample.offset + sample.size, ByteWindow.farthest)))
        table?.advance(past: sample)
        return false
    }

    /// Leaves the current track, of which the file has no further samples.
    mutating func endTrack() {
        boxes = Array(boxes.dropFirst())
        table = nil
    }

    /// Returns the time at which the edit list presents a media time: an empty edit delays the track, and the first
    /// other edit skips its beginning. Source: ISO/IEC 14496-12 section 8.6.6.
    private func presentationTime(of time: Int64, in box: TrackBox) -> Duration {
        var delay: Int64 = 0
        for edit in box.edits ?? [] {
            guard edit.mediaTime < 0 else {
                delay -= Self.microseconds(edit.mediaTime, box.timescale)
                break
            }
            delay = min(delay + Self.microseconds(edit.duration, movieTimescale), ByteWindow.farthest)
        }
        return .microseconds(max(0, Self.microseconds(time, box.timescale) + delay))
    }

    private static func microseconds(_ time: Int64, _ timescale: Int64) -> Int64 {
        time.scaled(by: 1_000_000, over: timescale)
    }
}
