// SPDX-License-Identifier: GPL-3.0-or-later
import AudioBuffers
import AudioEngine
import AudioFiles
import Glibc
import Media
import Synchronization

/// A file whose samples encode frame and channel, and that can grow, stall and fail.
final class NumberReader: AudioFrameReader {
    /// The state that a test changes while the file is read.
    final class Control: Sendable {
        private let arrivedFrames: Atomic<Int64>
        private let failingFrame = Atomic<Int64>(.max)
        private let freezes = Atomic<Bool>(false)
        private let framesRead = Atomic<Int64>(0)
        private let timesSought = Atomic<Int>(0)
        private let released = Atomic<Bool>(false)

        /// The number of frames that have arrived.
        var arrived: Int64 {
            get { arrivedFrames.load(ordering: .acquiring) }
            set { arrivedFrames.store(newValue, ordering: .releasing) }
        }
        /// The frame at which a read fails.
        var failing: Int64 {
            get { failingFrame.load(ordering: .acquiring) }
            set { failingFrame.store(newValue, ordering: .releasing) }
        }
        /// True while reads block.
        var isFrozen: Bool {
            get { freezes.load(ordering: .acquiring) }
            set { freezes.store(newValue, ordering: .releasing) }
        }
        var read: Int64 { framesRead.load(ordering: .acquiring) }
        var seeks: Int { timesSought.load(ordering: .acquiring) }
        /// True once the reader is released.
        var isReleased: Bool { released.load(ordering: .acquiring) }

        fileprivate func noteRead(_ frames: Int) { framesRead.add(Int64(frames), ordering: .releasing) }
        fileprivate func noteSeek() { timesSought.add(1, ordering: .releasing) }
        fileprivate func noteRelease() { released.store(true, ordering: .releasing) }

        init(arrived: Int64) { arrivedFrames = Atomic(arrived) }
    }

    let format: AudioFormat
    let length: AudioFileLength
    private(set) var position: Int64 = 0
    private let frames: Int64
    private let control: Control
    private let sample: @Sendable (_ frame: Int64, _ channel: Int) -> Float

    /// - Parameters:
    ///   - frames: The actual number of frames.
    ///   - length: The reported length; `nil`: the actual one.
    init(
        frames: Int64, channels: Int = 1, sampleRate: Int = 8000, length: AudioFileLength? = nil,
        control: Control? = nil, sample: @escaping @Sendable (Int64, Int) -> Float = NumberReader.number
    ) {
        format = AudioFormat(sampleRate: sampleRate, channels: channels)
        self.frames = frames
        self.length = length ?? .exact(frames)
        self.control = control ?? Control(arrived: frames)
        self.sample = sample
    }

    deinit { control.noteRelease() }

    /// Returns the sample of a frame. Numbers repeat after a prime count of frames, so that all are exact in a Float.
    @Sendable static func number(frame: Int64, channel: Int) -> Float {
        Float(frame % 1_000_003) + Float(channel) / 4 + 1
    }

    func seek(to frame: Int64) throws(AudioFileError) {
        control.noteSeek()
        position = frame
    }

    func read(into slice: AudioBufferSlice) throws(AudioFileError) -> AudioFileRead {
        while control.isFrozen { usleep(100) }
        let arrived = min(frames, control.arrived)
        let count = min(slice.frames, Int(max(0, arrived - position)))
        let failing = control.failing
        if failing >= position, failing < position + Int64(max(1, count)) {
            throw .cannotRead(path: "numbers", reason: "frame \(failing) is damaged")
        }
        guard count > 0 else { return position >= frames ? .end : .notYetAvailable }
        let samples = slice.plane(0).assumingMemoryBound(to: Float.self)
        for index in 0..<count * format.channels {
            samples[index] = sample(position + Int64(index / format.channels), index % format.channels)
        }
        position += Int64(count)
        control.noteRead(count)
        return .frames(count)
    }
}

/// The order of frames by definition, computed one at a time from the boundary, the direction and the loop.
struct NaivePath {
    var boundary: Int64 = 0
    var direction = PlayDirection.forward
    var loop: (start: Int64, end: Int64, times: Int?, stops: Bool)?
    var repeats = 0
    let frames: Int64

    init(frames: Int64) { self.frames = frames }

    mutating func next() -> Int64? {
        if let loop, direction == .forward ? boundary >= loop.end : boundary <= loop.start {
            let isLast = repeats + 1 == loop.times
            if isLast, loop.stops { return nil }
            if isLast { self.loop = nil } else {
                boundary = direction == .forward ? loop.start : loop.end
                repeats += 1
            }
        }
        if direction == .forward {
            guard boundary < frames else { return nil }
            boundary += 1
            return boundary - 1
        }
        guard boundary > 0 else { return nil }
        boundary -= 1
        return boundary
    }

    mutating func next(_ count: Int) -> [Float] {
        var numbers: [Float] = []
        while numbers.count < count, let frame = next() {
            numbers.append(NumberReader.number(frame: frame, channel: 0))
        }
        return numbers
    }
}
