// SPDX-License-Identifier: GPL-3.0-or-later

/// The bytes of one enclosure, readable while they still arrive: the seam between download and playback.
///
/// Reads never wait for the network. Every method may be called from any thread.
public protocol ByteSource: AnyObject, Sendable {
    /// Copies bytes from `offset` on, as many as are there, at most `buffer.count`.
    func read(at offset: Int64, into buffer: UnsafeMutableRawBufferPointer) -> ByteRead

    /// What has arrived, what is still to come and how that goes.
    var arrival: Arrival { get }

    /// Says where the reader stands: the first missing byte from there on is fetched before all others. Returns at
    /// once; said as often as is convenient.
    func need(from offset: Int64)

    /// Calls `handler` after each change of `arrival` (bytes committed, total known, complete, failed), from any
    /// thread, never while a lock is held. It must return at once. `nil` ends the calls.
    func onChange(_ handler: (@Sendable () -> Void)?)

    /// The same enclosure as the server has it now, where that is another version than the one shown here: this one
    /// stays readable as far as it came, the other one arrives. Whoever takes it closes it; it is given once, and one
    /// that nobody took is closed with this source. `nil` while there is none.
    func takeSuccessor() -> (any ByteSource)?

    /// Asks anew for what is missing, where no further byte would have come, or at once where the next try was waited
    /// for; else nothing.
    func retry()

    /// Gives up what the source holds: stops its transfers, keeps what is on disk. No read succeeds afterwards.
    func close()
}

/// The answer to one read. Starved is not ended: an empty read can only be one of the last three.
public enum ByteRead: Sendable, Equatable {
    /// This many bytes (at least one) were copied.
    case data(count: Int)
    /// The byte is not there yet; `onChange` tells when to ask again.
    case edge
    /// The offset is the known length or beyond: nothing will ever be there.
    case end
    /// The byte is not there and will not come.
    case failed(MediaFailure)
}

/// How far an enclosure has arrived.
public struct Arrival: Sendable, Equatable {
    public enum Condition: Sendable, Equatable {
        /// Asked for, no byte yet.
        case connecting
        case receiving
        /// The transfer broke; the next try starts by itself.
        case backingOff(Backoff)
        /// There is no room for further bytes, for this reason; it goes on by itself when there is.
        case held(reason: String)
        /// Every byte is there.
        case complete
        /// No further byte will come; what is there stays readable.
        case failed(MediaFailure)
    }

    /// The wait between two tries.
    public struct Backoff: Sendable, Equatable {
        /// What broke the transfer.
        public var reason: String
        /// How long until the next try; `nil` where that is not known.
        public var retryIn: Duration?
        /// How many tries are left, this one included, if none of them brings anything.
        public var triesLeft: Int?

        public init(reason: String, retryIn: Duration? = nil, triesLeft: Int? = nil) {
            (self.reason, self.retryIn, self.triesLeft) = (reason, retryIn, triesLeft)
        }
    }

    /// An end that nobody vouches for.
    public struct Unverified: Sendable, Equatable {
        /// The bytes that the file's own tag or its feed promise, where those are more.
        public var promised: Int64?

        public init(promised: Int64?) { self.promised = promised }
    }

    public var condition: Condition
    /// The enclosure's length in bytes; `nil` while unknown.
    public var total: Int64?
    /// The bytes that can be read.
    public var extents: ByteRangeSet
    /// Measured throughput while receiving; `nil` before it can be told.
    public var bytesPerSecond: Double?
    /// How it came since its first byte; `nil` before that can be told.
    public var throughput: Throughput?
    /// Nobody said how long it is, so that its end may not be its end; `nil` where that is known, or not yet reached.
    public var unverified: Unverified?
    /// Whether a byte far ahead can be had before those in front of it; `false` once the server has shown that it
    /// sends from the beginning only.
    public var canSkipAhead: Bool
    /// Whether all of it is on disk, or will be; `false` once the disk was full and bytes were put in memory instead.
    public var isKept: Bool

    /// No further byte will come.
    public var isOver: Bool {
        switch condition {
        case .complete, .failed: true
        case .connecting, .receiving, .backingOff, .held: false
        }
    }

    public init(
        condition: Condition, total: Int64? = nil, extents: ByteRangeSet = ByteRangeSet(),
        bytesPerSecond: Double? = nil, throughput: Throughput? = nil, unverified: Unverified? = nil,
        canSkipAhead: Bool = true, isKept: Bool = true
    ) {
        self.condition = condition
        self.total = total
        self.extents = extents
        self.bytesPerSecond = bytesPerSecond
        self.throughput = throughput
        self.unverified = unverified
        self.canSkipAhead = canSkipAhead
        self.isKept = isKept
    }
}
