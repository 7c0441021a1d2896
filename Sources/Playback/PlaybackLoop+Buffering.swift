// SPDX-License-Identifier: GPL-3.0-or-later
import AudioEngine
import Logging
import MPEGAudio
import Media

/// Waiting for bytes.
extension PlaybackLoop {
    /// What the listener waits for; `nil` while there is sound, or nothing to be heard.
    private var waiting: BufferingPolicy.Waiting? {
        switch machine.phase {
        case .opening: .start
        case .priming(let waiting): waiting
        case .empty, .rendering, .trailing, .finishing, .draining, .ended, .failedAtEdge, .outputLost: nil
        }
    }

    /// Lets sound start, or go on, where the policy does.
    func settleSilence(_ progress: AudioQueue.Progress) {
        clock.tick(waiting, stalls: stalls, isPaused: machine.intent == .pause, at: now)
        expectedWait = nil
        guard let silence = clock.silence else { return }
        let supply = supply
        let isDry = (supply.isWhole || supply.isStill) && audio.bufferedFrames == 0
        expectedWait = isDry ? nil : BufferingPolicy.estimatedWait(silence, supply)
        guard case .priming = machine.phase else { return }
        switch BufferingPolicy.decide(silence, supply) {
        case .hold: return
        case .play(let reason):
            guard isPrimed(progress) else { return }
            logger.debug("sound may go on", metadata: ["why": "\(reason)", "waited": "\(silence.waited)"])
            if silence.waiting == .rebuffer { stalls += 1 }
            clock.reset()
            perform(machine.handle(.leadReached))
        }
    }

    private func isPrimed(_ progress: AudioQueue.Progress) -> Bool {
        guard let format = audio.ring?.format, audio.bufferedFrames > 0 else { return false }
        return progress != .worked || audio.bufferedFrames >= Int(format.frames(in: Self.primedTime))
    }

    /// Of the item that is read.
    var supply: Supply {
        let decoded = audio.ring.map { $0.format.duration(ofFrames: Int64(audio.bufferedFrames)) } ?? .zero
        // An item that is here to its end does not wait for the one behind it.
        guard let item = audio.readingItem, !audio.holdsEndOfItem else { return Supply(inHand: decoded, missing: 0) }
        return item.reader.supply(decoded: decoded, claimed: item.item.claimedDuration)
    }

    var wait: PlayerStatus.Wait? { clock.silence.map { .init(waited: $0.waited, expected: expectedWait) } }

    /// How likely the sound is to stop; `nil` in a silence, and where too little is known.
    var stallRisk: StallRisk? {
        switch machine.phase {
        case .rendering, .trailing, .finishing, .draining: StallRisk(supply, stalls: stalls)
        case .empty, .opening, .priming, .ended, .failedAtEdge, .outputLost: nil
        }
    }
}

extension ItemReader {
    /// - Parameters:
    ///   - decoded: what is in the ring.
    ///   - claimed: how long the item lasts according to its feed.
    func supply(decoded: Duration, claimed: Duration?) -> Supply {
        let arrival = source.arrival
        guard let timeline else { return supply(before: arrival, claimed) }
        let edge = arrival.extents.contiguousEnd(from: readOffset)
        let place = place(in: timeline)
        let behind = arrivedTime(in: timeline, upTo: edge).map { max(.zero, $0 - place) } ?? .zero
        let (end, length) = end(of: timeline, arrival, claimed)
        return Supply(
            inHand: decoded + behind, remaining: length.map { max(.zero, $0 - place) + decoded },
            missing: end.map { arrival.extents.missing(in: readOffset..<max(readOffset, $0)) },
            byteRate: timeline.byteRate(total: arrival.total, claimed: claimed), throughput: arrival.throughput,
            isStill: arrival.isStill)
    }

    /// Where what was read ends: an island's frames are numbered by estimate.
    private func place(in timeline: TrackTimeline) -> Duration {
        guard !isOnIsland, let nextTime else { return timeline.time(atByte: readOffset) ?? .zero }
        return nextTime
    }

    /// On the scale of the place above: counted as far as the index goes, at the mean rate from there on.
    private func arrivedTime(in timeline: TrackTimeline, upTo edge: Int64) -> Duration? {
        isOnIsland ? timeline.time(atByte: edge) : timeline.time(ofArrived: edge)
    }

    /// Nothing was found yet but a tag, perhaps.
    private func supply(before arrival: Arrival, _ claimed: Duration?) -> Supply {
        let rate = claimed.flatMap { claimed in arrival.total.map { Double($0) / max(1, claimed / .seconds(1)) } }
        return Supply(
            inHand: .zero, remaining: claimed, missing: arrival.total.map { max(1, $0 - arrival.extents.count) },
            byteRate: rate, tag: missingTag(arrival), throughput: arrival.throughput, isStill: arrival.isStill)
    }

    /// What of a tag is still awaited: one that is long enough is skipped.
    private func missingTag(_ arrival: Arrival) -> Int64 {
        let first = arrival.extents.contiguousEnd(from: 0)
        guard readOffset > first else { return 0 }
        let missing = arrival.extents.missing(in: first..<readOffset)
        let isSkipped = arrival.canSkipAhead && missing > SkipDistance.limit(bytesPerSecond: arrival.bytesPerSecond)
        return isSkipped ? 0 : missing
    }

    /// Where the item ends, in bytes and in time, as far as is known.
    private func end(of timeline: TrackTimeline, _ arrival: Arrival, _ claimed: Duration?) -> (Int64?, Duration?) {
        let length = timeline.duration.value ?? claimed
        guard let end = item.end, let time = timeline.time(of: end) else {
            return (arrival.total ?? claimedEnd(of: timeline, arrival, claimed), length)
        }
        // An estimate that falls short would let every packet be heard by itself.
        let byte = timeline.estimate.byte(atTime: time).map { min($0 + max(64 << 10, $0 / 100), arrival.total ?? .max) }
        return (byte ?? arrival.total, min(time, length ?? time))
    }

    /// Where no server says how long it is, the feed's word is better than nothing, until it is disproved.
    private func claimedEnd(of timeline: TrackTimeline, _ arrival: Arrival, _ claimed: Duration?) -> Int64? {
        guard let claimed, let end = timeline.estimate.byte(atTime: claimed) else { return nil }
        return end > arrival.extents.upperBound ?? 0 ? end : nil
    }
}

extension Arrival {
    /// No further byte comes, none as long as the disk is full, or none for longer than anyone waits.
    var isStill: Bool {
        switch condition {
        case .complete, .failed, .held: true
        case .backingOff(let backoff): backoff.retryIn.map { $0 > .seconds(30) } ?? false
        case .connecting, .receiving: false
        }
    }
}
