// SPDX-License-Identifier: GPL-3.0-or-later
public import AudioFiles
public import Media
import Synchronization

/// Plays a file from disk as it is pulled: forward and backward, in loops exact to the frame, faster and slower, all of
/// it changed while it plays. What an audio file player or disk streamer is elsewhere.
///
/// A thread of its own decodes ahead into a ring; `render` only copies. It holds two blocks of the file and the ring,
/// whatever the file's length.
///
/// ```swift
/// let source = try StreamingSource(reader, events: events) { print($0) }
/// try source.setLoop(StreamLoop(from: 441_000, to: 529_200, times: 4))
/// try source.seek(to: 441_000)
/// source.play()
/// source.setDirection(.backward)   // at the frame now heard
/// ```
/// Orders may come from any thread but the realtime one; none waits for the disk. Those given one after the other are
/// carried out together where the decode thread finds them together. What was decoded beyond `Options.lead` is taken
/// back, so an order is heard after the lead and what decoding its first frames takes. At rate 1 and without fades
/// every sample is the reader's own; backward they are the same samples in the opposite order.
public final class StreamingSource: RenderSource {
    public struct Options: Sendable {
        /// How long a start rises and a stop falls, and how long the sound of a place changes to that of the next in a
        /// seek. Nothing: every sample is as it is in the file, from the first one on, and stops may click.
        public var fade = Duration.milliseconds(5)
        /// What is left to be rendered as it was when an order comes while playing, lest there be silence until the
        /// new is decoded. Nothing: for rendering offline, where `prime` waits for it, orders take effect with the
        /// very next frame.
        public var lead = Duration.milliseconds(20)
        /// How far ahead is decoded, at least.
        public var ahead = Duration.milliseconds(350)
        /// How much of the file each of the two blocks holds. Backward, a block is decoded at once.
        public var block = Duration.milliseconds(250)

        public init() {}

        /// No fade and no lead.
        public static var exact: Options {
            var options = Options()
            (options.fade, options.lead) = (.zero, .zero)
            return options
        }
    }

    /// The rates at which a file can be played; pitch goes with it. Between frames values are interpolated with a
    /// cubic, without a filter: what is too high for a rate above 1 is folded down.
    public static let rates: ClosedRange<Double> = 0.25...4

    /// What it renders: the reader's format.
    public let format: AudioFormat

    private let turn = RenderTurn()
    let ring: RetractableRing
    let timeline: Mutex<StreamTimeline>
    let decoding: Mutex<StreamDecoding>
    let orders = Mutex<[StreamOrder]>([])
    let wake = WakeSignal()
    let leadFrames: Int
    let fade: StopFade
    let wantsSound = Atomic<Bool>(false)
    /// What is in the ring is all there will be.
    let isComplete = Atomic<Bool>(false)
    /// The level of the fade: the renderer's own.
    let fadeLevel = Atomic<Int>(0)
    private let hasBegun = Atomic<Bool>(false)
    let starved = Atomic<Int>(0)
    let toldStarved = Atomic<Int>(0)
    let handler: (@Sendable (StreamingEvent) -> Void)?

    /// Begins to decode; it plays after `play`.
    /// - Parameters:
    ///   - reader: of interleaved Float32 at the graph's rate; it is not touched by anyone else any more.
    ///   - events: tells `handler`, which may be called on any thread but the realtime one.
    public init(
        _ reader: sending any AudioFrameReader, options: Options = Options(), events: EventThread? = nil,
        handler: (@Sendable (StreamingEvent) -> Void)? = nil
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
        try startDecoding()
        events?.attach(self)
    }

    deinit { wake.signal() }

    // MARK: Orders

    /// From the next slice on there is sound.
    public func play() {
        wantsSound.store(true, ordering: .relaxed)
        wake.signal()
    }

    /// From the next slice on, and a fade, there is none; it stays where it is. `render` then comes back short.
    public func stop() { wantsSound.store(false, ordering: .relaxed) }

    /// Goes on at a frame of the file, whether it plays or not.
    /// - Parameter frame: forward, the one heard first; backward, the one heard last before it. 0 to the file's length.
    public func seek(to frame: Int64) throws(StreamingError) {
        guard frame >= 0, frame <= furthest else { throw .outsideFile(frame: frame) }
        give(.seek(to: frame))
    }

    /// Plays the other way from the frame now heard: what was heard last is heard again.
    public func setDirection(_ direction: PlayDirection) { give(.turn(direction)) }

    /// Plays a section again and again; `nil` plays on. Given while another is played, or the same, it counts anew.
    public func setLoop(_ loop: StreamLoop?) throws(StreamingError) {
        var loop = loop
        let furthest = furthest
        if let start = loop?.start, start >= furthest { throw .outsideFile(frame: start) }
        if let end = loop?.end, end > furthest { loop?.end = furthest }
        give(.loop(loop))
    }

    /// Plays faster or slower.
    /// - Parameter rate: one of `rates`; 1 is the file's own, bit for bit.
    public func setRate(_ rate: Double) throws(StreamingError) {
        guard Self.rates.contains(rate) else { throw .unsupportedRate(rate) }
        give(.rate(rate))
    }

    // MARK: What is heard

    /// Where it is now, to the frame: it follows from the number of frames rendered. Orders show when they are heard.
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

    /// Whether its last frame was rendered: any thread, the realtime one included.
    package var hasGivenAll: Bool { isComplete.load(ordering: .acquiring) && ring.held == 0 }

    /// Comes back short when it is stopped, at the end, and where the disk is too slow.
    public func render(into output: UnsafeMutablePointer<Float>, frames: Int, at outputFrame: Int64) -> Int {
        guard turn.begin() else { return 0 }
        defer { turn.end() }
        return pull(into: output, frames: frames)
    }

    @_noLocks @_noAllocation
    private func pull(into output: UnsafeMutablePointer<Float>, frames: Int) -> Int {
        let plays = wantsSound.load(ordering: .relaxed)
        let before = fadeLevel.load(ordering: .relaxed)
        // A stop still takes the frames over which it falls.
        let wanted = plays ? frames : min(frames, before)
        let taken = ring.take(into: output, frames: wanted)
        if taken > 0 { hasBegun.store(true, ordering: .relaxed) }
        var level = fade.apply(from: before, rising: plays, to: output, frames: taken, channels: ring.channels)
        if taken < wanted {
            // Whatever comes next follows silence.
            level = 0
            // Until the first frame was decoded it begins: that is not starving.
            if plays, hasBegun.load(ordering: .relaxed), !isComplete.load(ordering: .relaxed) {
                starved.add(wanted &- taken, ordering: .relaxed)
            }
        }
        fadeLevel.store(level, ordering: .relaxed)
        return taken
    }

    /// No order leads further.
    private var furthest: Int64 {
        guard case .exact(let length) = timeline.withLock({ $0.length }) else { return StreamPath.limit }
        return length
    }

    private func give(_ order: StreamOrder) {
        orders.withLock { $0.append(order) }
        wake.signal()
    }
}
