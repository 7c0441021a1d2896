// SPDX-License-Identifier: GPL-3.0-or-later

/// The answer of `FaultServer` to one request. The default is a correct answer; each property adds one fault.
public struct FaultScript: Sendable {
    /// The treatment of Range fields.
    public enum Ranges: Sendable {
        case honoured
        /// A 200 with the whole body, regardless of the range.
        case ignored
        /// A 206 that starts at another offset and declares it.
        case shifted(by: Int)
        /// A 206 that declares the requested offset but sends bytes from another one.
        case lying(by: Int)
        /// The beginning of the file, declared as the requested range.
        case beginning
        /// A 206 whose Content-Range declares a wrong total length.
        case wrongTotal(Int64)
        /// A 206 without Content-Range.
        case bare
        /// A 206 of at most this many bytes, which the specification allows.
        case capped(Int)
    }

    /// The delimitation of the body.
    public enum Framing: Sendable {
        /// A correct Content-Length.
        case length
        /// A wrong Content-Length.
        case declaredLength(Int64)
        /// Content-Length fields with these texts, valid or not.
        case lengthTexts([String])
        /// No length: the end of the connection ends the body.
        case untilClose
        case chunked
        /// Chunked, with an invalid chunk after half of the body.
        case brokenChunked
    }

    /// Closes the connection after this many bytes of the body.
    public struct Cut: Sendable {
        public enum Kind: Sendable { case fin, reset }
        public var after: Int
        public var kind: Kind
    }

    /// Stops sending after this many bytes of the body, for a time or for ever (`nil`), then continues.
    public struct Stall: Sendable {
        public var after: Int
        public var time: Duration?
    }

    /// A period in which the server sends the body at one rate.
    public struct Pace: Sendable {
        public var time: Duration
        /// Bytes per second; 0 is an outage.
        public var rate: Int

        public init(_ time: Duration, rate: Int) { (self.time, self.rate) = (time, rate) }
    }

    /// The status of the answer; `nil`: 200, 206 or 416, depending on the request. Any other status comes with the
    /// whole body.
    public var status: Int?
    public var body: [UInt8]
    public var contentType: String?
    public var etag: String?
    public var lastModified: String?
    /// Additional fields, sent unchanged after the regular ones.
    public var fields: [(name: String, value: String)] = []
    public var ranges = Ranges.honoured
    /// True if an outdated validator in If-Range gets the whole body.
    public var honoursIfRange = true
    public var framing = Framing.length
    /// The interim responses before the answer: 100, 103.
    public var interim: [Int] = []
    /// The delay before the head.
    public var latency = Duration.zero
    /// The round-trip time of the link: it delays the head by one round trip, and by two on a new connection.
    public var roundTrip = Duration.zero
    /// The rate of the head in bytes per second; `nil`: as fast as the link.
    public var headRate: Int?
    /// The rate of the body in bytes per second; `nil`: as fast as the link.
    public var rate: Int?
    /// A repeating sequence of rates; it overrides `rate`.
    public var paces: [Pace] = []
    /// True if the server repeats the body until the client disconnects.
    public var isEndless = false
    public var cut: Cut?
    public var stall: Stall?
    /// True if the server closes the connection without sending a byte.
    public var isMute = false
    /// True if the server closes the connection after this answer and announces it.
    public var closes = false
    /// True if the server closes the connection after this answer although it promised to keep it open.
    public var closesUnasked = false

    /// Creates a script for a correct answer.
    public init(body: [UInt8] = [], contentType: String? = "audio/mpeg") {
        self.body = body
        self.contentType = contentType
    }

    /// Returns a copy of the script with a change applied.
    public func with(_ change: (inout FaultScript) -> Void) -> FaultScript {
        var copy = self
        change(&copy)
        return copy
    }
}

extension FaultScript {
    /// Returns an answer with this status and a short text.
    public static func status(_ code: Int, fields: [(name: String, value: String)] = []) -> FaultScript {
        FaultScript(body: Array("status \(code)\n".utf8), contentType: "text/plain").with {
            $0.status = code
            $0.fields = fields
        }
    }

    /// Returns a redirect.
    public static func redirect(to location: String, code: Int = 302) -> FaultScript {
        status(code, fields: [("Location", location)])
    }

    /// Returns a login page, as a captive portal sends it instead of the requested content.
    public static func webPage(contentType: String = "text/html; charset=utf-8") -> FaultScript {
        FaultScript(
            body: Array("<!DOCTYPE html>\n<html><title>Sign in</title><p>Welcome</p></html>\n".utf8),
            contentType: contentType)
    }

    /// Returns an answer with a gzip-encoded body.
    public static func gzip(_ body: [UInt8], contentType: String) -> FaultScript {
        FaultScript(body: StoredGzip.wrap(body), contentType: contentType).with {
            $0.fields = [("Content-Encoding", "gzip")]
        }
    }

    /// Returns a copy that closes the connection after `count` bytes.
    public func cut(after count: Int, _ kind: Cut.Kind = .fin) -> FaultScript {
        with { $0.cut = Cut(after: count, kind: kind) }
    }

    /// Returns a copy that stalls after `count` bytes, for `time` or for ever (`nil`).
    public func stalled(after count: Int, for time: Duration? = nil) -> FaultScript {
        with { $0.stall = Stall(after: count, time: time) }
    }

    /// Returns a copy that sends `count` bytes within a second, and the others so slowly that the transfer lasts longer
    /// than the test.
    public func slow(after count: Int, rate: Int = 1000) -> FaultScript {
        with { $0.paces = [Pace(.seconds(1), rate: count), Pace(.seconds(3600), rate: rate)] }
    }
}
