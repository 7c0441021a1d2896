// SPDX-License-Identifier: GPL-3.0-or-later
import AudioEngine
import Synchronization

/// A count of the ends of voices by reason. The graph's event thread updates it.
final class Tally: Sendable, CustomStringConvertible {
    private let counts = Mutex<[VoiceEnd.Reason: Int]>([:])

    func note(_ reason: VoiceEnd.Reason) {
        counts.withLock { $0[reason, default: 0] += 1 }
    }

    var description: String {
        counts.withLock { "\($0[.finished] ?? 0) finished, \($0[.stolen] ?? 0) stolen" }
    }
}
