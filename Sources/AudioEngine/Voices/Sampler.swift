// SPDX-License-Identifier: GPL-3.0-or-later
import AudioBuffers
public import Media
import Synchronization

/// A source that plays sounds in memory, any number at the same time. Apple's counterparts are `AVAudioPlayerNode`
/// with buffers, and `AUSampler`.
///
/// ```swift
/// let sampler = Sampler(format: graph.format, voices: 64, events: graph.events) { print($0.reason) }
/// let bell = try SampleBuffer(AudioFileReader(path: "bell.wav", format: graph.format))
/// try sampler.start(bell)                                           // with the next slice
/// let drone = try sampler.start(bell, loop: SampleLoop(start: 4410, end: 8820), gain: 0.5, pan: -1)
/// sampler.setGain(0.2, of: drone, over: .seconds(1))
/// sampler.stop(drone, at: .sampleTime(480_000))
/// ```
/// A buffer has one channel or two and the sampler's rate; in a graph of more channels the first two are used. A
/// voice plays each frame of its buffer at its position on the graph's timeline, at full level from the first frame
/// on; a voice that is stopped or stolen fades. The caller and the rendering thread never wait for each other.
public final class Sampler: RenderSource {
    public let format: AudioFormat
    /// The range of gains; values outside are clamped.
    public static var gains: ClosedRange<Float> { 0...16 }

    private let fade: Int64
    private let clock: GraphClock?
    private let onEnd: @Sendable (VoiceEnd) -> Void
    private let stage: VoiceStage
    private let turn = RenderTurn()
    private let commands: SPSCQueue<VoiceCommand>
    /// The ended voices. Every slot fits, because a slot is reused only after its end was taken from here.
    private let ended: SPSCQueue<VoiceEnd>
    /// The record of the slots. Its lock is held by threads that send commands or take ended voices, never by the
    /// rendering thread.
    private let book: Mutex<VoiceTable>
    /// The graph's frame that is rendered next. Written by the rendering thread.
    private let nextFrame = Atomic<Int64>(0)

    /// - Parameters:
    ///   - voices: the maximum number of voices that play at the same time, not counting those that fade; 1 or more.
    ///   - waiting: the number of additional voices that may wait for their time, or fade.
    ///   - fade: the duration of the fade of a voice that is stopped or stolen.
    ///   - clock: converts start times in host time.
    ///   - events: the thread that calls `onEnd`; the sampler attaches itself.
    ///   - onEnd: called on that thread, or on the thread that releases the sampler, exactly once for each voice that
    ///     was started.
    public init(
        format: AudioFormat, voices: Int = 64, waiting: Int = 256, stealing: VoiceStealing = .oldest,
        fade: Duration = .milliseconds(5), clock: GraphClock? = nil, events: EventThread,
        onEnd: @escaping @Sendable (VoiceEnd) -> Void = { _ in }
    ) {
        self.format = format.renderable
        self.fade = Self.length(fade, self.format)
        self.clock = clock
        self.onEnd = onEnd
        let limit = min(max(1, voices), 1 << 20)
        stage = VoiceStage(limit: limit, capacity: limit + min(max(1, waiting), 1 << 20), stealing: stealing)
        commands = SPSCQueue(capacity: 2 * stage.capacity)
        ended = SPSCQueue(capacity: stage.capacity)
        book = Mutex(VoiceTable(slots: stage.capacity))
        events.attach(self)
    }

    deinit {
        let frame = nextFrame.load(ordering: .acquiring)
        let ends = book.withLock { book in
            collect(&book)
            book.close(at: frame)
            return book.removeEnds()
        }
        for end in ends { onEnd(end) }
    }

    // MARK: The rendering thread

    public func render(into output: UnsafeMutablePointer<Float>, frames: Int, at outputFrame: Int64) -> Int {
        guard turn.begin() else { return 0 }
        defer { turn.end() }
        applyCommands(at: outputFrame)
        guard frames > 0 else { return 0 }
        VectorOperations.clear(output, count: frames * format.channels)
        stage.mix(into: output, channels: format.channels, from: outputFrame, frames: frames)
        let next = outputFrame.addingClamped(Int64(frames))
        reportEnds(before: next)
        nextFrame.store(next, ordering: .releasing)
        return frames
    }

    private func applyCommands(at frame: Int64) {
        while let command = commands.front {
            stage.apply(command, from: command.time.frame(by: clock, next: frame), at: frame)
            commands.removeFront()
        }
    }

    /// Reports the voices that have ended by `frame`; the order of the others stays.
    private func reportEnds(before frame: Int64) {
        var (index, kept) = (0, 0)
        while index < stage.soundingCount {
            if let end = stage.end(sounding: index, by: frame) {
                stage.leave(end.voice)
                _ = ended.push(end)
            } else {
                stage.keep(index, at: kept)
                kept += 1
            }
            index += 1
        }
        stage.keepOnly(kept)
    }
}

extension Sampler {
    // MARK: Any other thread

    /// Starts a voice.
    /// - Parameters:
    ///   - time: a time that has passed is the next slice.
    ///   - gain: clamped to `gains`; 1 leaves the buffer unchanged.
    ///   - pan: -1 (left) to 1 (right), at constant power (`PanLaw`); without effect in a graph of one channel.
    @discardableResult
    public func start(
        _ buffer: SampleBuffer, at time: StartTime = .nextRender, loop: SampleLoop? = nil, gain: Float = 1,
        pan: Float = 0
    ) throws(SamplerError) -> VoiceID {
        guard buffer.format.sampleRate == format.sampleRate, buffer.format.channels <= 2 else {
            throw .unsupportedFormat(buffer.format)
        }
        guard !gain.isNaN, !pan.isNaN else { throw .notANumber }
        guard canConvert(time) else { throw .noClock }
        let path = try LoopPath(frames: buffer.frames, loop: loop)
        let settings = VoiceSettings(gain: Self.clamp(gain), pan: pan, channels: buffer.format.channels)
        return try book.withLock { book throws(SamplerError) in
            if book.isFull { collect(&book) }
            guard commands.hasSpace else { throw .queueFull }
            guard let id = book.allocate(buffer, settings) else { throw .noVoiceLeft }
            stage.put(Voice(
                id: id, buffer: buffer, path: path, fade: fade, level: settings.level(in: format)))
            _ = commands.push(VoiceCommand(kind: .start, voice: id, time: time))
            return id
        }
    }

    /// Fades the voice from `time` on, or from the next slice on if that has passed. A voice that has not begun by
    /// then never plays.
    /// - Returns: false if the rendering thread has not taken earlier commands yet, or if `time` is a moment and the
    ///   sampler has no clock.
    @discardableResult
    public func stop(_ voice: VoiceID, at time: StartTime = .nextRender) -> Bool {
        guard canConvert(time) else { return false }
        return book.withLock { book in
            !book.isPlaying(voice) || commands.push(VoiceCommand(kind: .stop, voice: voice, time: time))
        }
    }

    /// Fades all voices, and removes those that wait for a later time.
    /// - Returns: the same as for `stop`.
    @discardableResult
    public func stopAll(at time: StartTime = .nextRender) -> Bool {
        guard canConvert(time) else { return false }
        let none = VoiceID(slot: 0, generation: 0)
        return book.withLock { _ in commands.push(VoiceCommand(kind: .stopAll, voice: none, time: time)) }
    }

    /// Moves the gain in a straight line from the next slice on, and replaces a change in progress.
    /// - Parameter gain: clamped to `gains`.
    /// - Returns: false if the rendering thread has not taken earlier commands yet, or if `gain` is NaN.
    @discardableResult
    public func setGain(_ gain: Float, of voice: VoiceID, over time: Duration = .milliseconds(5)) -> Bool {
        !gain.isNaN && change(voice, over: time) { $0.gain = Self.clamp(gain) }
    }

    /// Moves the voice between left (-1) and right (1) from the next slice on, and replaces a change in progress.
    /// - Returns: the same as for `setGain`.
    @discardableResult
    public func setPan(_ pan: Float, of voice: VoiceID, over time: Duration = .milliseconds(5)) -> Bool {
        !pan.isNaN && change(voice, over: time) { $0.pan = pan }
    }

    private func change(_ voice: VoiceID, over time: Duration, _ change: (inout VoiceSettings) -> Void) -> Bool {
        book.withLock { book in
            guard var settings = book.settings(of: voice) else { return true }
            change(&settings)
            let done = commands.push(VoiceCommand(
                kind: .level, voice: voice, level: settings.level(in: format), length: Self.length(time, format)))
            if done { book.set(settings, of: voice) }
            return done
        }
    }

    private func canConvert(_ time: StartTime) -> Bool {
        if case .hostTime = time { clock != nil } else { true }
    }

    /// Collects the voices that have ended, and releases their buffers.
    private func collect(_ book: inout VoiceTable) {
        while let end = ended.front {
            ended.removeFront()
            book.note(end)
        }
    }

    private static func clamp(_ gain: Float) -> Float { min(max(gain, gains.lowerBound), gains.upperBound) }

    /// Converts a duration to frames; one hour at most.
    private static func length(_ time: Duration, _ format: AudioFormat) -> Int64 {
        min(max(0, format.frames(in: min(time, .seconds(3600)))), 1 << 30)
    }
}

extension Sampler: EventSource {
    /// Reports the voices that have ended.
    public func drainEvents() {
        let ends = book.withLock { book in
            collect(&book)
            return book.removeEnds()
        }
        for end in ends { onEnd(end) }
    }
}
