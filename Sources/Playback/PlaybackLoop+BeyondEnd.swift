// SPDX-License-Identifier: GPL-3.0-or-later
import Media

/// Places beyond the end of an item: going there marks nothing as played.
extension PlaybackLoop {
    /// - Returns: whether the open item `generation` is known to end before the place; then all stays as it was.
    func refuses(_ place: TimeTarget, in item: PlaybackItem, _ generation: UInt32) -> Bool {
        guard let reader = audio.item(generation: generation)?.reader, reader.ends(before: place),
            let timeline = reader.timeline, let time = timeline.time(of: place)
        else { return false }
        emit(.beyondEnd(item, at: time, end: timeline.duration, .stayed))
        return true
    }

    /// The item being read has turned out to end before the place gone to.
    func turnBack(in item: PlaybackItem, _ generation: UInt32) {
        guard let open = audio.item(generation: generation) else { return }
        let end = open.reader.timeline?.duration ?? .unknown
        let tell = { [emit] (outcome: PlayerEvent.BeyondEnd) in
            emit(.beyondEnd(item, at: open.reader.wanted, end: end, outcome))
        }
        if open.isSought, let origin = landing?.origin {
            tell(.stayed)
            return land(in: item, generation, at: .time(origin))
        }
        if !open.isSought, item.isResumed {
            tell(.startedOver)
            return open.seek(to: .time(.zero), as: generation, isAnnounced: false)
        }
        if open.isSought { plan.succeeded() } else { plan.failed(generation) }
        audio.dropReading()
        landing = nil
        tell(open.isSought ? .stayed : .refused)
    }
}
