// SPDX-License-Identifier: GPL-3.0-or-later
import AudioEngine
import Media

/// The end of discarded sound: it fades out, and the device runs on with silence for the frames to come. A device that
/// stopped would click, and so would sound that begins in its middle.
extension PulsePlayback {
    /// The time in which frames reach the server before it needs them.
    private static let shortestLead = Duration.milliseconds(20)

    /// True if the device plays the end of the discarded sound, or the silence after it.
    var isFadedOut: Bool { silentFrames != nil }
    /// True if the device plays.
    var plays: Bool { !isCorked && !isFadedOut && !isLost && !stream.isSuspended }

    private var lead: Int64 { stream.format.frames(in: Self.shortestLead) }

    /// Lets the sound fade out, and discards the frames after it. The next ones fade in.
    /// - Returns: The number of the next frame to write.
    func discard(fadingIn time: Duration) -> Int64 {
        defer { source.fadeIn(frames: Int(stream.format.frames(in: time))) }
        guard !isFadedOut else {
            forgetSource()
            return playhead.pulled
        }
        guard plays, replaceByFade() else {
            cork()
            flush()
            return playedFrames
        }
        return playhead.pulled
    }

    /// Replaces the frames that the device needs soon by a fade to silence, and all later ones by silence.
    /// - Returns: false if the device has too few frames.
    private func replaceByFade() -> Bool {
        let first = max(source.start, playhead.consumedFrames(at: PulseMainloop.now) + lead)
        let replaced = Int(playhead.pulled - first)
        let end = replacedFrames == 0 ? source.fadedOut(from: first, frames: replaced) : []
        guard !end.isEmpty else { return false }
        abandonDrain()
        let (channels, count) = (stream.format.channels, end.count / stream.format.channels)
        let silence = [Float](repeating: 0, count: (replaced - count) * channels)
        guard stream.replaceEnd(with: end + silence) else { return false }
        silentFrames = replaced - count
        playhead.takeBack(to: first + Int64(count))
        forgetSource()
        return true
    }

    /// Lets the source drop its frames.
    private func forgetSource() {
        mark.flush(source, at: playhead.pulled)
        events(.pulled)
    }

    /// Writes the next frames in place of the silence that the device does not need soon.
    func playAfterSilence() {
        guard let silence = silentFrames.take() else { return }
        // The end of the discarded sound stays.
        replacedFrames = max(0, min(silence, Int((stream.reading?.queued ?? 0) - lead)))
        // The next frames follow after a gap, whose end only a reading tells.
        playhead.recordUnderrun(at: PulseMainloop.now)
        supply = .flowing
        fill()
        stream.requestTiming()
        handleDrySource()
    }

    /// Drops the silence: the device was stopped, or has played all of it.
    func endSilence() {
        stream.flush()
        playhead.finish()
        (silentFrames, framesSinceSilence) = (nil, 0)
    }
}
