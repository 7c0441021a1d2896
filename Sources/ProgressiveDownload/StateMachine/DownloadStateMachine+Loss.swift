// SPDX-License-Identifier: GPL-3.0-or-later
import HTTPTransfer
import Media

/// Fetching bytes of an earlier run again after they were found to be damaged.
extension DownloadStateMachine {
    mutating func removeLost(_ ranges: [ByteRange]) -> [Action] {
        switch state {
        case .connecting(let transfer, let ask): move(to: .connecting(transfer.without(ranges), ask))
        case .receiving(let transfer, let incoming): move(to: .receiving(transfer.without(ranges), incoming))
        case .backingOff(let transfer, let wait): move(to: .backingOff(transfer.without(ranges), wait))
        case .held(let transfer, let hold): move(to: .held(transfer.without(ranges), hold))
        case .complete(let stored):
            let transfer = Transfer(content: stored, policy: RetryPolicy(hasReceived: true)).without(ranges)
            return connect(transfer, transfer.nextRequest())
        case .unverified(let stored):
            // The end of the file is not certain, so this download cannot complete it. A reader must not wait.
            move(to: .failed(Self.damaged, stored.withoutLength.without(ranges)))
        case .idle, .following, .failed:
            // The next start verifies the file again.
            break
        }
        return []
    }

    static let damaged = MediaFailure(.temporary, "a part of the file on disk is damaged")
}

extension DownloadStateMachine.Transfer {
    fileprivate func without(_ ranges: [ByteRange]) -> Self {
        var transfer = self
        transfer.content = content.without(ranges)
        return transfer
    }
}

extension StoredContent {
    fileprivate func without(_ ranges: [ByteRange]) -> Self {
        var content = self
        for range in ranges { content.extents.subtract(range) }
        return content
    }
}
