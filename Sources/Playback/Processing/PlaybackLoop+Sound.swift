// SPDX-License-Identifier: GPL-3.0-or-later
import AudioDecoding
import AudioEngine
import AudioOutput
import AudioProcessing
import Logging
import Media

/// Changes of the sound's processing. They are heard immediately, although more than a second is processed ahead.
extension PlaybackLoop {
    /// The time between the decision and the first changed frame. The new frames must reach the device before that.
    private static let lead = Duration.milliseconds(20)
    /// The sound to process before the device continues, if that much is available.
    private static let replayedTime = Duration.milliseconds(250)

    /// Sets the speed; no effect if the value is not finite.
    func setSpeed(_ speed: Double) {
        guard speed.isFinite else { return }
        changeSound { $0.speed = speed }
    }

    /// Changes the settings of all items from now on. The speed is rounded to hundredths.
    func changeSound(_ change: (inout SoundChanges) -> Void) {
        var changes = audio.soundChanges
        change(&changes)
        changes.speed = changes.speed.map { (SoundSettings(speed: $0).speed * 100).rounded() / 100 }
        guard changes != audio.soundChanges else { return }
        let trimmed = trimsSilence
        audio.soundChanges = changes
        if trimsSilence, !trimmed { learnPauses() }
        processAgain()
        publishPosition()
    }

    /// Gives items other settings.
    func change(_ settings: [PlaybackItem.ID: ItemSettings]) {
        followDevice()
        let (former, trimmed) = (audio.items.map { audio.soundSettings(of: $0.item) }, trimsSilence)
        queue.apply(settings)
        for open in audio.items {
            if let settings = settings[open.item.id] { open.apply(settings) }
        }
        if let item = current?.item, let settings = settings[item.id] {
            current?.item = item.applying(settings, hasBegun: true)
        }
        if trimsSilence, !trimmed { learnPauses() }
        if former != audio.items.map({ audio.soundSettings(of: $0.item) }) { processAgain() }
        publishPosition()
    }

    /// Changes the volume or the fade. A device plays the change immediately.
    func changeGain(_ change: (inout OutputSession) -> Void) {
        let gain = output.gain
        change(&output)
        if output.gain != gain, sink.hasDevice { processAgain() }
    }

    /// The settings of the displayed item.
    var soundSettings: SoundSettings {
        displayed.map { audio.soundSettings(of: $0) } ?? audio.soundChanges.applied(to: SoundSettings())
    }

    private var trimsSilence: Bool { soundSettings.silenceTrimming != .off }

    /// Learns what is a pause from the sound before, so that the next pause is shortened already. Before the device
    /// gives back frames: it then waits for new ones.
    private func learnPauses() {
        guard let open = openCurrent, seeks.pending == nil, let position else { return }
        do throws(DecodingError) {
            try audio.learnPauses(of: open, before: position)
        } catch {
            logger.debug("cannot decode the sound before", metadata: ["error": "\(error)"])
        }
    }

    /// Takes back the frames that the device has not consumed, and processes them again.
    func processAgain() {
        guard let writer = audio.writer, machine.phase != .ended, machine.phase != .outputLost else { return }
        followDevice()
        let next = sink.takeBack(keeping: Self.lead)
        takeRenderedRuns()
        // The device has nothing to fade from if it had no frame to give back.
        let isTakenBack = output.timeline.end.map { $0 > next } ?? false
        let fade = Int(writer.ring.format.frames(in: SpliceFade.longest))
        let place = output.timeline.position(at: next)
        output.timeline.discard(from: next)
        writer.replay(from: place, fadingFrom: isTakenBack ? [] : writer.ring.nextSamples(fade))
        perform(machine.handle(.takenBack))
        prime(writer)
        sink.sourceRefilled()
    }

    private func prime(_ writer: RingWriter) {
        let wanted = Int(writer.ring.format.frames(in: Self.replayedTime))
        var progress = DecodePipeline.Progress.progressed
        while progress == .progressed, audio.bufferedFrames < wanted { progress = readAhead() }
    }
}
