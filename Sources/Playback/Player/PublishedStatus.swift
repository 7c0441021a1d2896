// SPDX-License-Identifier: GPL-3.0-or-later
import Media

/// The last published activity, and the time it was published at. A pure value.
struct PublishedStatus: Sendable, Equatable {
    enum Update: Sendable, Equatable {
        case notDue
        /// The activity is the same.
        case regular
        /// The activity has changed.
        case change
    }

    private(set) var activity = PlayerStatus.Activity.idle
    private var at: Duration?

    /// Returns the update that is due: one at each change of activity, and one every `interval`.
    mutating func update(_ activity: PlayerStatus.Activity, at now: Duration, every interval: Duration) -> Update {
        let isChange = activity != self.activity
        if !isChange, let at, now - at < interval { return .notDue }
        (self.activity, self.at) = (activity, now)
        return isChange ? .change : .regular
    }
}

extension PlayerStatus.Activity {
    /// Creates the activity that a display shows.
    /// - Parameters:
    ///   - outage: the reason for the present outage of the output.
    ///   - loss: the last reason why no more bytes of the item being read arrive.
    init(_ machine: PlayerStateMachine, outage: MediaFailure?, loss: MediaFailure?) {
        let isPaused = machine.intent == .pause
        if let outage {
            self = .noDevice(reason: outage.reason)
            return
        }
        self =
            switch machine.phase {
            case .empty: .idle
            case .opening: isPaused ? .paused(waiting: true) : .loading
            case .priming where isPaused: .paused(waiting: true)
            case .priming(.seek): .seeking
            case .priming(.start): .loading
            case .priming(.rebuffer): .buffering
            case .rendering, .trailing, .finishing, .draining: isPaused ? .paused(waiting: false) : .playing
            case .ended: .ended
            case .connectionLost: .connectionLost(reason: loss?.reason ?? "")
            case .outputLost: .noDevice(reason: "the sound output is lost")
            }
    }
}
