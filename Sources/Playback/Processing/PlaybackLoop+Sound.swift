// SPDX-License-Identifier: GPL-3.0-or-later
import AudioEngine
import AudioOutput
import AudioProcessing
import Media

/// Changes of the sound's processing. They are heard immediately, although more than a second is processed ahead.
extension PlaybackLoop {
    /// The time between the decision and the first changed frame. The new frames must reach the device before that.
    private static let lead = Duration.milliseconds(40)
    /// The longest time in which the frames at the target of a seek are collected while the old ones sound.
    private static let longestCollecting = Duration.milliseconds(100)
    /// The sound to process before the device continues, if that much is available.
    private static let replayedTime = Duration.milliseconds(250)

    /// Sets the speed, rounded to hundredths; no effect if the value is not finite.
    func setSpeed(_ speed: Double) {
        guard speed.isFinite else { return }
        let limited = SoundSettings(speed: speed).speed
        changeSound { $0.speed = (limited * 100).rounded() / 100 }
    }

    /// Changes the settings of all items from now on.
    func changeSound(_ change: (inout SoundChanges) -> Void) {
        var changes = audio.soundChanges
        change(&changes)
        guard changes != audio.soundChanges else { return }
        audio.soundChanges = changes
        processAgain()
        publishPosition()
    }

    /// The settings of the displayed item.
    var soundSettings: SoundSettings {
        displayed.map { audio.soundSettings(of: $0) } ?? audio.soundChanges.applied(to: SoundSettings())
    }

    /// Takes back the frames that the device has not consumed, and processes them again.
    private func processAgain() {
        guard let writer = audio.writer, machine.phase != .ended, machine.phase != .outputLost else { return }
        followDevice()
        let next = takeBack(fades: true)
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

    /// Takes back the frames that the device has not consumed.
    /// - Returns: the number of the next frame for the device.
    private func takeBack(fades: Bool) -> Int64 {
        defer { takeRenderedRuns() }
        return sink.takeBack(keeping: Self.lead, fades: fades)
    }

    /// Replaces the frames of generations before `generation`, which still sound, by frames from the target of a seek.
    /// If these are not available yet, the sound stops until they are.
    func replaceFrames(before generation: UInt32) {
        let result = collect()
        guard let writer = audio.writer, writer.hasCollected else {
            audio.writer?.discard(before: generation)
            perform(machine.handle(.sought))
            _ = react(to: result)
            return
        }
        // A fade would change the first samples at the target.
        let next = takeBack(fades: false)
        output.timeline.discard(before: audio.generations.oldest, from: next)
        (output.isStarved, failures) = (false, [:])
        writer.replace(before: generation)
        perform(machine.handle(.takenBack))
        sink.sourceRefilled()
        _ = react(to: result)
    }

    /// Reads from the target of a seek, for a short time.
    private func collect() -> DecodePipeline.Progress {
        let start = now
        var progress = DecodePipeline.Progress.progressed
        while progress == .progressed, now - start < Self.longestCollecting { progress = audio.step() }
        return progress
    }

    private func prime(_ writer: RingWriter) {
        let wanted = Int(writer.ring.format.frames(in: Self.replayedTime))
        var progress = DecodePipeline.Progress.progressed
        while progress == .progressed, audio.bufferedFrames < wanted { progress = readAhead() }
    }
}
