// SPDX-License-Identifier: GPL-3.0-or-later
import AudioEngine
import Media

/// An open stream and the source it pulls from. All methods require the mainloop's lock.
final class PulsePlayback {
    let stream: PulseStream
    let source: RewindableSource
    let mark = RenderMark()
    let events: @Sendable (AudioSinkEvent) -> Void
    private let makeTimer: (_ delay: Duration, _ handler: @escaping () -> Void) -> PulseTimer
    var playhead: Playhead
    var isCorked = true
    var supply = SourceState.flowing
    private var draining = Draining.no
    /// The frames written since the server last ran dry: it plays nothing until they reach `stream.startFrames`.
    var framesSinceSilence = 0
    /// True while frames are taken back and those that replace them are not yet available.
    var isHeld = false
    /// The number of written frames that the next ones replace.
    var replacedFrames = 0
    /// The frames of silence that were written after the sound faded out; `nil` unless the next frames are awaited.
    var silentFrames: Int?
    /// True if the device is lost and nothing can be played.
    private(set) var isLost = false

    enum SourceState {
        /// The source returned all requested frames.
        case flowing
        /// The source returned fewer frames than requested, and `sourceRefilled` must announce new ones.
        case short
        /// The same, and `starved` was reported.
        case starved
    }

    private enum Draining {
        case no
        /// The drain starts as soon as the source is dry and the stream runs.
        case wanted
        case underWay(DrainWatch, PulseTimer)
    }

    /// - Parameter frame: The first frame to play. Frames that `source` has buffered from there on come first.
    init(
        _ stream: PulseStream, pulling source: RewindableSource, from frame: Int64,
        events: @escaping @Sendable (AudioSinkEvent) -> Void,
        makeTimer: @escaping (_ delay: Duration, _ handler: @escaping () -> Void) -> PulseTimer
    ) {
        self.stream = stream
        self.source = source
        self.events = events
        self.makeTimer = makeTimer
        playhead = Playhead(format: stream.format, at: max(frame, source.start))
    }

    func uncork() {
        guard !isFadedOut else { return playAfterSilence() }
        guard isCorked, !isLost else { return }
        isCorked = false
        if supply == .starved { supply = .short }
        // The buffer is filled first, because uncorking starts the playback.
        fill()
        stream.cork(false)
        recordStart()
        handleDrySource()
    }

    func cork() {
        guard !isCorked else { return }
        isCorked = true
        abandonDrain()
        playhead.recordStop(at: PulseMainloop.now)
        stream.cork(true)
        if isFadedOut { endSilence() }
    }

    func flush() {
        abandonDrain()
        playhead.flush(at: PulseMainloop.now)
        stream.flush()
        (framesSinceSilence, replacedFrames, isHeld) = (0, 0, false)
        mark.flush(source, at: playhead.pulled)
        events(.pulled)
    }

    /// Writes no more frames until `sourceRefilled`.
    func hold() {
        abandonDrain()
        isHeld = true
    }

    /// Takes back the written frames that the device has not consumed, except those within `lead`.
    /// - Returns: The number of the next frame to write.
    func takeBack(keeping lead: Duration) -> Int64 {
        let kept = isCorked ? 0 : stream.format.frames(in: lead)
        // Frames that the source no longer remembers stay as they are.
        let first = max(source.start, playhead.consumedFrames(at: PulseMainloop.now) + kept)
        // After a loss, the source still has frames that this stream has not pulled.
        guard first < max(playhead.pulled, source.end), !isLost else { return playhead.pulled }
        let count = Int(max(0, playhead.pulled - first))
        replacedFrames += count
        framesSinceSilence = max(0, framesSinceSilence - count)
        playhead.takeBack(to: min(first, playhead.pulled))
        source.replace(from: first)
        return first
    }

    func sourceRefilled() {
        let wasHeld = isHeld
        isHeld = false
        if wasHeld || supply != .flowing { refill() }
    }

    func drain() {
        guard case .no = draining else { return }
        draining = .wanted
        refill()
    }

    var playedFrames: Int64 { playhead.playedFrames(at: PulseMainloop.now) }

    /// Handles an event of the stream.
    func handle(_ event: PulseStream.Event) {
        switch event {
        case .writable: refill()
        case .underrun: handleUnderrun()
        case .timed: readTiming()
        case .drained: finishDrain()
        case .suspensionChanged:
            playhead.recordStop(at: PulseMainloop.now)
            recordStart()
        case .moved, .unplugged, .failed: break
        }
    }

    /// Handles the loss of the device with its buffered frames. The playhead stays at the last frame that was played.
    func handleDeviceLoss() {
        cork()
        isLost = true
    }

    /// Disconnects the stream. No event comes afterwards.
    func close() {
        abandonDrain()
        stream.disconnect()
    }
}

extension PulsePlayback {
    private func refill() {
        guard !isCorked, !isHeld, !isFadedOut else { return }
        fill()
        handleDrySource()
    }

    /// Pulls the frames that the server requested, and records whether the source is dry.
    func fill() {
        let wanted = stream.writableFrames + replacedFrames
        guard wanted > 0 else { return }
        let frames = pull(wanted)
        framesSinceSilence += frames
        if frames == wanted {
            supply = .flowing
        } else if supply == .flowing || framesSinceSilence >= stream.startFrames {
            // Frames too few to resume playback do not end the starvation, which was reported already.
            supply = .short
        }
        guard frames > 0 else { return }
        postponeDrain()
        events(.pulled)
    }

    private func pull(_ wanted: Int) -> Int {
        var frames = 0
        while frames < wanted {
            let got = stream.write(
                upTo: wanted - frames, from: source, at: playhead.pulled, replacing: replacedFrames)
            guard let got else { break }
            if got.written > 0 { replacedFrames = 0 }
            if playhead.didPull(got.written, at: PulseMainloop.now) { stream.requestTiming() }
            frames += got.written
            if got.written < got.asked { break }
        }
        return frames
    }

    /// Handles a dry source: starts the pending drain, or reports `starved` immediately if the server is silent and
    /// holds too few frames to start. Otherwise `starved` is reported when the server runs dry.
    func handleDrySource() {
        guard supply != .flowing else { return }
        switch draining {
        case .wanted: startDrain()
        case .underWay: break
        case .no:
            guard supply == .short, framesSinceSilence < stream.startFrames else { return }
            supply = .starved
            events(.starved)
        }
    }

    private func handleUnderrun() {
        playhead.recordUnderrun(at: PulseMainloop.now)
        stream.requestTiming()
        framesSinceSilence = 0
        // A device that waits for long is not kept running.
        if isFadedOut { return cork() }
        if !isCorked { handleDrySource() }
    }

    /// Records that the device may consume frames from now on, unless it is stopped.
    private func recordStart() {
        if !isCorked, !stream.isSuspended { playhead.recordStart(at: PulseMainloop.now) }
    }

    private func readTiming() {
        guard var reading = stream.reading else { return }
        // The server still counts the frames that were taken back.
        reading.queued = max(0, reading.queued - Int64(replacedFrames + (silentFrames ?? 0)))
        let time = PulseMainloop.now - stream.readingAge
        playhead.recordConsumed(reading, at: time)
        if !isCorked, !stream.isSuspended { playhead.read(reading, at: time) }
    }

    private func startDrain() {
        let left = playhead.pulled - playhead.playedFrames(at: PulseMainloop.now)
        let time = stream.format.duration(ofFrames: left) + stream.sinkLatency
        watchDrain(DrainWatch(), after: time + DrainWatch.interval)
        stream.drain()
    }

    private func watchDrain(_ watch: DrainWatch, after delay: Duration) {
        draining = .underWay(watch, makeTimer(delay) { [weak self] in self?.checkDrain() })
    }

    /// Checks the progress of the drain, because an idle server may never report its end.
    private func checkDrain() {
        guard case .underWay(var watch, _) = draining else { return }
        let word: DrainWatch.DeviceState =
            if stream.isSuspended { .suspended } else { .timing(stream.reading, number: stream.timingUpdateCount) }
        guard watch.shouldWait(after: word) else { return finishDrain() }
        watchDrain(watch, after: DrainWatch.interval)
        stream.requestTiming()
    }

    /// Drains again when the source is dry: the frames that were just written have to be played as well.
    private func postponeDrain() {
        guard case .underWay = draining else { return }
        abandonDrain()
        draining = .wanted
    }

    func abandonDrain() {
        if case .underWay(_, let watchdog) = draining { watchdog.cancel() }
        draining = .no
        stream.abandonDrain()
    }

    private func finishDrain() {
        guard case .underWay = draining else { return }
        abandonDrain()
        playhead.finish()
        framesSinceSilence = 0
        events(.drained)
    }
}
