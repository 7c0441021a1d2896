// SPDX-License-Identifier: GPL-3.0-or-later
import Media
public import Playback
import Synchronization

/// Takes the events of a player, so that none pile up, and keeps what they say went wrong.
public final class Failures: Sendable {
    private let found = Mutex<[String]>([])

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
