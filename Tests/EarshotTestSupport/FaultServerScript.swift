// SPDX-License-Identifier: GPL-3.0-or-later

/// How `FaultServer` answers one request. Plain, it is a correct answer; each property spoils one thing.
public struct FaultScript: Sendable {
    public enum Ranges: Sendable {
        case honoured
        /// 200 with the whole, whatever was asked.
        case ignored
        /// A 206 that begins elsewhere and says so.
        case shifted(by: Int)
        /// A 206 that says it begins where asked, with the bytes of elsewhere.
        case lying(by: Int)
        /// A 206 whose Content-Range claims another length of the whole.
        case wrongTotal(Int64)
        /// A 206 without Content-Range.
        case bare
        /// A 206 of at most so many bytes, which is lawful.
        case capped(Int)
    }

    public enum Framing: Sendable {
        /// Content-Length, right.
        case length
        /// Content-Length, wrong.
        case declaredLength(Int64)
        /// Content-Length fields with these texts, whatever they say.
        case lengthTexts([String])
        /// No length: the end of the connection ends the body.
        case untilClose
        case chunked
        /// Chunks, until half of the body one is not a chunk.
        case brokenChunked
    }

    /// Ends the connection after so many bytes of this response's body.
    public struct Cut: Sendable {
        public enum Kind: Sendable { case fin, reset }
        public var after: Int
        public var kind: Kind
    }

    /// Stops sending after so many bytes of this response's body, for a time or for ever (`nil`), then goes on.
    public struct Stall: Sendable {
        public var after: Int
        public var time: Duration?
    }

    /// A stretch of time in which the body goes out at one rate.
    public struct Pace: Sendable {
        public var time: Duration
        /// Bytes a second; 0 is an outage.
        public var rate: Int

        public init(_ time: Duration, rate: Int) { (self.time, self.rate) = (time, rate) }
    }

    /// Of the answer; `nil` is 200, 206 or 416 as the request wants. Any other is sent with the whole body.
    public var status: Int?
    public var body: [UInt8]
    public var contentType: String?
    public var etag: String?
    public var lastModified: String?
    /// Sent as they are, after the regular ones.
    public var fields: [(name: String, value: String)] = []
    public var ranges = Ranges.honoured
    /// Whether a validator in If-Range that is not the current one gets the whole.
    public var honoursIfRange = true
    public var framing = Framing.length
    /// Interim responses before the answer: 100, 103.
    public var interim: [Int] = []
    /// Before the head.
    public var latency = Duration.zero
    /// Of the link: the head comes so much later, on a new connection, which costs one more, twice as much.
    public var roundTrip = Duration.zero
    /// Head bytes a second; `nil` is all at once.
    public var headRate: Int?
    /// Body bytes a second; `nil` is as fast as the link.
    public var rate: Int?
    /// Rates that follow each other, over and over; goes before `rate`.
    public var paces: [Pace] = []
    /// Sends the body again and again, until the peer goes.
    public var isEndless = false
    public var cut: Cut?
    public var stall: Stall?
    /// Ends the connection without a byte of answer.
    public var isMute = false
    /// Ends the connection after this answer, and says so.
    public var closes = false
    /// Ends the connection after this answer, and has promised to keep it.
    public var closesUnasked = false

    public init(body: [UInt8] = [], contentType: String? = "audio/mpeg") {
        self.body = body
        self.contentType = contentType
    }

    /// The same script with something changed.
    public func with(_ change: (inout FaultScript) -> Void) -> FaultScript {
        var copy = self
        change(&copy)
        return copy
    }
}

extension FaultScript {
    public static func status(_ code: Int, fields: [(name: String, value: String)] = []) -> FaultScript {
        FaultScript(body: Array("status \(code)\n".utf8), contentType: "text/plain").with {
            $0.status = code
            $0.fields = fields
        }
    }

    public static func redirect(to location: String, code: Int = 302) -> FaultScript {
        status(code, fields: [("Location", location)])
    }

    /// A login page, as a hotel's network sends it instead of anything.
    public static func webPage(contentType: String = "text/html; charset=utf-8") -> FaultScript {
        FaultScript(
            body: Array("<!DOCTYPE html>\n<html><title>Sign in</title><p>Welcome</p></html>\n".utf8),
            contentType: contentType)
    }

    public static func gzip(_ body: [UInt8], contentType: String) -> FaultScript {
        FaultScript(body: StoredGzip.wrap(body), contentType: contentType).with {
            $0.fields = [("Content-Encoding", "gzip")]
        }
    }

    public func cut(after count: Int, _ kind: Cut.Kind = .fin) -> FaultScript {
        with { $0.cut = Cut(after: count, kind: kind) }
    }

    public func stalled(after count: Int, for time: Duration? = nil) -> FaultScript {
        with { $0.stall = Stall(after: count, time: time) }
    }
}
