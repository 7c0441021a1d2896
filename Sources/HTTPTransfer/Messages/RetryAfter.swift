// SPDX-License-Identifier: GPL-3.0-or-later

/// When a server wants to be asked again. Source: RFC 9110 section 10.2.3.
public enum RetryAfter: Sendable, Equatable {
    case delay(Duration)
    case date(HTTPDate)

    public init?(headerText text: String) {
        if let seconds = Int64(httpDigits: text) {
            self = .delay(.seconds(seconds))
        } else if let date = HTTPDate(headerText: text) {
            self = .date(date)
        } else {
            return nil
        }
    }

    /// The time to wait, never negative; `nil` for a date where `now` is not known.
    public func delay(since now: HTTPDate?) -> Duration? {
        switch self {
        case .delay(let delay): delay
        case .date(let date): now.map { .seconds(max(0, date.secondsSinceEpoch - $0.secondsSinceEpoch)) }
        }
    }
}
