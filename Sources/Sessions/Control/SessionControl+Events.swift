// SPDX-License-Identifier: GPL-3.0-or-later
import AudioProcessing
import ControlProtocol
import ControlSocket
import DesktopBus
import EpisodeSources
import Media
import Playback
import TerminalInterface

// MARK: Events
extension SessionControl {
    /// Publishes an event of the player when it happens.
    mutating func publish(_ event: PlayerEvent) {
        var more: [JSONValue.Member] = []
        switch event {
        case .seekLanded: jumps += 1
        // The player has never shown it.
        case .itemFailed(let item, _) where item.id == resting.item?.id: resting = PlayerStatus()
        case .itemStarted(let item):
            more = [.init("interrupts", .optional(itemInterrupted(by: item)) { .integer(Int64($0) + 1) })]
            if item.id == lastStarted { jumps += 1 }
            (lastStarted, named) = (item.id, item.id)
        default: break
        }
        if let object = EventJSON(event, playerStatus) { publish(object, more) }
        update()
    }

    /// Returns the item that played before another one and follows it again.
    private func itemInterrupted(by item: PlaybackItem) -> PlaybackItem.ID? {
        player?.playlist.items(after: item.id, wraps: false).first { $0.id == lastStarted }?.id
    }

    /// Publishes a failure outside the playlist.
    /// - Parameter control: the name of the control that caused it; `nil` if none did.
    mutating func publish(_ failure: MediaFailure, about subject: String, by control: String? = nil) {
        if let control { causes.note(.error, EventCauses.Cause(control), at: MonotonicTime.now) }
        publish(EventJSON(failure, about: subject, number: nil))
    }

    /// Publishes a sentence for the listener.
    mutating func publish(note sentence: String) { publish(.note, [.init("text", .string(sentence))]) }

    /// Publishes that the library has changed.
    mutating func publish(queue present: [Int64]) {
        if queue != nil { publish(.library, []) }
        if queue != present { publish(.queue, [.init("episodes", .array(present.map(JSONValue.integer)))]) }
        queue = present
    }

    /// Publishes the items of the request whose list is followed if clients assume others.
    /// - Parameter followed: those items, and those that were removed.
    mutating func publish(followed: Set<PlaybackItem.ID>) {
        guard !followed.isEmpty, let player else { return }
        let items = player.playlist.items.map(\.id).filter { followed.contains($0) }
        guard items != namedItems else { return }
        namedItems = items
        publish(.items, [.init("items", .array(items.map { .integer(Int64($0) + 1) }))])
    }

    /// Publishes the end of the session.
    mutating func publishEnd() { publish(.service, [.init("phase", .string("quitting"))]) }

    /// Publishes what has changed without an event, and the position if clients assume a wrong one.
    mutating func update() {
        updateResting()
        let (status, now) = (playerStatus, MonotonicTime.now)
        let json = StatusJSON(status, at: now)
        if let volume, volume != json.volume { publish(.volume, [.init("volume", .integer(json.volume))]) }
        if let repeatMode, repeatMode != status.repeatMode {
            publish(.repeatMode, [.init("repeat", .string(status.repeatMode.rawValue))])
        }
        if let sound, sound != status.sound { publish(.sound, json.sound) }
        (volume, repeatMode, sound) = (json.volume, status.repeatMode, status.sound)
        if sleep.update(status, at: now) { publish(.sleepTimer, json.sleepTimer) }
        publishCurrent(status)
        publishNext(status)
        owner.setPlaying(status.rate > 0)
        let isCorrection = correction.update(status, at: now)
        if let position = json.position { publishPosition(position, status.rate, isCorrection, at: now) }
        var snapshot = MPRISSnapshot(status, jumps: jumps, at: now, resumes: owner.hello.owner == .service)
        snapshot.item?.author = status.item.flatMap { authors[$0.id] }.map { PrintableText($0).text }
        snapshot.item?.cover = status.item.flatMap { cover(of: $0.id, status.chapter?.chapter.image) }
        show(snapshot, isCorrection)
    }

    /// Returns the path of the chapter's picture, or else of the item's.
    private func cover(of item: PlaybackItem.ID, _ image: Chapter.Image?) -> String? {
        image.flatMap { covers[PlayedCover(item: item, image: $0)] } ?? covers[PlayedCover(item: item)]
    }

    /// Publishes the current item if clients assume another one. While sound plays, its start is published instead.
    private mutating func publishCurrent(_ status: PlayerStatus) {
        guard status.item?.id != named, status.activity != .playing else { return }
        named = status.item?.id
        publish(EventJSON(current: status.item, status))
    }

    /// Publishes the next item if clients assume another one.
    private mutating func publishNext(_ status: PlayerStatus) {
        let item = item(after: status.item)
        guard item?.id != namedNext else { return }
        namedNext = item?.id
        publish(.next, [nextMember(item)])
    }

    private mutating func publishPosition(
        _ members: [JSONValue.Member], _ rate: Double, _ isCorrection: Bool, at now: Duration
    ) {
        // The session looks at the status every 200 ms: half of that is the tolerance of an interval.
        let isTick = ticks.map { rate > 0 && now - lastTick >= $0 - .milliseconds(100) } ?? false
        guard isCorrection || isTick else { return }
        lastTick = now
        publish(.position, members, isTick: !isCorrection)
    }

    mutating func show(_ snapshot: MPRISSnapshot, _ isCorrection: Bool) {
        var still = snapshot
        still.position = shown?.position ?? snapshot.position
        guard isCorrection || still != shown else { return }
        shown = snapshot
        owner.show(snapshot)
    }

    private mutating func publish(_ object: EventJSON, _ more: [JSONValue.Member] = []) {
        if let name = EventName(rawValue: object.name) { publish(name, object.members + more) }
    }

    private mutating func publish(_ name: EventName, _ members: [JSONValue.Member], isTick: Bool = false) {
        let now = MonotonicTime.now
        let cause = isTick ? nil : causes.take(name, at: now)
        owner.publish(
            ControlEvent(name, members, at: now, by: cause?.control, cause: cause?.request, isTick: isTick))
    }
}
