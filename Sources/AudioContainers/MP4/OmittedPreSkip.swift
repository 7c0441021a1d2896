// SPDX-License-Identifier: GPL-3.0-or-later

/// The pre-skip of Opus that the durations of the first samples omit.
///
/// GStreamer counts the times of a track from the first frame that is played: the first packet of 960 frames lasts 648.
/// According to "Encapsulation of Opus in ISO Base Media File Format" section 4.4, the times count the pre-skip, and an
/// edit list drops it.
struct OmittedPreSkip: Sendable {
    /// A run of samples of equal duration.
    typealias Run = (count: Int64, duration: Int64)

    /// The number of runs that are shorter than the others.
    let runs: Int64
    /// The duration of their samples with the pre-skip, and the pre-skip, in units of the media timescale.
    let duration: Int64
    let time: Int64

    /// Finds the pre-skip that the table of a track omits.
    init?(_ track: TrackBox, _ clock: TrackClock) {
        guard let times = track.samples.times, track.duration > 0 else { return nil }
        let runs = times.loaded.map { run in
            (count: times.number(at: run, length: 4), duration: times.number(at: run, byte: 4, length: 4))
        }
        self.init(runs, of: track, clock)
    }

    /// Finds the pre-skip that the first fragment of a track omits.
    init?(_ fragment: FragmentWalker, of track: TrackBox, _ clock: TrackClock) {
        guard let run = fragment.runs.first(where: \.isOurs) else { return nil }
        self.init(run.loadedDurations.map { (count: 1, duration: $0) }, of: track, clock)
    }

    /// - Returns: `nil` if the first samples are as long as the others, or lack anything but the pre-skip.
    private init?(_ runs: [Run], of track: TrackBox, _ clock: TrackClock) {
        guard case .audio(.opus(let head)) = track.description, head.preSkip > 0,
            track.edits?.allSatisfy({ $0.mediaTime <= 0 }) ?? true
        else { return nil }
        let duration = runs.reduce(0) { max($0, $1.duration) }
        let shorter = runs.prefix { $0.duration < duration }
        let time = shorter.reduce(0) { sum, run in
            sum + min(run.count.multipliedClamping(by: duration - run.duration), ByteWindow.farthest - sum)
        }
        guard clock.frame(at: time) == Int64(head.preSkip) else { return nil }
        (self.runs, self.duration, self.time) = (Int64(shorter.count), duration, time)
    }
}
