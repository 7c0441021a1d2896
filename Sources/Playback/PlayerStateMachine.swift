// SPDX-License-Identifier: GPL-3.0-or-later

/// What the player does, as a value: the listener's intent, the phase of the sound and whether there is an output, kept
/// apart.
///
///     empty ─opened→ opening ─formatKnown→ priming(start) ─leadReached→ rendering ⇄ priming(rebuffer)
///                                                              │ allRead        starved / leadReached
///                                                          finishing ─ringEmptied→ draining ─drained→ ended
///
/// Where the next item is late, `rendering` leads to `trailing`, and when the item heard is over, to `priming(start)`.
/// Where the bytes end for good, `rendering` and `priming` lead to `failedAtEdge`, and from there, when there may be
/// more, back to `priming(rebuffer)`.
/// A seek leads from every phase but `empty` and `outputLost` to `priming(seek)`; a jump to another item to `opening`.
/// The device runs only in `rendering`, `trailing`, `finishing` and `draining`, and only while the intent is `play`.
/// An output that is interrupted changes neither phase nor intent: it is as if the device were corked until it is back.
struct PlayerStateMachine: Sendable, Equatable {
    /// Written by the listener, never by buffering; and `pause` where sound that goes on would come as a surprise.
    enum Intent: Sendable, Equatable { case play, pause }

    enum Output: Sendable, Equatable {
        case present
        /// It has gone, holds nothing and does not run; it is tried again. Leaves by `outputRestored`.
        case interrupted
    }

    enum Phase: Sendable, Equatable {
        /// Nothing was opened yet. Leaves by `opened`, `allRead`.
        case empty
        /// An item is being opened; nothing of it is known. Leaves by `formatKnown`, `allRead`.
        case opening
        /// Waiting for the lead. Leaves by `leadReached`, `allRead`.
        case priming(BufferingPolicy.Waiting)
        /// The device takes frames; more are read. Leaves by `starved`, `nextIsLate`, `allRead`.
        case rendering
        /// An item is in the device to its end and the next one is late: it is heard to its end. Leaves by `drained`.
        case trailing
        /// All of the playlist is read; the rest is in the ring. Leaves by `ringEmptied`, `moreToRead`.
        case finishing
        /// The device plays what it still holds. Leaves by `drained`, `moreToRead`.
        case draining
        /// Leaves by `sought`, `jumped`, `moreToRead`.
        case ended
        /// All that is there was heard, and what is missing will not come by itself. Leaves by `recovered`, `sought`,
        /// `jumped`.
        case failedAtEdge
        /// The output is gone for good. No exit.
        case outputLost
    }

    enum Event: Sendable, Equatable {
        case played, paused
        case opened, formatKnown, leadReached, starved
        /// The device ran out of frames between two items.
        case nextIsLate
        /// Nothing is left to be heard of an item whose next bytes will not come by themselves.
        case lost
        /// They may come after all.
        case recovered
        /// The last frame of the playlist is in the ring, and the playlist is closed.
        case allRead
        /// An item was appended after `allRead`.
        case moreToRead
        case ringEmptied, drained
        case sought, jumped
        case outputInterrupted, outputRestored
        /// For good.
        case outputLost
    }

    enum Action: Sendable, Equatable {
        case openOutput, cork, uncork, flush, drain
        case beginStall, endStall
        case announceLoss
        case announceEnd
        /// What was heard is over; the next item is awaited.
        case awaitItem
    }

    private(set) var intent: Intent = .play
    private(set) var phase: Phase = .empty
    private(set) var output: Output = .present

    /// Whether a device that has something to play does so.
    private var runs: Bool { intent == .play && output == .present }

    mutating func handle(_ event: Event) -> [Action] {
        if phase == .outputLost { return [] }
        switch event {
        case .played: return change(intent: .play)
        case .paused: return change(intent: .pause)
        case .opened: return opened()
        case .formatKnown: return formatKnown()
        case .leadReached: return leadReached()
        case .starved: return starved()
        case .nextIsLate: return nextIsLate()
        case .lost: return lose()
        case .recovered: return recover()
        case .allRead: return allRead()
        case .moreToRead: return moreToRead()
        case .ringEmptied: return ringEmptied()
        case .drained: return drained()
        case .sought: return restart(in: phase == .opening ? .opening : .priming(.seek))
        case .jumped: return restart(in: .opening)
        case .outputInterrupted: return outputInterrupted()
        case .outputRestored: return outputRestored()
        case .outputLost: return outputLost()
        }
    }

    // MARK: The listener

    private mutating func change(intent new: Intent) -> [Action] {
        guard new != intent else { return [] }
        intent = new
        guard output == .present else { return [] }
        return new == .play ? start() : isStarted ? [.cork] : []
    }

    /// Lets the device play what there is to play.
    private func start() -> [Action] {
        switch phase {
        case .rendering, .finishing: [.uncork]
        // A drain on a corked device never completes: it is abandoned, and asked for again.
        case .trailing, .draining: [.uncork, .drain]
        case .empty, .opening, .priming, .ended, .failedAtEdge, .outputLost: []
        }
    }

    private var isStarted: Bool { !start().isEmpty }

    private mutating func restart(in new: Phase) -> [Action] {
        guard phase != .empty else { return [] }
        let stalled = phase == .priming(.rebuffer)
        phase = new
        return (stalled ? [.endStall] : []) + [.cork, .flush]
    }

    // MARK: The reader

    private mutating func opened() -> [Action] {
        if phase == .empty { phase = .opening }
        return []
    }

    private mutating func formatKnown() -> [Action] {
        guard phase == .opening else { return [] }
        phase = .priming(.start)
        return [.openOutput]
    }

    private mutating func leadReached() -> [Action] {
        guard case .priming(let waiting) = phase else { return [] }
        phase = .rendering
        return run(after: waiting)
    }

    private mutating func allRead() -> [Action] {
        switch phase {
        case .priming(let waiting):
            phase = .finishing
            return run(after: waiting)
        case .rendering:
            phase = .finishing
            return []
        // Not one item could be opened: there is nothing to be heard.
        case .empty, .opening:
            phase = .ended
            return [.announceEnd]
        // The next item may have come, to its end even: it is not in the device yet.
        case .trailing: return []
        case .finishing, .draining, .ended, .failedAtEdge, .outputLost: return []
        }
    }

    private mutating func moreToRead() -> [Action] {
        switch phase {
        case .finishing, .draining:
            phase = .rendering
            return []
        case .ended:
            phase = .opening
            return []
        case .empty, .opening, .priming, .rendering, .trailing, .failedAtEdge, .outputLost: return []
        }
    }

    // MARK: The device

    private mutating func starved() -> [Action] {
        guard phase == .rendering else { return [] }
        phase = .priming(.rebuffer)
        return [.cork, .beginStall]
    }

    private mutating func ringEmptied() -> [Action] {
        guard phase == .finishing else { return [] }
        phase = .draining
        return runs ? [.drain] : []
    }

    private mutating func nextIsLate() -> [Action] {
        guard phase == .rendering else { return [] }
        phase = .trailing
        return runs ? [.drain] : []
    }

    private mutating func drained() -> [Action] {
        guard runs else { return [] }
        switch phase {
        case .draining:
            phase = .ended
            return [.announceEnd, .cork]
        case .trailing:
            phase = .priming(.start)
            return [.cork, .awaitItem]
        case .empty, .opening, .priming, .rendering, .finishing, .ended, .failedAtEdge, .outputLost: return []
        }
    }

    // MARK: The edge

    private mutating func lose() -> [Action] {
        switch phase {
        case .rendering, .priming:
            let stalled = phase == .priming(.rebuffer)
            phase = .failedAtEdge
            return (stalled ? [.endStall] : []) + [.cork, .announceLoss]
        case .empty, .opening, .trailing, .finishing, .draining, .ended, .failedAtEdge, .outputLost: return []
        }
    }

    private mutating func recover() -> [Action] {
        guard phase == .failedAtEdge else { return [] }
        phase = .priming(.rebuffer)
        return [.beginStall]
    }

    // MARK: The output

    private mutating func outputInterrupted() -> [Action] {
        output = .interrupted
        return []
    }

    private mutating func outputRestored() -> [Action] {
        guard output == .interrupted else { return [] }
        output = .present
        return intent == .play ? start() : []
    }

    private mutating func outputLost() -> [Action] {
        let stalled = phase == .priming(.rebuffer)
        phase = .outputLost
        return stalled ? [.endStall] : []
    }

    private func run(after waiting: BufferingPolicy.Waiting) -> [Action] {
        (waiting == .rebuffer ? [.endStall] : []) + (runs ? [.uncork] : [])
    }
}
