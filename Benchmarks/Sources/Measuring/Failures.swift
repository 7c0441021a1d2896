// SPDX-License-Identifier: GPL-3.0-or-later
import Media
public import Playback
import Synchronization

/// Consumes the events of a player, so that they do not accumulate, and keeps the failures.
public final class Failures: Sendable {
    private let found = Mutex<[String]>([])

    /// Starts consuming the events of `player`.
    public init(of player: Player) {
        Task.detached { [self] in
            for await event in player.events {
                switch event {
                case .itemFailed(let item, let failure): note("\(item.title): \(failure.reason)")
                case .outputLost(let failure): note(failure.reason)
                default: continue
                }
            }
        }
    }

    public var all: [String] { found.withLock { $0 } }

    private func note(_ failure: String) { found.withLock { $0.append(failure) } }
}
