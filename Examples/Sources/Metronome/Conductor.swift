// SPDX-License-Identifier: GPL-3.0-or-later
import AudioEngine

/// A conductor that strikes each beat at its frame. Only a limited number of beats wait in the scheduler, however
/// many there are: after each beat, a later one is scheduled.
final class Conductor: Sendable {
    /// The number of beats scheduled in advance, far more than a device requests in one call.
    private static let ahead = 64
    private static let beatsInBar = 4

    private let tempo: Tempo
    private let beats: Int
    private let click: ClickSource
    private let scheduler: BlockScheduler

    init(_ tempo: Tempo, beats: Int, _ click: ClickSource, _ scheduler: BlockScheduler) {
        (self.tempo, self.beats) = (tempo, beats)
        (self.click, self.scheduler) = (click, scheduler)
    }

    func begin() {
        for beat in 0..<Self.ahead { schedule(beat) }
    }

    private func schedule(_ beat: Int) {
        guard beat < beats else { return }
        let (bar, inBar) = beat.quotientAndRemainder(dividingBy: Self.beatsInBar)
        // The first closure runs on the realtime thread and only changes numbers; the second one runs on the event
        // thread and may block.
        scheduler.schedule(at: .sampleTime(tempo.frame(ofBeat: beat))) { [click] moment in
            click.strike(at: moment.slice.sampleTime + Int64(moment.offset), isAccented: inBar == 0)
        } then: { [weak self] moment in
            print("bar \(bar + 1), beat \(inBar + 1), frame \(moment.sampleTime)")
            self?.schedule(beat + Self.ahead)
        }
    }
}
