// SPDX-License-Identifier: GPL-3.0-or-later
import EarshotTestSupport

@testable import MPEGAudio

extension PacketHashes {
    /// Calls `body` with growing prefixes until all hashes are passed or `body` returns false.
    func arriving(seed: UInt64, _ body: (_ arrived: PacketHashes, _ isLast: Bool) -> Bool) {
        var chance = SeededGenerator(seed: seed)
        let all = withHashes { Array($0) }
        var arrived = 0
        repeat {
            arrived = min(all.count, arrived + Int.random(in: 1...1000, using: &chance))
            if !body(PacketHashes(Array(all[..<arrived])), arrived == all.count) { return }
        } while arrived < all.count
    }
}
