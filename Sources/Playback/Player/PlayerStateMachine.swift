// SPDX-License-Identifier: GPL-3.0-or-later

/// The state of the player as a value: the listener's intent, the phase of the sound, and the state of the output,
/// kept separate.
///
///     empty ─opened→ opening ─formatKnown→ priming(start) ─leadReached→ rendering ⇄ priming(rebuffer)
///                                                              │ allRead        starved / leadReached
///                                                          finishing ─ringEmptied→ draining ─drained→ ended
///
/// If the next item is late, `rendering` leads to `trailing`, and when the current item is over, to `priming(start)`.
/// If the bytes end permanently, `rendering` and `priming` lead to `connectionLost`, and from there back to
/// `priming(rebuffer)` when more may arrive. A seek leads from every phase but `empty`, `opening` and `outputLost` to
/// `priming(seek)`; a jump to another item to `opening`. The device runs only in `rendering`, `trailing`, `finishing`
/// and `draining`, and only while the intent is `play`. An interrupted output changes neither phase nor intent: the
/// device counts as corked until it is back.
struct PlayerStateMachine: Sendable, Equatable {
    /// The listener's intent, never changed by buffering. The player sets `pause` only if resumed sound would come as
    /// a surprise.
    enum Intent: Sendable, Equatable { case play, pause }

    enum Output: Sendable, Equatable {
        case present
        /// The output was lost, contains no frames and does not run; it is retried. Exits: `outputRestored`.
        case interrupted
    }

    enum Phase: Sendable, Equatable {
        /// Nothing was opened yet. Exits: `opened`, `allRead`.
        case empty
        /// An item is being opened, and its format is unknown. Exits: `formatKnown`, `allRead`.
        case opening
        /// The player waits for the lead. Exits: `leadReached`, `allRead`.
        case priming(BufferingPolicy.Waiting)
        /// The device plays while more is read. Exits: `starved`, `nextIsLate`, `allRead`.
        case rendering
        /// An item is completely in the device and the next one is late: the item is played to its end. Exits:
        /// `drained`.
        case trailing
        /// All of the playlist is read; the rest is in the ring. Exits: `ringEmptied`, `moreToRead`.
        case finishing
        /// The device plays its remaining frames. Exits: `drained`, `moreToRead`.
        case draining
        /// The playlist was played. Exits: `sought`, `jumped`, `moreToRead`.
        case ended
        /// All available data was played, and the missing bytes do not arrive without a retry. Exits: `recovered`,
        /// `sought`, `jumped`.
        case connectionLost
        /// The output is lost permanently. No exit.
        case outputLost
    }

    enum Event: Sendable, Equatable {
        case played, paused
        case opened, formatKnown, leadReached, starved
        /// The device ran out of frames between two items.
        case nextIsLate
        /// All available data of an item was played, and its next bytes do not arrive without a retry.
        case lost
        /// The missing bytes may arrive after all.
        case recovered
        /// The last frame of the playlist is in the ring, and the playlist is closed.
        case allRead
        /// An item was appended after `allRead`.
        case moreToRead
        case ringEmptied, drained
        case sought, jumped
        /// The frames that the device had not consumed were taken back, and come again.
        case takenBack
        case outputInterrupted, outputRestored
        /// The loss is permanent.
        case outputLost
    }

    enum Action: Sendable, Equatable {
        case openOutput, cork, uncork, drain
        /// The device fades out, and its frames are discarded.
        case discard
        case beginStall, endStall
        case announceLoss
        case announceEnd
        /// The current item is over; the next one is awaited.
        case awaitItem
    }

    private(set) var intent: Intent = .play
    private(set) var phase: Phase = .empty
    private(set) var output: Output = .present

    /// True if a device with frames plays them.
    private var deviceRuns: Bool { intent == .play && output == .present }
    /// True if a device has frames and plays them.
    var playsDevice: Bool { deviceRuns && isStarted }

    mutating func handle(_ event: Event) -> [Action] {
        switch event {
        // Another player may continue with the intent after a loss of the output.
        case .played: return change(intent: .play)
        case .paused: return change(intent: .pause)
        case _ where phase == .outputLost: return []
        case .opened: return opened()
        case .formatKnown: return formatKnown()
        case .leadReached: return leadReached()
        case .starved: return starved()
        case .nextIsLate: return nextIsLate()
        case .lost: return loseDevice()
        case .recovered: return recover()
        case .allRead: return allRead()
        case .moreToRead: return moreToRead()
        case .ringEmptied: return ringEmptied()
        case .drained: return drained()
        case .sought: return restart(in: phase == .opening ? .opening : .priming(.seek))
        case .jumped: return restart(in: .opening)
        case .takenBack: return playTakenBack()
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

    /// Returns the actions that start the device if it has frames to play.
    private func start() -> [Action] {
        switch phase {
        case .rendering, .finishing: [.uncork]
        // A drain on a corked device never completes: it is abandoned and requested again.
        case .trailing, .draining: [.uncork, .drain]
        case .empty, .opening, .priming, .ended, .connectionLost, .outputLost: []
        }
    }

    private var isStarted: Bool { !start().isEmpty }

    private mutating func restart(in new: Phase) -> [Action] {
        guard phase != .empty else { return [] }
        let stalled = phase == .priming(.rebuffer)
        phase = new
        return (stalled ? [.endStall] : []) + [.discard]
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
        // No item could be opened, so nothing can be played.
        case .empty, .opening:
            phase = .ended
            return [.announceEnd]
        // The next item may already be read completely, but it is not in the device yet.
        case .trailing: return []
        case .finishing, .draining, .ended, .connectionLost, .outputLost: return []
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
        case .empty, .opening, .priming, .rendering, .trailing, .connectionLost, .outputLost: return []
        }
    }

    // MARK: The device

    /// A drain is abandoned when frames are taken back: the end comes again.
    private mutating func playTakenBack() -> [Action] {
        switch phase {
        case .trailing, .finishing, .draining: phase = .rendering
        case .empty, .opening, .priming, .rendering, .ended, .connectionLost, .outputLost: break
        }
        return []
    }

    private mutating func starved() -> [Action] {
        guard phase == .rendering else { return [] }
        phase = .priming(.rebuffer)
        return [.cork, .beginStall]
    }

    private mutating func ringEmptied() -> [Action] {
        guard phase == .finishing else { return [] }
        phase = .draining
        return deviceRuns ? [.drain] : []
    }

    private mutating func nextIsLate() -> [Action] {
        guard phase == .rendering else { return [] }
        phase = .trailing
        return deviceRuns ? [.drain] : []
    }

    private mutating func drained() -> [Action] {
        guard deviceRuns else { return [] }
        switch phase {
        case .draining:
            phase = .ended
            return [.announceEnd, .cork]
        case .trailing:
            phase = .priming(.start)
            return [.cork, .awaitItem]
        case .empty, .opening, .priming, .rendering, .finishing, .ended, .connectionLost, .outputLost: return []
        }
    }

    // MARK: Connection loss

    private mutating func loseDevice() -> [Action] {
        switch phase {
        case .rendering, .priming:
            let stalled = phase == .priming(.rebuffer)
            phase = .connectionLost
            return (stalled ? [.endStall] : []) + [.cork, .announceLoss]
        case .empty, .opening, .trailing, .finishing, .draining, .ended, .connectionLost, .outputLost: return []
        }
    }

    private mutating func recover() -> [Action] {
        guard phase == .connectionLost else { return [] }
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
        (waiting == .rebuffer ? [.endStall] : []) + (deviceRuns ? [.uncork] : [])
    }
}
