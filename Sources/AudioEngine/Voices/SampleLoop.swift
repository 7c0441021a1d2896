// SPDX-License-Identifier: GPL-3.0-or-later

/// Which part of a buffer a voice repeats before it goes on behind it.
///
/// ```swift
/// SampleLoop()                                    // the whole buffer, for ever
/// SampleLoop(times: 3)                            // the whole buffer, three times
/// SampleLoop(start: 4410, end: 8820, times: 10)   // a section ten times, between what is before and behind it
/// ```
public struct SampleLoop: Sendable, Hashable {
    /// The section's first frame.
    public var start: Int
    /// The frame behind the section's last one; `nil` is the end of the buffer.
    public var end: Int?
    /// How often the section is played in all, 1 or more; `nil` is for ever.
    public var times: Int?

    public init(start: Int = 0, end: Int? = nil, times: Int? = nil) {
        self.start = start
        self.end = end
        self.times = times
    }
}

/// Which frame of a buffer a voice plays at which of its own frames, loops included. It has no state: a playhead that
/// is computed cannot drift.
struct LoopPath: BitwiseCopyable, Sendable {
    /// Frames of the buffer.
    private let frames: Int64
    private let sectionStart: Int64
    private let sectionEnd: Int64
    /// Frames that the repetitions add; `Int64.max` is without end.
    private let repeated: Int64

    /// The voice's frames; `Int64.max` is without end.
    var length: Int64 { @_noLocks @_noAllocation get { frames.addingClamped(repeated) } }

    init(frames: Int, loop: SampleLoop?) throws(SamplerError) {
        let loop = loop ?? SampleLoop(times: 1)
        let end = loop.end ?? frames
        // A buffer of no frames may be played, but no part of it repeated.
        guard loop.start >= 0, loop.start < end || loop.times == 1, end <= frames, loop.start <= end else {
            throw .loopOutside(start: loop.start, end: end, frames: frames)
        }
        if let times = loop.times, times < 1 { throw .loopTimes(times) }
        self.frames = Int64(frames)
        sectionStart = Int64(loop.start)
        sectionEnd = Int64(end)
        let section = sectionEnd - sectionStart
        let added = loop.times.map { section.multipliedReportingOverflow(by: Int64($0) - 1) }
        repeated = added.map { $0.overflow ? .max : $0.partialValue } ?? .max
    }

    /// The buffer's frame at frame `frame` of the voice, `0..<length`, and how many follow it without a jump.
    @_noLocks @_noAllocation
    func run(at frame: Int64) -> (start: Int64, count: Int64) {
        if frame < sectionEnd { return (frame, sectionEnd - frame) }
        let behind = frame - sectionEnd
        if behind >= repeated { return (frame - repeated, frames - (frame - repeated)) }
        let place = sectionStart + behind % (sectionEnd - sectionStart)
        return (place, sectionEnd - place)
    }
}
