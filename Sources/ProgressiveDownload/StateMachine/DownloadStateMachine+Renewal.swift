// SPDX-License-Identifier: GPL-3.0-or-later
public import HTTPTransfer
import Media

/// The result of asking the feed for a new address of its enclosure.
public enum AddressRenewal: Sendable, Equatable {
    /// The feed has another address, and further requests use it.
    case renewed(HTTPRequest)
    case same
    /// The feed could not be read, for this reason.
    case failed(String)
}

/// Determines which rejections an expired address may explain.
enum AddressExpiry: Sendable, Equatable {
    /// No rejection, because no feed can provide another address.
    case never
    /// - Parameter hasToken: True if the address has a query, as signed addresses do.
    case possible(hasToken: Bool)

    func mayExplain(_ rejection: HTTPRejection) -> Bool {
        guard case .possible(let hasToken) = self else { return false }
        switch rejection {
        case .unauthorized, .status(403), .status(410): return true
        case .status(404): return hasToken
        case .status, .webPage, .encoded, .unusableRange: return false
        }
    }
}

/// Asking the feed, once, for a new address when the server rejects the known one.
extension DownloadStateMachine {
    /// Asks the feed for the current address. The state stays `connecting` because a request is in progress, although
    /// not to the audio server.
    mutating func renewAddress(_ rejection: HTTPRejection, _ transfer: Transfer, _ ask: RangeRequest) -> [Action] {
        var transfer = transfer
        transfer.refused = rejection
        let dropped = dropJump()
        beginAttempt()
        move(to: .connecting(transfer, ask))
        return dropped + [.cancelTransfer, .renewAddress(generation)]
    }

    mutating func handle(_ renewal: AddressRenewal) -> [Action] {
        guard case .connecting(var transfer, _) = state, let rejection = transfer.refused, transfer.renewal == nil
        else { return [] }
        transfer.renewal = renewal
        if case .renewed = renewal { return connect(transfer, transfer.nextRequest()) }
        // The address worked before, so perhaps only the target of its redirect has expired.
        if !transfer.content.extents.isEmpty { return connect(transfer, transfer.nextRequest()) }
        return fail(transfer.reason(rejection), transfer.content)
    }
}

extension DownloadStateMachine.Transfer {
    /// True if the feed was asked and has not answered yet.
    var awaitsAddress: Bool { refused != nil && renewal == nil }

    /// Returns the reason for the server's rejection, with the feed's answer.
    func reason(_ rejection: HTTPRejection) -> MediaFailure {
        let failure = rejection.mediaFailure
        let remark: String? =
            switch renewal {
            case .renewed where refused != nil: "the new URL from the feed failed, too"
            case .renewed, nil: nil
            case .same: "the feed has no new URL"
            case .failed(let reason): "cannot get a new URL from the feed: \(reason)"
            }
        return MediaFailure(failure.kind, remark.map { "\(failure.reason); \($0)" } ?? failure.reason)
    }
}
