// SPDX-License-Identifier: GPL-3.0-or-later
import AudioContainers
import Media

/// One of the tracks that a file joins, one after the other: a chained Ogg stream has several, any other file one.
struct TrackSegment {
    var track: AudioTrack
    /// The time of its first frame to play, counted from the start of the file.
    let start: Duration

    /// Returns the decoded frame of a time.
    func frame(at time: Duration) -> Int64 {
        track.frame(afterPlaying: track.format.frames(in: max(.zero, time - start)))
    }

    /// Returns the time of a decoded frame.
    func time(of frame: Int64) -> Duration {
        start + track.format.duration(ofFrames: track.playedFrames(before: frame))
    }

    /// The time of its end; `nil` unless the track states it.
    var statedEnd: Duration? { track.end.map(time) }
}
