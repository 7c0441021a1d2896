// SPDX-License-Identifier: GPL-3.0-or-later

/// The pre-skip of Opus that the durations of the first samples omit.
///
/// GStreamer counts the times of a track from the first frame that is played: the first packet of 960 frames lasts 648.
/// According to "Encapsulation of Opus in ISO Base Media File Format" section 4.4, the times count the pre-skip, and an
/// edit list drops it. Times copied from Matroska are rounded to a millisecond.
struct OmittedPreSkip: Sendable {
    /// A run of samples of equal duration.
    typealias Run = (count: Int64, duration: Int64)

    /// The most runs that are shorter than the next one: 80 ms in packets of 2.5 ms.
    private static let mostRuns = 32

    /// The number of shorter runs at the start.
    let runs: Int64
    /// The duration that their samples have with the pre-skip, in units of the media timescale.
    let duration: Int64
    /// The time that they omit.
    let time: Int64

    /// Finds the pre-skip that the table of a track omits.
    init?(_ track: TrackBox, _ clock: TrackClock) {
        guard let times = track.samples.times, track.duration > 0 else { return nil }
        let runs: [Run] = times.loaded.prefix(Self.mostRuns + 1).map { run in
            (count: times.number(at: run, length: 4), duration: times.number(at: run, byte: 4, length: 4))
        }
        self.init(runs, of: track, clock)
    }

    /// Finds the pre-skip that the first fragment of a track omits.
    init?(_ fragment: FragmentWalker, of track: TrackBox, _ clock: TrackClock) {
        guard let run = fragment.runs.first(where: \.isOurs) else { return nil }
        let runs: [Run] = run.loadedDurations.prefix(Self.mostRuns + 1).map { (count: 1, duration: $0) }
        self.init(runs, of: track, clock)
    }

    /// - Returns: `nil` if the first samples are as long as the others, or lack something else.
    private init?(_ runs: [Run], of track: TrackBox, _ clock: TrackClock) {
        guard case .audio(.opus(let head)) = track.description, track.edits?.allSatisfy({ $0.mediaTime <= 0 }) ?? true
        else { return nil }
        let times = runs.indices.map { Self.time(missingIn: runs[..<$0], to: runs[$0].duration) }
        let rounding = 0...clock.rate / 1000
        guard
            let number = times.firstIndex(where: {
                $0 > 0 && rounding.contains(Int64(head.preSkip) - clock.frame(at: $0))
            })
        else { return nil }
        (self.runs, duration, time) = (Int64(number), runs[number].duration, times[number])
    }

    /// Returns the time by which samples are shorter than others of a duration; 0 if some of them are not.
    private static func time(missingIn runs: ArraySlice<Run>, to duration: Int64) -> Int64 {
        guard runs.allSatisfy({ $0.duration < duration }) else { return 0 }
        return runs.reduce(0) { sum, run in
            sum + min(run.count.multipliedClamping(by: duration - run.duration), ByteWindow.farthest - sum)
        }
    }
}
