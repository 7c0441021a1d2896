// SPDX-License-Identifier: GPL-3.0-or-later

/// The bytes of one enclosure, readable during the download: the interface between download and playback.
///
/// Reads never wait for the network. Every method may be called from any thread.
public protocol ByteSource: AnyObject, Sendable {
    /// Copies the available bytes from `offset` on, at most `buffer.count`.
    func read(at offset: Int64, into buffer: UnsafeMutableRawBufferPointer) -> ByteRead

    /// The download progress: the available bytes, the total and the state of the transfer.
    var downloadProgress: DownloadProgress { get }

    /// Sets the reader's position: the source fetches the first missing byte from there on before all others. Returns
    /// immediately; may be called any number of times.
    func setReadPosition(from offset: Int64)

    /// Sets the handler for changes of `downloadProgress` (bytes committed, total known, complete, failed). The source
    /// calls it from any thread, never while it holds a lock. It must return immediately; `nil` removes it.
    func onChange(_ handler: (@Sendable () -> Void)?)

    /// Returns a source for the server's current version of the enclosure, if that differs from this version. The
    /// downloaded bytes of this version stay readable while the successor downloads. Each successor is returned only
    /// once, and the caller closes it; a successor that was never returned is closed with this source.
    ///
    /// - Returns: `nil` if the server has no other version.
    func claimSuccessor() -> (any ByteSource)?

    /// Requests the missing bytes again after a failed download, or immediately if a retry was scheduled; otherwise
    /// does nothing.
    func retry()

    /// Waits until a complete download has its final name. That may take long: the bytes that an earlier run stored are
    /// verified first. `close` ends the wait, and the next run completes the file.
    func waitForFile()

    /// Stops the transfers and releases the source's resources; keeps the bytes on disk. Later reads fail.
    func close()
}

extension ByteSource {
    public func waitForFile() {}
}

/// The result of one read. A read without bytes reports one of the last three cases, so that missing data is distinct
/// from the end.
public enum ByteRead: Sendable, Equatable {
    /// This many bytes (at least one) were copied.
    case data(count: Int)
    /// The byte is not yet available; `onChange` announces further bytes.
    case notYetAvailable
    /// The offset is at or beyond the known length.
    case end
    /// The byte is missing and will not be downloaded.
    case failed(MediaFailure)
}

/// The download progress of an enclosure.
public struct DownloadProgress: Sendable, Equatable {
    public enum Condition: Sendable, Equatable {
        /// Requested; no byte received yet.
        case connecting
        case receiving
        /// The transfer failed; a retry starts automatically.
        case backingOff(Backoff)
        /// Waiting for storage space, for this reason; the download resumes automatically when space is available.
        case held(reason: String)
        /// Every byte is available.
        case complete
        /// No further byte will be downloaded; the available bytes stay readable.
        case failed(MediaFailure)
    }

    /// The wait between two attempts.
    public struct Backoff: Sendable, Equatable {
        /// The cause of the failed transfer.
        public var reason: String
        /// The time until the next attempt; `nil` if unknown.
        public var retryIn: Duration?
        /// The number of attempts left, including the next one, if none of them makes progress.
        public var attemptsLeft: Int?

        public init(reason: String, retryIn: Duration? = nil, triesLeft: Int? = nil) {
            (self.reason, self.retryIn, self.attemptsLeft) = (reason, retryIn, triesLeft)
        }
    }

    /// An end of the download that nothing confirms.
    public struct Unverified: Sendable, Equatable {
        /// The length in bytes that the file's own tag or its feed declares, if greater than the received length.
        public var declaredLength: Int64?

        public init(promised: Int64?) { self.declaredLength = promised }
    }

    /// The cause of an arrival in the order of the file only.
    public enum InOrderCause: Sendable, Equatable {
        /// The server has shown that it sends only from the beginning.
        case server
        /// Another process downloads the file, and this one follows it.
        case otherProcess
        /// The server has another version by now, which it would send instead.
        case newerVersion
    }

    public var condition: Condition
    /// The enclosure's length in bytes; `nil` while unknown.
    public var total: Int64?
    /// The available bytes.
    public var extents: ByteRangeSet
    /// The measured throughput while receiving; `nil` before the first measurement.
    public var bytesPerSecond: Double?
    /// The throughput since the first byte; `nil` before the first measurement.
    public var throughput: Throughput?
    /// The time from the last request to its answer; `nil` while unknown.
    public var answer: Duration?
    /// Set if the download ended without a declared length, so that the file may be incomplete; `nil` if the length
    /// is known, or the end was not reached yet.
    public var unverified: Unverified?
    /// The reason why a byte far ahead arrives only after the bytes that precede it; `nil` if it can be fetched first.
    public var inOrderCause: InOrderCause?
    /// The reason why the enclosure is not kept; `nil` if the whole enclosure is on disk, or will be.
    public var unsavedReason: String?

    /// True if the whole enclosure is on disk, or will be.
    public var isKept: Bool { unsavedReason == nil }

    /// True if a byte far ahead can be fetched before the bytes that precede it.
    public var canSkipAhead: Bool { inOrderCause == nil }

    /// True if no further byte will be downloaded.
    public var isOver: Bool {
        switch condition {
        case .complete, .failed: true
        case .connecting, .receiving, .backingOff, .held: false
        }
    }

    public init(
        condition: Condition, total: Int64? = nil, extents: ByteRangeSet = ByteRangeSet(),
        bytesPerSecond: Double? = nil, throughput: Throughput? = nil, answer: Duration? = nil,
        unverified: Unverified? = nil, inOrderCause: InOrderCause? = nil, unsavedReason: String? = nil
    ) {
        self.condition = condition
        self.total = total
        self.extents = extents
        self.bytesPerSecond = bytesPerSecond
        self.throughput = throughput
        self.answer = answer
        self.unverified = unverified
        self.inOrderCause = inOrderCause
        self.unsavedReason = unsavedReason
    }
}
