// SPDX-License-Identifier: GPL-3.0-or-later

/// An interface for HTTP transfers: libcurl in the program, a script in tests.
public protocol HTTPTransport: Sendable {
    /// Starts a transfer and returns immediately.
    ///
    /// The transport calls the receiver on its own thread and in order: the head at most once, the body any number of
    /// times, the outcome exactly once. The first call may precede the return of `start`. The transport retains the
    /// receiver until it has delivered the outcome.
    @discardableResult
    func start(_ request: HTTPRequest, receiver: any TransferReceiver) -> TransferID

    /// Ends a transfer early. The outcome is then `cancelled`, unless the transfer had already ended. Unknown
    /// identifiers are ignored.
    func cancel(_ id: TransferID)
}

/// An identifier of one transfer, unique during the life of the process.
public struct TransferID: Sendable, Hashable {
    public let number: UInt64

    public init(_ number: UInt64) {
        self.number = number
    }
}

extension TransferID: CustomStringConvertible {
    public var description: String { "transfer \(number)" }
}

/// The timeouts of a transfer.
public struct TransferLimits: Sendable, Equatable {
    /// The timeout of name lookup, TCP and TLS together, at each hop.
    public var connect: Duration
    /// The timeout from the request to the first byte of the response body, at each hop.
    public var responseTimeout: Duration
    /// The timeout between two bytes of a body.
    public var stallTimeout: Duration
    /// The minimum mean speed of a feed, in bytes per second.
    public var leastSpeed: Int
    /// The time after which a feed slower than `leastSpeed` fails.
    public var slowTime: Duration

    public init(
        connect: Duration = .seconds(10), answer: Duration = .seconds(10), silence: Duration = .seconds(10),
        leastSpeed: Int = 1000, slowTime: Duration = .seconds(30)
    ) {
        self.connect = connect
        self.responseTimeout = answer
        self.stallTimeout = silence
        self.leastSpeed = leastSpeed
        self.slowTime = slowTime
    }
}

/// The outcome of a transfer.
public enum TransferOutcome: Sendable, Equatable {
    /// The response is complete as far as HTTP can determine, with any status. A body without a declared length may
    /// still be truncated (RFC 9112 section 8).
    case complete
    /// The receiver refused the body.
    case refused
    case cancelled
    case failed(TransferError)
}

/// A receiver's decision about the rest of a body.
public enum BodyDecision: Sendable, Equatable {
    case accept
    /// The transport drops the rest, and the transfer ends with the outcome `refused`.
    case refuse
}

/// The receiver of one transfer. The transport calls it on its own thread, and each call delays all other transfers.
/// An implementation must not wait, and must not acquire a lock that is held around `HTTPTransport.start`.
public protocol TransferReceiver: AnyObject, Sendable {
    /// Receives the head of the final response; interim responses and followed redirects are skipped.
    func receivedHead(_ head: ResponseHead, of id: TransferID) -> BodyDecision
    /// Receives the next bytes of the body; the buffer is valid only during the call and never empty.
    func receivedBody(_ bytes: UnsafeRawBufferPointer, of id: TransferID) -> BodyDecision
    /// Receives the outcome, with the last call.
    func finished(_ outcome: TransferOutcome, of id: TransferID)
}
