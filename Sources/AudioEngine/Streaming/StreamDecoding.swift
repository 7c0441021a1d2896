// SPDX-License-Identifier: GPL-3.0-or-later
import AudioBuffers
import AudioFiles
import Glibc
import Media
import Synchronization

/// The decoder, and what is left of the sound before a jump.
struct StreamDecoding: ~Copyable {
    var decoder: StreamDecoder
    private let channels: Int
    /// The sound that would have been heard, had nobody jumped; the next frames change from it.
    private let tail: AudioBufferList
    private var tailFrames = 0
    private var tailDone = 0
    /// Where in the ring the last change is over.
    private var tailEnd = 0

    init(_ reader: sending any AudioFrameReader, blockFrames: Int, fadeFrames: Int) {
        channels = reader.format.channels
        tail = AudioBufferList(format: reader.format, frameCapacity: fadeFrames)
        decoder = StreamDecoder(reader, blockFrames: blockFrames)
    }

    /// The next frames change from the `frames` ones in the ring from `index` on, which were taken back, and from the
    /// silence behind them; or, for `nil`, from nothing.
    mutating func keepTail(of ring: borrowing RetractableRing, from index: Int, frames: Int?) {
        (tailFrames, tailDone) = (frames == nil ? 0 : tail.frameCapacity, 0)
        tailEnd = index + tailFrames
        let there = min(frames ?? 0, tailFrames)
        ring.copyRetracted(from: index, frames: there, to: tail.start)
        (tail.start + there * channels).update(repeating: 0, count: (tailFrames - there) * channels)
    }

    /// Whether the sound before a jump still changes to that behind it there.
    func isChanging(at index: Int) -> Bool { index < tailEnd }

    /// The next chunk, beginning with what is left of the tail. Where nothing follows, the tail changes to silence.
    mutating func next() -> StreamDecoder.Outcome {
        let outcome = decoder.next()
        switch outcome {
        case .frames(let frames, _): mixTail(frames: frames)
        case .ended where tailDone < tailFrames:
            let rest = min(tailFrames - tailDone, StreamDecoder.chunk)
            decoder.samples.update(repeating: 0, count: rest * channels)
            mixTail(frames: rest)
            return .frames(rest, from: decoder.cursor)
        case .edge, .ended, .failed: break
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
    /// What one round of decoding came to.
    private enum Round { case made, full, edge, ended }

    /// Waits until frames can be rendered that follow all orders given: for rendering offline, where nothing may be
    /// missing. It decodes on the calling thread, which must not be the realtime one.
    ///
    /// ```swift
    /// var renderer = OfflineRenderer(graph, block: 1024) { frames, _ in source.prime(frames: frames) }
    /// ```
    /// - Parameters:
    ///   - frames: no more than `Options.ahead`.
    ///   - limit: how long to wait for what has not arrived of a growing file.
    /// - Returns: whether so many are there, or all that will ever come.
    @discardableResult
    public func prime(frames: Int, atMost limit: Duration = .seconds(10)) -> Bool {
        let end = ContinuousClock.now + limit
        while true {
            switch round() {
            case .made: if ring.held >= frames { return true }
            case .full: return ring.held >= frames
            case .ended: return true
            case .edge:
                guard ring.held < frames else { return true }
                guard ContinuousClock.now < end else { return false }
                usleep(2000)
            }
        }
    }

    func startDecoding() throws(StreamingError) {
        let thread = WorkerThread.start { [weak self, wake] in
            while let pause = self?.fill() { wake.wait(atMost: pause) }
        }
        guard let thread else { throw .noThread }
        thread.detach()
    }

    /// Decodes as long as there is room.
    /// - Returns: when to look again, be there no order before.
    private func fill() -> Duration {
        while true {
            switch round() {
            case .made: continue
            case .edge: return .milliseconds(20)
            case .full where wantsSound.load(ordering: .relaxed):
                return format.duration(ofFrames: Int64(ring.capacity / 4))
            case .full, .ended: return .seconds(1)
            }
        }
    }

    /// Carries out what was ordered, then makes one chunk.
    private func round() -> Round {
        decoding.withLock { decoding in
            carryOutOrders(&decoding)
            return makeChunk(&decoding)
        }
    }

    private func makeChunk(_ decoding: inout StreamDecoding) -> Round {
        guard !isComplete.load(ordering: .relaxed) else { return .ended }
        guard ring.room >= StreamDecoder.chunk else { return .full }
        switch decoding.next() {
        case .frames(let frames, let start):
            let (length, heard) = (decoding.decoder.length, ring.claimed)
            // Known before it can be heard.
            timeline.withLock { $0.append(frames, from: start, length: length, heard: heard) }
            ring.write(UnsafeBufferPointer(start: decoding.decoder.samples, count: frames * format.channels))
            return .made
        case .edge:
            timeline.withLock { $0.reachEdge() }
            return .edge
        case .ended: return end(.finished)
        case .failed(let error): return end(.failed(error))
        }
    }

    private func end(_ ending: StreamTimeline.Ending) -> Round {
        isComplete.store(true, ordering: .relaxed)
        timeline.withLock { $0.end(ending) }
        return .ended
    }

    /// Takes back what lies beyond the lead and goes on from there as ordered.
    private func carryOutOrders(_ decoding: inout StreamDecoding) {
        let orders = self.orders.withLock { orders in
            defer { orders.removeAll() }
            return orders
        }
        guard !orders.isEmpty else { return }
        let plays = wantsSound.load(ordering: .relaxed)
        let lead = plays ? leadFrames : fadeLevel.load(ordering: .relaxed)
        // So that the lead is as long, and the change as smooth, however little was decoded until now.
        while ring.held < lead + fade.length, makeChunk(&decoding) == .made {}
        prefetch(orders, behind: lead, &decoding)
        let end = ring.written
        let start = ring.retract(keeping: lead)
        var cursor = timeline.withLock { $0.cursor(at: start) }
        let jumps = cursor.carryOut(orders) || decoding.isChanging(at: start)
        timeline.withLock { $0.retract(to: start, goingOnAt: cursor) }
        decoding.decoder.cursor = cursor
        decoding.keepTail(of: ring, from: start, frames: jumps && plays ? end - start : nil)
        isComplete.store(false, ordering: .relaxed)
    }

    /// What a seek leads to is read while the old still sounds.
    private func prefetch(_ orders: [StreamOrder], behind lead: Int, _ decoding: inout StreamDecoding) {
        let place = ring.claimed + lead
        var cursor = timeline.withLock { $0.cursor(at: place) }
        guard cursor.carryOut(orders) else { return }
        decoding.decoder.prefetch(from: cursor.path.frame, cursor.path.direction)
    }
}

extension StreamingSource: EventSource {
    public func drainEvents() {
        let heard = ring.claimed
        var (news, isAtEdge) = timeline.withLock { ($0.news(heard: heard), $0.isAtEdge) }
        let count = starved.load(ordering: .relaxed)
        let missing = count - toldStarved.exchange(count, ordering: .relaxed)
        if missing > 0, !isAtEdge { news.append(.starved(frames: missing)) }
        guard let handler else { return }
        for event in news { handler(event) }
    }
}
