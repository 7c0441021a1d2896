// SPDX-License-Identifier: GPL-3.0-or-later
import HTTPTransfer
import Media

/// Waiting for free disk space.
extension DownloadStateMachine {
    mutating func hold(_ reason: String) -> [Action] {
        switch state {
        case .connecting(let transfer, _), .receiving(let transfer, _), .backingOff(let transfer, _):
            let hold = Hold(reason: reason, needs: missing)
            let save = transfer.content.extents.isEmpty ? [] : [Action.save(transfer.content)]
            let dropped = dropJump()
            return dropped + [.cancelTransfer] + save + scheduleDiskCheck(transfer, hold)
        case .complete(let stored):
            // The last bytes did not reach the device, or the file could not be renamed.
            return fail(MediaFailure(.inputOutput, reason), stored)
        case .idle, .following, .held, .unverified, .failed:
            // Nothing is being written; previously stored content is on disk.
            return []
        }
    }

    mutating func resumeIfSpace(_ isThere: Bool) -> [Action] {
        guard case .held(let transfer, let hold) = state else { return [] }
        return isThere ? connect(transfer, transfer.nextRequest()) : scheduleDiskCheck(transfer, hold)
    }

    private mutating func scheduleDiskCheck(_ transfer: Transfer, _ hold: Hold) -> [Action] {
        beginAttempt()
        move(to: .held(transfer, hold))
        return [.scheduleRetry(generation, after: Self.lookEvery)]
    }

    static let lookEvery = Duration.seconds(2)

    /// The number of bytes that remain to be stored, as far as the length is known.
    var missing: Int64 {
        var expected = stored
        switch state {
        case .held(_, let hold): return hold.needs
        case .receiving(_, let incoming): expected = incoming.versionToBegin ?? expected
        case .idle, .connecting, .following, .backingOff, .complete, .unverified, .failed: break
        }
        return max(0, (expected.entity.total ?? 0) - expected.extents.count)
    }
}
