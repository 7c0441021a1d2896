// SPDX-License-Identifier: GPL-3.0-or-later
public import Media
import Synchronization

/// A `ByteSource` in memory whose bytes arrive when a test releases them.
public final class MemoryByteSource: ByteSource {
    private struct State {
        var extents: ByteRangeSet
        var inOrderCause: DownloadProgress.InOrderCause?
        var needs: [Int64] = []
        var failure: MediaFailure?
        var isClosed = false
        var unavailableReads = 0
        var highestRead: Int64 = 0
        var handler: (@Sendable () -> Void)?
        var successor: MemoryByteSource?
        var retries = 0
        var throughput: Throughput?
        var bytesPerSecond: Double?
        var held: String?
        var unverified: DownloadProgress.Unverified?
    }

    public let content: [UInt8]
    private let knowsTotal: Bool
    private let longestRead: Int
    private let state: Mutex<State>

    /// - Parameters:
    ///   - held: the number of bytes that are available at first; `nil`: all.
    ///   - knowsTotal: true if the length is known before the last byte arrives.
    ///   - longestRead: the largest number of bytes that one read returns.
    ///   - throughput: the reported throughput; very fast by default.
    public init(
        _ content: [UInt8], held: Int? = nil, knowsTotal: Bool = true, longestRead: Int = .max,
        bytesPerSecond: Double? = nil, throughput: Throughput? = Throughput(steady: 1e9)
    ) {
        self.content = content
        self.knowsTotal = knowsTotal
        self.longestRead = longestRead
        let count = min(held ?? content.count, content.count)
        state = Mutex(
            State(
                extents: ByteRangeSet([0..<Int64(count)]), throughput: throughput, bytesPerSecond: bytesPerSecond))
    }

    // MARK: Test controls

    /// Makes the bytes up to `count` available.
    public func release(upTo count: Int = .max) { release(0..<count) }
    /// Makes the next `count` missing bytes available.
    public func release(more count: Int) { release(held..<(held + min(count, content.count))) }
    /// Makes these bytes available.
    public func release(_ range: Range<Int>) {
        let fitting = range.clamped(to: 0..<content.count)
        change { $0.extents.insert(Int64(fitting.lowerBound)..<Int64(fitting.upperBound)) }
    }
    /// Simulates a server that ignores range requests, or one that turns out to support them.
    public func skipAhead(_ isPossible: Bool) { arriveInOrder(isPossible ? nil : .server) }
    /// Sets the cause of an arrival in the order of the file only.
    public func arriveInOrder(_ cause: DownloadProgress.InOrderCause?) { change { $0.inOrderCause = cause } }
    /// Fails the source; the missing bytes do not arrive.
    public func fail(_ failure: MediaFailure) { change { $0.failure = failure } }
    /// Marks the end of the content as unverified; `promised` is the length that the server may have declared.
    public func doubt(promised: Int64?) { change { $0.unverified = .init(promised: promised) } }
    /// Simulates new content on the server.
    public func replace(by successor: MemoryByteSource) {
        change { state in
            state.failure = MediaFailure(.badData, "the episode changed on the server")
            state.successor = successor
        }
    }
    /// Sets the reported throughput.
    public func say(_ throughput: Throughput?) { change { $0.throughput = throughput } }
    /// Sets the reported speed of the running transfer.
    public func measure(bytesPerSecond rate: Double?) { change { $0.bytesPerSecond = rate } }
    /// Simulates a download that waits for this reason, for example for disk space.
    public func hold(_ reason: String) { change { $0.held = reason } }
    /// Clears the failure, so that missing bytes can arrive again.
    public func recover() { change { $0.failure = nil } }
    /// The number of retries for missing bytes.
    public var retries: Int { state.withLock { $0.retries } }
    /// Reopens a closed source.
    public func reopen() { state.withLock { $0.isClosed = false } }

    /// The number of bytes from the beginning that have arrived without a gap.
    public var held: Int { state.withLock { Int($0.extents.contiguousEnd(from: 0)) } }
    /// The offsets that the reader reported as needed, each one once.
    public var needs: [Int64] { state.withLock { $0.needs } }
    public var isClosed: Bool { state.withLock { $0.isClosed } }
    /// The number of reads at an offset that was not yet available.
    public var unavailableReads: Int { state.withLock { $0.unavailableReads } }
    /// The end of the bytes read so far.
    public var highestRead: Int64 { state.withLock { $0.highestRead } }

    private func change(_ body: (inout State) -> Void) {
        let handler = state.withLock { state in
            body(&state)
            return state.handler
        }
        handler?()
    }

    // MARK: ByteSource

    public func read(at offset: Int64, into buffer: UnsafeMutableRawBufferPointer) -> ByteRead {
        state.withLock { state in
            guard !state.isClosed else { return .failed(Self.closed) }
            guard offset >= 0 else { return .failed(MediaFailure(.inputOutput, "before the first byte")) }
            let end = state.extents.contiguousEnd(from: offset)
            if offset < end {
                let count = min(Int(end - offset), buffer.count, longestRead)
                content[Int(offset)..<Int(offset) + count].withUnsafeBytes { buffer.copyMemory(from: $0) }
                state.highestRead = max(state.highestRead, offset + Int64(count))
                return .data(count: count)
            }
            if offset >= content.count, knowsTotal || isWhole(state) { return .end }
            if let failure = state.failure { return .failed(failure) }
            state.unavailableReads += 1
            return .notYetAvailable
        }
    }

    public var downloadProgress: DownloadProgress {
        state.withLock { state in
            DownloadProgress(
                condition: condition(state),
                total: knowsTotal || isWhole(state) ? Int64(content.count) : nil,
                extents: state.isClosed ? ByteRangeSet() : state.extents, bytesPerSecond: state.bytesPerSecond,
                throughput: state.throughput, unverified: state.unverified, inOrderCause: state.inOrderCause)
        }
    }

    public func setReadPosition(from offset: Int64) {
        state.withLock { if $0.needs.last != offset { $0.needs.append(offset) } }
    }

    public func claimSuccessor() -> (any ByteSource)? { state.withLock { $0.successor.take() } }

    public func retry() { state.withLock { $0.retries += 1 } }

    private func isWhole(_ state: State) -> Bool { state.extents.contains(0..<Int64(content.count)) }

    private func condition(_ state: State) -> DownloadProgress.Condition {
        if state.isClosed { return .failed(Self.closed) }
        if isWhole(state) { return .complete }
        if let failure = state.failure { return .failed(failure) }
        if let reason = state.held { return .held(reason: reason) }
        return state.extents.isEmpty ? .connecting : .receiving
    }

    public func onChange(_ handler: (@Sendable () -> Void)?) { state.withLock { $0.handler = handler } }

    public func close() { state.withLock { $0.isClosed = true } }

    private static let closed = MediaFailure(.temporary, "the source is closed")
}
