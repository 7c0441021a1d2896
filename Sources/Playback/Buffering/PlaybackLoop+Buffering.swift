// SPDX-License-Identifier: GPL-3.0-or-later
import AudioEngine
import AudioProcessing
import Logging
import Media

/// The waits for bytes, and the stalls they cause.
extension PlaybackLoop {
    /// The reason for the present wait; `nil` while sound is playing or nothing can be played.
    private var waiting: BufferingPolicy.Waiting? {
        switch machine.phase {
        case .opening: .start
        case .priming(let waiting): waiting
        case .empty, .rendering, .trailing, .finishing, .draining, .ended, .connectionLost, .outputLost: nil
        }
    }

    private var isPaused: Bool { machine.intent == .pause }

    /// Starts or resumes sound when the policy allows it.
    func updateWait(_ progress: DecodePipeline.Progress) {
        guard let wait = stalls.tick(waiting, isPaused: isPaused, at: now) else { return }
        let level = bufferLevel
        stalls.estimate(level, hasSound: audio.bufferedFrames > 0)
        guard case .priming = machine.phase, case .play(let reason) = BufferingPolicy.decide(wait, level),
            isPrimed(progress)
        else { return }
        logger.debug("playback may resume", metadata: ["why": "\(reason)", "waited": "\(wait.waited)"])
        stalls.endWait()
        perform(machine.handle(.leadReached))
    }

    private func isPrimed(_ progress: DecodePipeline.Progress) -> Bool {
        guard let format = audio.ring?.format, audio.bufferedFrames > 0 else { return false }
        return progress != .progressed || audio.bufferedFrames >= Int(format.frames(in: Self.primedTime))
    }

    /// The buffer level of the item being read.
    var bufferLevel: BufferLevel {
        let decoded = audio.bufferedTime
        // An item that is completely decoded does not wait for the next one.
        guard let item = audio.readingItem, !audio.holdsEndOfItem else {
            return BufferLevel(buffered: decoded, missing: 0)
        }
        var level = item.reader.bufferLevel(decoded: decoded, expected: item.item.expectedDuration)
        level.speed = audio.soundSettings(of: item.item).speed
        return level
    }

    /// The risk that the sound stops; `nil` during a wait, and if too little is known.
    var stallRisk: StallRisk? {
        switch machine.phase {
        case .rendering, .trailing, .finishing, .draining: StallRisk(bufferLevel, stalls: stalls.count)
        case .empty, .opening, .priming, .ended, .connectionLost, .outputLost: nil
        }
    }

    func beginStall() {
        stalls.beginRebuffering(isPaused: isPaused, at: now)
        guard let item = current?.item, let position else { return }
        stalls.beginStall(of: item, at: now)
        emit(.stallBegan(item, at: position))
    }

    func endStall() {
        guard let (item, lasted) = stalls.endStall(at: now) else { return }
        emit(.stallEnded(item, lasted: lasted))
    }
}
