// SPDX-License-Identifier: GPL-3.0-or-later

/// The time at which the server asks for the next attempt. Source: RFC 9110 section 10.2.3.
public enum RetryAfter: Sendable, Equatable {
    case delay(Duration)
    case date(HTTPDate)

    /// Parses the value of a Retry-After field: a number of seconds, or a date.
    public init?(headerText text: String) {
        if let seconds = Int64(httpDigits: text) {
            self = .delay(.seconds(seconds))
        } else if let date = HTTPDate(headerText: text) {
            self = .date(date)
        } else {
            return nil
        }
    }

    /// Returns the delay, never negative; `nil` for a date if `now` is unknown.
    public func delay(since now: HTTPDate?) -> Duration? {
        switch self {
        case .delay(let delay): delay
        case .date(let date): now.map { .seconds(max(0, date.secondsSinceEpoch - $0.secondsSinceEpoch)) }
        }
    }
}
