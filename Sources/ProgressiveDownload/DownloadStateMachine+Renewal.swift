// SPDX-License-Identifier: GPL-3.0-or-later
public import HTTPTransfer
import Media

/// What came of asking the feed for a fresh address of its enclosure.
public enum AddressRenewal: Sendable, Equatable {
    /// The feed has another one: further requests go there.
    case renewed(HTTPRequest)
    case same
    /// The feed could not be read, for this reason.
    case failed(String)
}

/// Which refusals an address explains whose time is over.
enum AddressExpiry: Sendable, Equatable {
    /// No feed can be asked for another.
    case never
    /// - Parameter hasToken: the address has a query, as signed ones do.
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

/// Asking the feed, once, for a fresh address where the server refuses the one that is known.
extension DownloadStateMachine {
    /// The state stays: a request is out, though not to the server of the audio.
    mutating func renewAddress(_ rejection: HTTPRejection, _ course: Course, _ ask: Ask) -> [Action] {
        var course = course
        course.refused = rejection
        let dropped = dropJump()
        beginAttempt()
        move(to: .connecting(course, ask))
        return dropped + [.cancelTransfer, .renewAddress(generation)]
    }

    mutating func take(_ renewal: AddressRenewal) -> [Action] {
        guard case .connecting(var course, _) = state, let rejection = course.refused, course.renewal == nil
        else { return [] }
        course.renewal = renewal
        if case .renewed = renewal { return connect(course, course.nextAsk()) }
        // The address was good before: perhaps only what it redirects to is too old.
        if !course.holding.extents.isEmpty { return connect(course, course.nextAsk()) }
        return fail(course.reason(rejection), course.holding)
    }
}

extension DownloadStateMachine.Course {
    /// Whether the feed was asked and has not answered.
    var awaitsAddress: Bool { refused != nil && renewal == nil }

    /// Why the server refuses, and what the feed had to say.
    func reason(_ rejection: HTTPRejection) -> MediaFailure {
        let failure = rejection.mediaFailure
        let remark: String? =
            switch renewal {
            case .renewed where refused != nil: "so it did at the new address that the feed gave"
            case .renewed, nil: nil
            case .same: "the feed was asked for a new address and has none"
            case .failed(let reason): "the feed could not be asked for a new address: \(reason)"
            }
        return MediaFailure(failure.kind, remark.map { "\(failure.reason); \($0)" } ?? failure.reason)
    }
}
