// SPDX-License-Identifier: GPL-3.0-or-later

/// A section of a buffer that a voice repeats before it continues after it.
///
/// ```swift
/// SampleLoop()                                    // the whole buffer, without end
/// SampleLoop(times: 3)                            // the whole buffer, three times
/// SampleLoop(start: 4410, end: 8820, times: 10)   // a section ten times, between the frames before and after it
/// ```
public struct SampleLoop: Sendable, Hashable {
    /// The first frame of the section.
    public var start: Int
    /// The frame after the last one of the section; `nil` is the end of the buffer.
    public var end: Int?
    /// The total number of passes, 1 or more; `nil` repeats without end.
    public var times: Int?

    public init(start: Int = 0, end: Int? = nil, times: Int? = nil) {
        self.start = start
        self.end = end
        self.times = times
    }
}

/// A map from the frames of a voice to the frames of its buffer, including loops. It has no state: a computed
/// playhead cannot drift.
struct LoopPath: BitwiseCopyable, Sendable {
    /// The number of frames in the buffer.
    private let frames: Int64
    private let sectionStart: Int64
    private let sectionEnd: Int64
    /// The number of frames that the repetitions add; `Int64.max` is without end.
    private let repeated: Int64

    /// The number of frames of the voice; `Int64.max` is without end.
    var length: Int64 { @_noLocks @_noAllocation get { frames.addingClamped(repeated) } }

    init(frames: Int, loop: SampleLoop?) throws(SamplerError) {
        let loop = loop ?? SampleLoop(times: 1)
        let end = loop.end ?? frames
        // A buffer of 0 frames may play, but no section of it can be repeated.
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

    /// Returns the buffer's frame at frame `frame` of the voice, `0..<length`, and the number of frames from there to
    /// the next jump.
    @_noLocks @_noAllocation
    func run(at frame: Int64) -> (start: Int64, count: Int64) {
        if frame < sectionEnd { return (frame, sectionEnd - frame) }
        let behind = frame - sectionEnd
        if behind >= repeated { return (frame - repeated, frames - (frame - repeated)) }
        let place = sectionStart + behind % (sectionEnd - sectionStart)
        return (place, sectionEnd - place)
    }
}
