// SPDX-License-Identifier: GPL-3.0-or-later
import AudioOutput
import AudioProcessing
import Media

/// The commands of the listener and the messages of the output.
extension PlaybackLoop {
    func handle(_ message: PlayerMessage) {
        switch message {
        case .command(let command): execute(command)
        case .sink(let event): handle(event)
        case .noOutput(let error): output.preparationError = error
        case .outputAttempted(let number, let error): outputAttempted(number, error)
        }
    }

    private func execute(_ command: PlayerCommand) {
        if command != .chime { extendSleep(for: command) }
        switch command {
        case .play: perform(machine.handle(.played))
        case .pause: perform(machine.handle(.paused))
        case .togglePause: perform(machine.handle(machine.intent == .play ? .paused : .played))
        case .seek(let target): seek(to: target)
        case .next: next()
        case .previous: previous()
        case .retry: for source in audio.items.flatMap(\.sources) { source.retry() }
        case .playNow: stalls.playNow()
        case .setVolume(let value): output.setVolume(value)
        case .changeVolume(let step): output.setVolume(output.volume + step)
        case .setSpeed(let speed): setSpeed(speed)
        case .changeSpeed(let step): setSpeed(soundSettings.speed + step)
        case .trimSilence(let level): changeSound { $0.silenceTrimming = level }
        case .setSleep(let timer): setSleep(timer)
        case .cycleSleep: setSleep(SleepTimer.next(after: sleep.countdown?.timer))
        case .chime: break  // `Player.send` starts it.
        case .stop: hasStopped = true
        case .append(let item): append(item)
        case .closePlaylist: edit { queue, _ in queue.close() }
        case .remove(let choice): edit { queue, _ in queue.remove(choice) }
        case .move(let choice, let place): edit { queue, _ in queue.move(choice, to: place) }
        case .removeUpNext: edit { queue, displayed in queue.removeAll(after: displayed) }
        case .setRepeat(let mode): edit { queue, _ in queue.repeatMode = mode }
        case .cycleRepeat: edit { queue, _ in queue.repeatMode = queue.repeatMode.next }
        }
    }

    private func handle(_ event: AudioSinkEvent) {
        switch event {
        case .pulled: break
        case .starved: output.isStarved = true
        case .drained:
            // If frames were written meanwhile, the device ran short of those too.
            output.isStarved = true
            perform(machine.handle(.drained))
        case .unplugged: pauseAutomatically("the sound device was unplugged")
        case .lost(let error): loseOutput(error, .inputOutput)
        }
    }
}
