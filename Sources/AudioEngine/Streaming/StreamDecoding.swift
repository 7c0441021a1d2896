// SPDX-License-Identifier: GPL-3.0-or-later
import AudioBuffers
import AudioFiles
import Glibc
import Media
import Synchronization

/// A decoder together with the rest of the sound before a jump.
struct StreamDecoding: ~Copyable {
    var decoder: StreamDecoder
    private let channels: Int
    /// The frames that would have played without the jump; the next frames crossfade from them.
    private let tail: AudioBufferList
    private var tailFrames = 0
    private var tailDone = 0
    /// The index in the ring at which the last crossfade ends.
    private var tailEnd = 0

    init(_ reader: sending any AudioFrameReader, blockFrames: Int, fadeFrames: Int) {
        channels = reader.format.channels
        tail = AudioBufferList(format: reader.format, frameCapacity: fadeFrames)
        decoder = StreamDecoder(reader, blockFrames: blockFrames)
    }

    /// Makes the next frames crossfade from `frames` frames in the ring from `index` on, which were taken back, and
    /// from silence after them; with `nil`, they begin without a crossfade.
    mutating func keepTail(of ring: borrowing RetractableRing, from index: Int, frames: Int?) {
        (tailFrames, tailDone) = (frames == nil ? 0 : tail.frameCapacity, 0)
        tailEnd = index + tailFrames
        let there = min(frames ?? 0, tailFrames)
        ring.copyRetracted(from: index, frames: there, to: tail.start)
        (tail.start + there * channels).update(repeating: 0, count: (tailFrames - there) * channels)
    }

    /// Returns true if the crossfade of a jump is still in progress at `index`.
    func isChanging(at index: Int) -> Bool { index < tailEnd }

    /// Produces the next chunk, beginning with the rest of the crossfade. If no frames follow, the old sound fades to
    /// silence.
    mutating func next() -> StreamDecoder.Outcome {
        let outcome = decoder.next()
        switch outcome {
        case .frames(let frames, _): mixTail(frames: frames)
        case .ended where tailDone < tailFrames:
            let rest = min(tailFrames - tailDone, StreamDecoder.chunk)
            decoder.samples.update(repeating: 0, count: rest * channels)
            mixTail(frames: rest)
            return .frames(rest, from: decoder.cursor)
        case .notYetAvailable, .ended, .failed: break
        }
        return outcome
    }

    private mutating func mixTail(frames: Int) {
        let count = min(frames, tailFrames - tailDone)
        guard count > 0 else { return }
        let old = tail.start + tailDone * channels
        Crossfade(length: tailFrames).apply(
            from: tailDone, frames: count, to: old, partner: decoder.samples, channels: channels)
        decoder.samples.update(from: old, count: count * channels)
        tailDone += count
    }
}

extension StreamingSource {
    /// The result of one round of decoding.
    private enum Round { case made, full, notYetAvailable, ended }

    /// Waits until the next frames, which follow all orders given, can be rendered: for offline rendering, in which
    /// no frame may be missing. It decodes on the calling thread, which must not be the realtime one.
    ///
    /// ```swift
    /// var renderer = OfflineRenderer(graph, block: 1024) { frames, _ in source.prime(frames: frames) }
    /// ```
    /// - Parameters:
    ///   - frames: at most `Options.ahead`.
    ///   - limit: the timeout for frames of a growing file that are not yet available.
    /// - Returns: true if this many frames, or all that remain, are available.
    @discardableResult
    public func prime(frames: Int, atMost limit: Duration = .seconds(10)) -> Bool {
        let end = ContinuousClock.now + limit
        while true {
            switch round() {
            case .made: if ring.renderableFrames >= frames { return true }
            case .full: return ring.renderableFrames >= frames
            case .ended: return true
            case .notYetAvailable:
                guard ring.renderableFrames < frames else { return true }
                guard ContinuousClock.now < end else { return false }
                usleep(2000)
            }
        }
    }

    public func prepareToRender(frames: Int) -> Bool {
        prime(frames: frames, atMost: .milliseconds(100)) || ring.writableFrames < StreamDecoder.chunk
    }

    func startDecoding() throws(StreamingError) {
        decoding.withLock { decoding in carryOutOrders(&decoding) }
        let thread = WorkerThread.start { [weak self, wake] in
            while let pause = self?.fill() { wake.wait(atMost: pause) }
        }
        guard let thread else { throw .noThread }
        thread.detach()
    }

    /// Decodes while there is space.
    /// - Returns: the time until the next attempt, unless an order arrives before.
    private func fill() -> Duration {
        while true {
            switch round() {
            case .made: continue
            case .notYetAvailable: return .milliseconds(20)
            case .full where wantsSound.load(ordering: .relaxed):
                return format.duration(ofFrames: Int64(ring.capacity / 4))
            case .full, .ended: return .seconds(1)
            }
        }
    }

    /// Carries out pending orders, then decodes one chunk.
    private func round() -> Round {
        decoding.withLock { decoding in
            carryOutOrders(&decoding)
            return makeChunk(&decoding)
        }
    }

    private func makeChunk(_ decoding: inout StreamDecoding) -> Round {
        guard !isComplete.load(ordering: .relaxed) else { return .ended }
        guard ring.writableFrames >= StreamDecoder.chunk else { return .full }
        switch decoding.next() {
        case .frames(let frames, let start):
            let (length, heard) = (decoding.decoder.length, ring.claimed)
            // The timeline must know the frames before they can be rendered.
            timeline.withLock { $0.append(frames, from: start, length: length, heard: heard) }
            ring.write(UnsafeBufferPointer(start: decoding.decoder.samples, count: frames * format.channels))
            return .made
        case .notYetAvailable:
            timeline.withLock { $0.markOutOfData() }
            return .notYetAvailable
        case .ended: return end(.finished)
        case .failed(let error): return end(.failed(error))
        }
    }

    private func end(_ ending: StreamTimeline.Ending) -> Round {
        isComplete.store(true, ordering: .relaxed)
        timeline.withLock { $0.end(ending) }
        return .ended
    }

    /// Takes back the frames beyond the lead, and continues from there as ordered.
    private func carryOutOrders(_ decoding: inout StreamDecoding) {
        let orders = self.orders.withLock { orders in
            defer { orders.removeAll() }
            return orders
        }
        guard !orders.isEmpty else { return }
        let plays = wantsSound.load(ordering: .relaxed)
        let lead = plays ? leadFrames : fadeLevel.load(ordering: .relaxed)
        // Ensures that the lead is as long and the crossfade as smooth, however little was decoded before.
        let least = plays ? lead + fade.length : lead
        while ring.renderableFrames < least, makeChunk(&decoding) == .made {}
        prefetch(orders, behind: lead, &decoding)
        let end = ring.written
        let start = ring.retract(keeping: lead)
        var cursor = timeline.withLock { $0.cursor(at: start) }
        // Within a splice of stretched sound, the next frames do not continue the waveform.
        let isSpliced = cursor.stretchedSpeed != nil && !cursor.isPlain
        let jumps = cursor.carryOut(orders) || decoding.isChanging(at: start) || isSpliced
        timeline.withLock { $0.retract(to: start, goingOnAt: cursor) }
        decoding.decoder.move(to: cursor)
        decoding.keepTail(of: ring, from: start, frames: jumps && plays ? end - start : nil)
        isComplete.store(false, ordering: .relaxed)
    }

    /// Reads the first frames after a seek while the old sound still plays.
    private func prefetch(_ orders: [StreamCommand], behind lead: Int, _ decoding: inout StreamDecoding) {
        let place = ring.claimed + lead
        var cursor = timeline.withLock { $0.cursor(at: place) }
        guard cursor.carryOut(orders) else { return }
        decoding.decoder.prefetch(from: cursor.path.frame, cursor.path.direction)
    }
}

extension StreamingSource: EventSource {
    public func drainEvents() {
        let heard = ring.claimed
        var (news, isAtEdge) = timeline.withLock { ($0.newEvents(heard: heard), $0.isOutOfData) }
        let count = starved.load(ordering: .relaxed)
        let missing = count - toldStarved.exchange(count, ordering: .relaxed)
        if missing > 0, !isAtEdge { news.append(.starved(frames: missing)) }
        guard let handler else { return }
        for event in news { handler(event) }
    }
}
