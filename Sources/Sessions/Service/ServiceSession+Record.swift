// SPDX-License-Identifier: GPL-3.0-or-later
import ControlProtocol
import ControlSocket
import DesktopBus
import EpisodeLibrary
import EpisodeSources
import Media
import Playback
import TerminalInterface

/// What a service remembers of its player, and the restart after a crash.
extension ServiceSession {
    /// The seconds after which the record of a playing player is written again.
    private static let refreshing: Int64 = 10
    /// The change of a position after which it is written again.
    private static func positionStep(_ record: DeckRecord) -> Duration {
        record.isInLibrary ? .seconds(refreshing) : .milliseconds(500)
    }

    /// Writes what is played, and how, if it has changed.
    mutating func updateRecord() {
        guard let state = deck == nil ? restingRecord : deck?.record(), state.isWritable else { return }
        let present = stamped(state)
        let isOld = present.isPlaying && present.time - record.time >= Self.refreshing
        guard isOld || !present.isSame(as: record) || hasMoved(present) else { return }
        record = present
        journal.write(record)
    }

    /// Returns a record with the output, the time, and the last restart if that continued with the same target.
    private func stamped(_ present: DeckRecord) -> DeckRecord {
        var stamped = present
        (stamped.output, stamped.isOutputSilent) = (output, silentOutput != nil)
        stamped.boot = DeckJournal.boot
        stamped.time = CompositionRoot.now.secondsSince1970
        if present.targets.first == record.targets.first { stamped.restarted = record.restarted }
        return stamped
    }

    private func hasMoved(_ present: DeckRecord) -> Bool {
        guard let position = present.position else { return false }
        let step = position - (record.position ?? .zero)
        return max(step, .zero - step) >= Self.positionStep(present)
    }

    /// The last record with the volume and the repeat mode that apply without a player.
    private var restingRecord: DeckRecord {
        var present = record
        (present.volume, present.repeatMode) = (nextVolume, control.restingRepeatMode)
        return present
    }

    /// Writes that no player exists. Playback that was not stopped and has not ended continues here.
    /// - Parameter last: the record of the player when it ended.
    mutating func closeRecord(_ last: DeckRecord?) {
        if let last, last.isWritable { record = stamped(last) }
        let hasEnded = deck?.player.status.activity == .ended
        record.close(isOver: isStopping || isQuitting || hasEnded, isReleased: isReleased)
        journal.write(record)
    }

    /// Follows the queue while no player exists.
    mutating func follow(queue: [Int64]) {
        let former = record
        record.follow(queue: queue)
        if record != former { journal.write(record) }
    }

    /// Continues after a crash.
    mutating func recover() async {
        guard record.isOpen else { return }
        let now = CompositionRoot.now.secondsSince1970
        switch record.recovery(at: now, boot: DeckJournal.boot) {
        case .none: record.close(isOver: true, isReleased: false)
        case .wait: break
        case .play:
            // A crash before the first sound counts as well, so this must be on the disk before it.
            (record.restarted, record.time) = (now, now)
            journal.write(record)
            await journal.finish()
            await play(record.request, nil, like: record)
        case .pause(let reason):
            startsPaused = true
            await play(record.request, nil, like: record)
            report(note: reason)
        }
        guard deck == nil else { return updateRecord() }
        // Otherwise the record of the idle service would make a later restart play.
        record.isPlaying = false
        journal.write(record)
    }

    /// The request that continues: the place of an open record or of an item that the library does not have; otherwise
    /// the last episode and the queue.
    var resumption: PlayRequest {
        !record.targets.isEmpty && (record.isOpen || !record.isInLibrary) ? record.request : PlayRequest()
    }

    /// Chooses another output, unless it cannot be opened.
    mutating func choose(_ wanted: OutputOption) async throws(ControlError) {
        do throws(MediaFailure) { try await CompositionRoot.check(wanted) } catch { throw ControlError(error) }
        (output, silentOutput) = (wanted, wanted)
    }

    /// Plays on another output at the same position.
    mutating func change(_ request: ControlRequest) async {
        let (chosen, silent) = (output, silentOutput)
        do throws(ControlError) {
            try await choose(SessionControl.output(request))
        } catch {
            deck?.control?.reply(.failure(error), to: request.ticket)
            return
        }
        deck?.control?.note(.play, by: request.ticket)
        if let deck, !isStopping {
            formerOutput = formerOutput ?? FormerOutput(chosen: chosen, silent: silent, played: deck.options.output)
            replace(deck)
        }
        deck?.control?.replyStatus(to: request.ticket)
    }

    /// True if the player would lose a request of the desktop, because it stops or does not have the item yet.
    func postpones(_ request: MPRISRequest) -> Bool {
        guard let deck, request.isLostByStopping else { return false }
        if successor != nil { return true }
        let awaitsItem = deck.player.status.item == nil && deck.control?.resting.item != nil
        return request.needsItem && (awaitsItem || !postponed.isEmpty)
    }

    /// Performs the postponed requests: those about the item when the next player can play it, and the others before
    /// a later request of the same kind.
    mutating func performPostponed() async {
        guard !postponed.isEmpty, successor == nil, let status = deck?.player.status else { return }
        let isDue = { (request: MPRISRequest) in status.isReady || !request.needsItem }
        let requests = postponed.filter(isDue)
        postponed.removeAll(where: isDue)
        for request in requests { await deck?.handle(.desktop(request)) }
    }

    /// The output with which playback continues if that of the player cannot be opened; `nil` if there is none.
    var replacementOutput: FormerOutput? {
        guard let deck, let formerOutput, !isStopping, !isQuitting else { return nil }
        return formerOutput.canReplace(deck.options.output, chosen: output) ? formerOutput : nil
    }

    /// Plays on the former output, because the new one cannot be opened.
    mutating func fallBack(_ failure: MediaFailure) {
        guard let deck, let former = replacementOutput else { return }
        report(note: "cannot play on \(deck.options.output): \(failure.reason); playing on \(former.played)")
        (output, silentOutput) = (former.chosen, former.silent)
        replace(deck)
    }

    /// Stops a player, so that the next one continues at the same position.
    private mutating func replace(_ deck: Deck) {
        // Before the record, which would lack later items.
        handedOver = deck.handOver() ?? handedOver
        let present = deck.record()
        let request = if let present { present.continuation(of: deck.player.status) } else { deck.request }
        let pause = successor?.pause ?? .kept
        successor = request.map { Succession(request: $0, pause: pause) }
        deck.player.send(.stop)
    }
}

/// The output of a service before a change of the output.
struct FormerOutput: Sendable, Equatable {
    /// `nil` for the remembered one.
    let chosen: OutputOption?
    /// The same if no item has sounded on it.
    let silent: OutputOption?
    let played: OutputOption

    /// True if it differs from the output that was lost.
    /// - Parameter chosen: the chosen output; `nil` for the remembered one.
    func canReplace(_ lost: OutputOption, chosen: OutputOption?) -> Bool { self.chosen != chosen && played != lost }
}

/// What the next player of a service continues with, after the output was changed.
struct Succession: Sendable {
    /// Whether the next player is paused.
    enum Pause: Sendable, Equatable {
        /// As the last one was when it stopped.
        case kept
        case inverted
        case chosen(Bool)

        func applied(to isPaused: Bool) -> Bool {
            switch self {
            case .kept: isPaused
            case .inverted: !isPaused
            case .chosen(let isPaused): isPaused
            }
        }

        var toggled: Pause {
            switch self {
            case .kept: .inverted
            case .inverted: .kept
            case .chosen(let isPaused): .chosen(!isPaused)
            }
        }
    }

    var request: PlayRequest
    var pause = Pause.kept

    /// Returns the succession after the player has stopped, which executed earlier commands before.
    /// - Parameters:
    ///   - last: the last record of the player; `nil` if it had no item.
    ///   - status: the last status of the player.
    /// - Returns: `nil` if everything was played.
    func completed(by last: DeckRecord?, _ status: PlayerStatus) -> Succession? {
        guard status.activity != .ended else { return nil }
        let request = if let last { last.continuation(of: status) } else { request }
        return request.map { Succession(request: $0, pause: pause) }
    }

    /// Returns the succession after an event that has no effect on the stopping player; `nil` if it ends playback.
    func following(_ event: SessionEvent) -> Succession? {
        var next = self
        switch event {
        case .desktop(.stop): return nil
        case .desktop(.play): next.pause = .chosen(false)
        case .desktop(.pause), .power(.sleeps): next.pause = .chosen(true)
        case .desktop(.toggle): next.pause = next.pause.toggled
        default: break
        }
        return next
    }
}

extension MPRISRequest {
    /// False for a request that also changes whether the next player is paused, or ends playback.
    fileprivate var isLostByStopping: Bool {
        switch self {
        case .play, .pause, .toggle, .stop, .quit: false
        case .next, .previous, .seekBy, .seekTo, .setVolume, .setLoop, .setSpeed, .open: true
        }
    }

    /// False for a request that a player without an item can perform.
    fileprivate var needsItem: Bool {
        switch self {
        case .play, .pause, .toggle, .stop, .quit, .setVolume, .setLoop: false
        case .next, .previous, .seekBy, .seekTo, .setSpeed, .open: true
        }
    }
}

extension PlayerStatus {
    /// True if the player has an item that it can play or cannot play for now.
    fileprivate var isReady: Bool {
        switch activity {
        case .idle, .loading, .paused(waiting: true): false
        case .buffering, .seeking, .playing, .paused(waiting: false), .ended, .connectionLost, .noDevice: item != nil
        }
    }
}

extension DeckRecord {
    /// The request that continues where a player is; before its first sound, where it was to start.
    /// - Returns: `nil` if everything was played.
    fileprivate func continuation(of status: PlayerStatus) -> PlayRequest? {
        guard !targets.isEmpty else { return nil }
        var request = request
        // The next player seeks again. A target beyond an end that is not known yet leads back to its start.
        let origin = status.duration.unlessEstimated == nil ? status.seekOrigin : nil
        let start = origin ?? (status.position == nil ? status.item?.fixedStart : nil)
        if let start { (request.from, request.lastPosition) = (.time(start), nil) }
        return request
    }

    /// True if two records differ in their times and positions only.
    fileprivate func isSame(as other: DeckRecord) -> Bool {
        var one = self
        (one.time, one.position) = (other.time, other.position)
        // The time left changes all the time.
        if case .after? = one.sleep, case .after? = other.sleep { one.sleep = other.sleep }
        return one == other
    }
}
