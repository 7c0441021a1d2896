// SPDX-License-Identifier: GPL-3.0-or-later
import Media

/// The samples of one fragment: a cursor over its runs.
struct FragmentSamples: Sendable, SampleCursor {
    /// The file offset of `moof`.
    let fragment: Int64
    private var runs: [FragmentRun]
    private var run = 0
    private var entry: Int64 = 0
    private var isInRun = false
    private var offset: Int64 = 0
    /// The base of the current `traf`'s offsets, and the greatest end of the data so far.
    private var base: Int64 = 0
    private(set) var dataEnd: Int64
    /// The number of the next sample of the track in this fragment, from 0.
    private(set) var index: Int64 = 0
    /// The decoding time that the fragment states for the next sample; `nil` if it follows the previous one, or was
    /// taken.
    private var statedTime: Int64?
    /// The pre-skip that the durations of the first samples omit.
    private let omittedPreSkip: OmittedPreSkip?

    /// The longest duration of a sample of the track, as far as the entries were loaded with the fragment's header.
    let longestDuration: Int64

    /// The number of the track's samples in this fragment.
    var count: Int64 { runs.reduce(0) { $1.isOurs ? $0 + $1.count : $0 } }
    /// The number of the sample description of the next sample, from 1.
    var description: Int64 { run < runs.count ? runs[run].defaults.description : 1 }
    /// True if the next sample is the last one.
    var isAtLast: Bool { index + 1 == count }

    init(_ walker: FragmentWalker, omittedPreSkip: OmittedPreSkip?) {
        fragment = walker.start
        self.omittedPreSkip = omittedPreSkip
        runs = walker.runs
        dataEnd = walker.start
        longestDuration = walker.runs.reduce(0) { $1.isOurs ? max($0, $1.longestDuration) : $0 }
    }

    func hasDuration(above limit: Int64) -> Bool { longestDuration > limit }

    /// Returns the next sample of the track, with time 0; `nil` after the last one.
    mutating func current(in window: ByteWindow) throws(Interruption) -> MediaSample? {
        while run < runs.count {
            if !isInRun { enterRun() }
            while entry < runs[run].count {
                let sample = try sample(in: window)
                if runs[run].isOurs { return sample }
                pass(sample)
            }
            run += 1
            isInRun = false
        }
        return nil
    }

    /// Returns the decoding time that the fragment states for the next sample. Each is returned once, so that a step
    /// that waits for bytes and is repeated does not number the packets again.
    mutating func takeStatedTime() -> Int64? { statedTime.take() }

    mutating func advance(past sample: MediaSample) {
        pass(sample)
        statedTime = nil
        index += 1
    }

    /// Passes over at most `count` samples of a run without entries: a few bytes may list billions.
    /// - Returns: the number of samples passed.
    mutating func skipAlike(_ count: Int64) -> Int64 {
        guard run < runs.count, isInRun, runs[run].isOurs, !runs[run].hasSize, !runs[run].hasDuration else { return 0 }
        let passed = max(0, min(count, runs[run].count - entry))
        guard passed > 0 else { return 0 }
        move(by: passed, of: runs[run].defaults.size)
        entry += passed
        index += passed
        statedTime = nil
        return passed
    }

    /// The entries to load next, when at most `low` loaded ones of the current run are left; `nil` if none are.
    func nextEntries(low: Int64) -> ByteRange? {
        guard run < runs.count, runs[run].hasSize || runs[run].hasDuration else { return nil }
        let entries = runs[run].entries
        guard !entries.isLoadedToEnd, entries.loaded.contains(entry), entries.loaded.upperBound - entry <= low
        else { return nil }
        return entries.blockRange(at: entries.loaded.upperBound)
    }

    private mutating func enterRun() {
        let current = runs[run]
        if current.isFirst {
            base = current.base ?? dataEnd
            offset = base
            if current.isOurs { statedTime = current.decodeTime }
        }
        if let dataOffset = current.dataOffset { offset = max(0, base + dataOffset) }
        entry = 0
        isInRun = true
        // Samples of one size need no walk if they are of another track, or empty: a few bytes may list billions.
        guard !current.hasSize, !current.isOurs || current.defaults.size == 0 else { return }
        move(by: current.count, of: current.defaults.size)
        entry = current.count
        if current.isOurs { index += current.count }
    }

    private mutating func sample(in window: ByteWindow) throws(Interruption) -> MediaSample {
        let defaults = runs[run].defaults
        var sample = MediaSample(offset: offset, size: defaults.size, time: 0, duration: defaults.duration)
        guard runs[run].hasDuration || runs[run].hasSize else { return sample }
        try runs[run].entries.require(entry, from: window)
        if runs[run].hasDuration { sample.duration = runs[run].entries.number(at: entry, length: 4) }
        if let omittedPreSkip, index < omittedPreSkip.runs { sample.duration = omittedPreSkip.duration }
        if runs[run].hasSize {
            sample.size = runs[run].entries.number(at: entry, byte: runs[run].hasDuration ? 4 : 0, length: 4)
        }
        return sample
    }

    private mutating func pass(_ sample: MediaSample) {
        move(by: 1, of: sample.size)
        entry += 1
    }

    /// Moves over the data of samples of equal size.
    private mutating func move(by count: Int64, of size: Int64) {
        offset += min(count.multipliedClamping(by: size), max(0, ByteWindow.farthest - offset))
        dataEnd = max(dataEnd, offset)
    }
}
