// SPDX-License-Identifier: GPL-3.0-or-later
import ControlProtocol
import Playback

/// The controls that caused the next events: `by` and `cause` of the protocol. A pure value.
struct EventCauses: Sendable {
    struct Cause: Sendable, Equatable {
        /// The name of the control, such as `client-3`, `mpris` or `keys`.
        let control: String
        let request: RequestID?

        init(_ control: String, _ request: RequestID? = nil) { (self.control, self.request) = (control, request) }
    }

    /// The time after which an event no longer counts as the effect of a command.
    private static let longest = Duration.seconds(5)

    private struct Entry: Sendable {
        let cause: Cause
        let time: Duration
        /// False for a request to play that may still fail.
        var isConfirmed: Bool
    }

    private var pending: [EventName: Entry] = [:]

    /// Notes a command that was executed; its next events belong to the cause.
    mutating func note(_ command: PlayerCommand, _ cause: Cause, at now: Duration) {
        for name in Self.effects(of: command) { note(name, cause, at: now) }
    }

    /// Notes the cause of the next event of a name.
    mutating func note(_ name: EventName, _ cause: Cause, at now: Duration) {
        pending[name] = Entry(cause: cause, time: now, isConfirmed: true)
    }

    /// Accepts a request to play; its next events belong to the cause.
    mutating func note(_ request: PlayRequest, _ cause: Cause, at now: Duration) {
        let effects: [EventName] = request.place == .now ? [.state, .track, .next] : [.next]
        for name in effects { pending[name] = Entry(cause: cause, time: now, isConfirmed: false) }
    }

    /// Notes that a request to play has succeeded.
    mutating func confirm(_ cause: Cause) {
        for name in pending.keys where pending[name]?.cause == cause { pending[name]?.isConfirmed = true }
    }

    /// Notes that a command or a request to play has failed: no later event belongs to it. Clients may send several
    /// requests without an `id`, which have the same cause: those that succeeded keep it.
    mutating func forget(_ cause: Cause) {
        pending = pending.filter { $0.value.cause != cause || $0.value.isConfirmed }
    }

    /// Returns the cause of an event, for one event of the name.
    mutating func take(_ name: EventName, at now: Duration) -> Cause? {
        guard let entry = pending.removeValue(forKey: name), now - entry.time <= Self.longest else { return nil }
        return entry.cause
    }

    private static func effects(of command: PlayerCommand) -> [EventName] {
        switch command {
        case .play, .pause, .togglePause, .retry, .playNow: [.state]
        case .seek, .chapter: [.seek, .position]
        case .next, .previous: [.track, .seek, .position]
        case .setVolume, .changeVolume: [.volume]
        case .setSpeed, .changeSpeed, .changeSound: [.sound, .position]
        case .setSleep, .cycleSleep: [.sleepTimer]
        case .setRepeat, .cycleRepeat: [.repeatMode]
        case .mark: [.bookmark]
        case .stop: [.state, .track, .next, .service]
        case .remove, .move, .arrange, .removeUpNext: [.items, .next]
        case .chime, .append, .insert, .interrupt, .closePlaylist, .changeSettings: []
        }
    }
}
