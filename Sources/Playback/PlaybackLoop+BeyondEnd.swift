// SPDX-License-Identifier: GPL-3.0-or-later
import Media

/// Targets beyond the end of an item: a seek to one does not mark the item as played.
extension PlaybackLoop {
    /// Rejects a target beyond the known end of an open item.
    /// - Returns: true if the item ends before the target; playback then stays where it is.
    func refuses(_ place: TimeTarget, in item: PlaybackItem, _ generation: UInt32) -> Bool {
        guard let reader = audio.item(generation: generation)?.reader, reader.ends(before: place),
            let timeline = reader.timeline, let time = timeline.time(of: place)
        else { return false }
        emit(.beyondEnd(item, at: time, end: timeline.duration, .stayed))
        return true
    }

    /// Handles an item that turned out to end before the target.
    func returnFromSeekPastEnd(in item: PlaybackItem, _ generation: UInt32) {
        guard let open = audio.item(generation: generation) else { return }
        let end = open.reader.timeline?.duration ?? .unknown
        let tell = { [emit] (outcome: PlayerEvent.SeekPastEnd) in
            emit(.beyondEnd(item, at: open.reader.requestedTime, end: end, outcome))
        }
        if open.isStartChosen, let origin = landing?.origin {
            tell(.stayed)
            return startPlayback(in: item, generation, at: .time(origin))
        }
        if !open.isStartChosen, item.isResumed {
            tell(.startedOver)
            return open.seek(to: .time(.zero), as: generation, isAnnounced: false)
        }
        if open.isStartChosen { plan.succeeded() } else { plan.failed(generation) }
        audio.dropReading()
        landing = nil
        tell(open.isStartChosen ? .stayed : .refused)
    }
}
