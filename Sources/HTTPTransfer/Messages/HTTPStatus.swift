// SPDX-License-Identifier: GPL-3.0-or-later
public import Media

/// A status code with its name from RFC 9110 section 15; HTTP/2 no longer transmits the name.
struct HTTPStatus: Sendable, Equatable, CustomStringConvertible {
    let code: Int

    /// "404 Not Found", or only the number if the code has no name.
    var description: String {
        Self.names[code].map { "\(code) \($0)" } ?? "\(code)"
    }

    private static let names: [Int: String] = [
        204: "No Content", 300: "Multiple Choices", 301: "Moved Permanently", 302: "Found", 303: "See Other",
        304: "Not Modified", 307: "Temporary Redirect", 308: "Permanent Redirect", 400: "Bad Request",
        401: "Unauthorized", 402: "Payment Required", 403: "Forbidden", 404: "Not Found",
        405: "Method Not Allowed", 406: "Not Acceptable", 407: "Proxy Authentication Required",
        408: "Request Timeout", 409: "Conflict", 410: "Gone", 416: "Range Not Satisfiable",
        421: "Misdirected Request", 425: "Too Early", 429: "Too Many Requests",
        451: "Unavailable For Legal Reasons", 500: "Internal Server Error", 501: "Not Implemented",
        502: "Bad Gateway", 503: "Service Unavailable", 504: "Gateway Timeout",
        505: "HTTP Version Not Supported",
    ]
}

extension Int64 {
    /// A pebibyte. Enclosures are never longer, and sums with this value must not overflow.
    private static let largestClaim: Int64 = 1 << 50

    /// Parses a non-negative decimal number without surrounding text, as in Content-Length; `nil` for any other text,
    /// or for a number larger than any enclosure.
    init?(httpDigits text: some StringProtocol) {
        guard !text.isEmpty, text.utf8.allSatisfy({ 0x30...0x39 ~= $0 }),
            let value = Int64(text), value <= Self.largestClaim
        else { return nil }
        self = value
    }
}

/// The time at which the server asks for the next attempt. Source: RFC 9110 section 10.2.3.
public enum RetryAfter: Sendable, Equatable {
    case delay(Duration)
    case date(UTCTime)

    /// Parses the value of a Retry-After field: a number of seconds, or a date.
    public init?(headerText text: String) {
        if let seconds = Int64(httpDigits: text) {
            self = .delay(.seconds(seconds))
        } else if let date = UTCTime(httpDate: text) {
            self = .date(date)
        } else {
            return nil
        }
    }

    /// Returns the delay, never negative; `nil` for a date if `now` is unknown.
    public func delay(since now: UTCTime?) -> Duration? {
        switch self {
        case .delay(let delay): delay
        case .date(let date): now.map { .seconds(max(0, date.secondsSince1970 - $0.secondsSince1970)) }
        }
    }
}
