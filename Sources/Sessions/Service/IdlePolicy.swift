// SPDX-License-Identifier: GPL-3.0-or-later

/// The times after which a service releases a paused player, and ends without one. A pure value on the caller's clock.
struct IdlePolicy: Sendable, Equatable {
    enum Action: Sendable, Equatable {
        /// Releases the player; the position is kept.
        case release
        /// Ends the process.
        case exit
    }

    /// The state of the player.
    enum Player: Sendable, Equatable {
        case none, silent, sounding
    }

    private static let releaseTime = Duration.seconds(600)

    /// The time without a player and clients after which the process ends; `nil` for never.
    private let exitTime: Duration?
    private var player = Player.none
    private var hasClients = false
    private var since = Duration.zero

    init(exitTime: Duration?, at now: Duration) { (self.exitTime, since) = (exitTime, now) }

    mutating func update(_ player: Player, hasClients: Bool, at now: Duration) {
        guard player != self.player || hasClients != self.hasClients else { return }
        // Clients that come and go do not keep a paused player.
        if player != self.player || player == .none { since = now }
        (self.player, self.hasClients) = (player, hasClients)
    }

    /// The time of the next action; `nil` if there is none.
    var deadline: Duration? {
        switch player {
        case .none: hasClients ? nil : exitTime.map { since + $0 }
        case .silent: since + Self.releaseTime
        case .sounding: nil
        }
    }

    /// Returns the action that is due.
    /// - Parameter isUpToDate: false if the player has commands that it has not executed: they may resume it.
    func action(at now: Duration, isUpToDate: Bool = true) -> Action? {
        guard let deadline, deadline <= now, isUpToDate else { return nil }
        return player == .none ? .exit : .release
    }
}
