// SPDX-License-Identifier: GPL-3.0-or-later
public import AudioFiles
public import Media
import Synchronization

/// A source that plays a file from disk: forward and backward, in loops exact to the frame, faster and slower, all of
/// which can change during playback. Other engines call this an audio file player or a disk streamer.
///
/// A background thread decodes ahead into a ring; `render` only copies. Memory is limited to two blocks of the file
/// and the ring, for files of any length.
///
/// ```swift
/// let source = try StreamingSource(reader, events: events) { print($0) }
/// try source.setLoop(StreamLoop(from: 441_000, to: 529_200, times: 4))
/// try source.seek(to: 441_000)
/// source.play()
/// source.setDirection(.backward)   // at the frame that plays now
/// ```
/// Orders may come from any thread but the realtime one; none waits for the disk. Orders given in succession are
/// carried out together if the decode thread finds them together. Frames decoded beyond `Options.lead` are taken
/// back, so an order takes effect after the lead and the time to decode its first frames. At rate 1 and without fades
/// every sample is the reader's; backward, the same samples play in the opposite order.
public final class StreamingSource: RenderSource {
    /// The settings of a source, which stay the same during playback.
    public struct Options: Sendable {
        /// The duration of the fade at a start and a stop, and of the crossfade in a seek. With 0, every sample is
        /// the file's from the first one on, and stops may click.
        public var fade = Duration.milliseconds(5)
        /// The duration of sound that still plays unchanged after an order during playback, to avoid a gap until the
        /// new sound is decoded. With 0, orders take effect with the next frame; that suits offline rendering, where
        /// `prime` waits for it.
        public var lead = Duration.milliseconds(20)
        /// The minimum duration of sound decoded ahead.
        public var ahead = Duration.milliseconds(350)
        /// The duration of each of the two blocks of the file. Backward, a block is decoded before it plays.
        public var block = Duration.milliseconds(250)

        public init() {}

        /// The options without fade and lead.
        public static var exact: Options {
            var options = Options()
            (options.fade, options.lead) = (.zero, .zero)
            return options
        }
    }

    /// The rates at which a file can play.
    public static let rates: ClosedRange<Double> = 0.25...4

    /// The format that the source renders, which is the reader's.
    public let format: AudioFormat

    private let turn = RenderTurn()
    let ring: RetractableRing
    let timeline: Mutex<StreamTimeline>
    let decoding: Mutex<StreamDecoding>
    let orders = Mutex<[StreamCommand]>([])
    let wake = WakeSignal()
    let leadFrames: Int
    let fade: StopFade
    let wantsSound = Atomic<Bool>(false)
    /// True if the ring contains all remaining frames.
    let isComplete = Atomic<Bool>(false)
    /// The level of the fade; only the renderer writes it.
    let fadeLevel = Atomic<Int>(0)
    private let hasBegun = Atomic<Bool>(false)
    let starved = Atomic<Int>(0)
    let toldStarved = Atomic<Int>(0)
    let handler: (@Sendable (StreamingEvent) -> Void)?

    /// Creates a source and begins to decode; playback begins with `play`.
    /// - Parameters:
    ///   - reader: delivers interleaved Float32 at the graph's rate; no other code may use it from now on.
    ///   - events: delivers events to `handler`, which may be called on any thread but the realtime one.
    public convenience init(
        _ reader: sending any AudioFrameReader, options: Options = Options(), events: EventThread? = nil,
        handler: (@Sendable (StreamingEvent) -> Void)? = nil
    ) throws(StreamingError) {
        try self.init(reader, options: options, firstOrders: { _ in }, events: events, handler: handler)
    }

    /// Creates a source that carries out its first orders before it reads, so that it does not read from the beginning
    /// of the file. Backward playback reads up to a block before its place.
    /// - Parameter firstOrders: gives the orders to the new source.
    package init(
        _ reader: sending any AudioFrameReader, options: Options,
        firstOrders: (StreamingSource) throws(StreamingError) -> Void, events: EventThread?,
        handler: (@Sendable (StreamingEvent) -> Void)?
    ) throws(StreamingError) {
        let format = reader.format
        guard format.canBeStreamed else { throw .notRenderable(format) }
        func frames(_ time: Duration) -> Int {
            format.buffered(Int(format.frames(in: min(max(.zero, time), .seconds(10)))))
        }
        let (fadeFrames, lead) = (frames(options.fade), frames(options.lead))
        let least = lead + fadeFrames + 4 * StreamDecoder.chunk
        self.format = format
        self.handler = handler
        leadFrames = lead
        fade = StopFade(length: fadeFrames)
        ring = RetractableRing(capacity: max(frames(options.ahead), least), channels: format.channels)
        let block = max(frames(options.block), 4 * StreamDecoder.chunk)
        let decoder = StreamDecoding(reader, blockFrames: block, fadeFrames: fadeFrames)
        timeline = Mutex(StreamTimeline(cursor: StreamCursor(), length: decoder.decoder.length))
        decoding = Mutex(decoder)
        try firstOrders(self)
        try startDecoding()
        events?.attach(self)
    }

    deinit { wake.signal() }

    // MARK: Orders

    /// Starts playback with the next slice.
    public func play() {
        wantsSound.store(true, ordering: .relaxed)
        wake.signal()
    }

    /// Stops playback with the next slice, after a fade; the position is kept. `render` then returns fewer frames
    /// than requested.
    public func stop() { wantsSound.store(false, ordering: .relaxed) }

    /// Continues at a frame of the file, whether the source plays or not.
    /// - Parameter frame: 0 to the file's length. Forward, this frame plays first; backward, the frame before it.
    public func seek(to frame: Int64) throws(StreamingError) {
        guard frame >= 0, frame <= furthest else { throw .outsideFile(frame: frame) }
        send(.seek(to: frame))
    }

    /// Plays in a direction from the frame that plays now on; after a change, the frames played last play again.
    public func setDirection(_ direction: PlayDirection) { send(.turn(direction)) }

    /// Plays a section repeatedly; `nil` plays on without a loop. Setting a loop while another one, or the same one,
    /// plays restarts the count.
    public func setLoop(_ loop: StreamLoop?) throws(StreamingError) {
        var loop = loop
        let furthest = furthest
        if let start = loop?.start, start >= furthest { throw .outsideFile(frame: start) }
        if let end = loop?.end, end > furthest { loop?.end = furthest }
        send(.loop(loop))
    }

    /// Plays faster or slower.
    /// - Parameters:
    ///   - rate: a value in `rates`; 1 plays the file unchanged, bit for bit.
    ///   - keepsPitch: true to stretch the sound, which drops or repeats pitch periods. Otherwise the pitch changes
    ///     with the rate, and values between frames are interpolated with a cubic, without a filter: at rates above 1,
    ///     frequencies that are too high alias.
    public func setRate(_ rate: Double, keepsPitch: Bool = false) throws(StreamingError) {
        guard Self.rates.contains(rate) else { throw .unsupportedRate(rate) }
        send(.rate(rate, keepsPitch: keepsPitch))
    }

    // MARK: Status and rendering

    /// The current state, exact to the frame, which follows from the number of frames rendered. Orders appear when
    /// they take effect.
    public var status: StreamingStatus {
        let heard = ring.claimed
        return timeline.withLock { timeline in
            let cursor = timeline.cursor(at: heard)
            let ending = timeline.ending(heard: heard)
            return StreamingStatus(
                frame: cursor.path.frame, direction: cursor.path.direction, rate: cursor.rate,
                isPlaying: wantsSound.load(ordering: .relaxed), hasFinished: ending == .finished,
                failure: ending?.error, loop: cursor.path.loop, repeats: cursor.path.repeats,
                length: timeline.length, starvedFrames: starved.load(ordering: .relaxed))
        }
    }

    /// True if the last frame was rendered. Any thread may read it, including the realtime one.
    package var hasRenderedAll: Bool { isComplete.load(ordering: .acquiring) && ring.renderableFrames == 0 }

    /// Renders fewer frames than requested when stopped, at the end, and when the disk is too slow.
    public func render(into output: UnsafeMutablePointer<Float>, frames: Int, at outputFrame: Int64) -> Int {
        guard turn.begin() else { return 0 }
        defer { turn.end() }
        return pull(into: output, frames: frames)
    }

    @_noLocks @_noAllocation
    private func pull(into output: UnsafeMutablePointer<Float>, frames: Int) -> Int {
        let plays = wantsSound.load(ordering: .relaxed)
        let before = fadeLevel.load(ordering: .relaxed)
        // A stop still renders the frames over which it fades.
        let wanted = plays ? frames : min(frames, before)
        let taken = ring.read(into: output, frames: wanted)
        if taken > 0 { hasBegun.store(true, ordering: .relaxed) }
        var level = fade.apply(from: before, rising: plays, to: output, frames: taken, channels: ring.channels)
        if taken < wanted {
            // The frames that come next follow silence.
            level = 0
            // Before its first frame is decoded, the source is starting: that is not an underrun.
            if plays, hasBegun.load(ordering: .relaxed), !isComplete.load(ordering: .relaxed) {
                starved.add(wanted &- taken, ordering: .relaxed)
            }
        }
        fadeLevel.store(level, ordering: .relaxed)
        return taken
    }

    /// The last position that an order can reach.
    private var furthest: Int64 {
        guard case .exact(let length) = timeline.withLock({ $0.length }) else { return StreamPath.limit }
        return length
    }

    private func send(_ order: StreamCommand) {
        orders.withLock { $0.append(order) }
        wake.signal()
    }
}
