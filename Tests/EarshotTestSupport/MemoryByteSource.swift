// SPDX-License-Identifier: GPL-3.0-or-later
public import Media
import Synchronization

/// A `ByteSource` in memory whose bytes arrive when a test says so.
public final class MemoryByteSource: ByteSource {
    private struct State {
        var extents: ByteRangeSet
        var canSkipAhead = true
        var needs: [Int64] = []
        var failure: MediaFailure?
        var isClosed = false
        var edges = 0
        var highestRead: Int64 = 0
        var handler: (@Sendable () -> Void)?
        var successor: MemoryByteSource?
        var retries = 0
        var throughput: Throughput?
        var held: String?
        var unverified: Arrival.Unverified?
    }

    public let content: [UInt8]
    private let knowsTotal: Bool
    private let longestRead: Int
    private let bytesPerSecond: Double?
    private let state: Mutex<State>

    /// - Parameters:
    ///   - held: how many bytes are there at first; `nil`: all.
    ///   - knowsTotal: whether the length is told before the last byte is there.
    ///   - longestRead: the most bytes one read gives.
    ///   - throughput: how it is said to come; very fast, where nothing else is said.
    public init(
        _ content: [UInt8], held: Int? = nil, knowsTotal: Bool = true, longestRead: Int = .max,
        bytesPerSecond: Double? = nil, throughput: Throughput? = Throughput(steady: 1e9)
    ) {
        self.content = content
        self.knowsTotal = knowsTotal
        self.longestRead = longestRead
        self.bytesPerSecond = bytesPerSecond
        let count = min(held ?? content.count, content.count)
        state = Mutex(State(extents: ByteRangeSet([0..<Int64(count)]), throughput: throughput))
    }

    // MARK: What a test does

    /// Lets the bytes up to `count` arrive.
    public func release(upTo count: Int = .max) { release(0..<count) }
    /// Lets `count` more bytes arrive, those first that are missing first.
    public func release(more count: Int) { release(held..<(held + min(count, content.count))) }
    /// Lets these bytes arrive, wherever they are.
    public func release(_ range: Range<Int>) {
        let fitting = range.clamped(to: 0..<content.count)
        change { $0.extents.insert(Int64(fitting.lowerBound)..<Int64(fitting.upperBound)) }
    }
    /// The server turns out to send from the beginning only.
    public func refuseToSkip() { change { $0.canSkipAhead = false } }
    /// What has not arrived never will.
    public func fail(_ failure: MediaFailure) { change { $0.failure = failure } }
    /// Nobody vouches for the end; somebody may have promised more bytes.
    public func doubt(promised: Int64?) { change { $0.unverified = .init(promised: promised) } }
    /// The server has another version now.
    public func replace(by successor: MemoryByteSource) {
        change { state in
            state.failure = MediaFailure(.badData, "the episode changed on the server")
            state.successor = successor
        }
    }
    /// How it is said to come from now on.
    public func say(_ throughput: Throughput?) { change { $0.throughput = throughput } }
    /// Nothing more comes for this reason, until there is room.
    public func hold(_ reason: String) { change { $0.held = reason } }
    /// What failed may come after all.
    public func recover() { change { $0.failure = nil } }
    /// How often what is missing was asked for anew.
    public var retries: Int { state.withLock { $0.retries } }
    /// A source that was closed is wanted once more.
    public func reopen() { state.withLock { $0.isClosed = false } }

    /// How many bytes have arrived from the beginning on without a gap.
    public var held: Int { state.withLock { Int($0.extents.contiguousEnd(from: 0)) } }
    /// Where the reader said that it stands, each place once.
    public var needs: [Int64] { state.withLock { $0.needs } }
    public var isClosed: Bool { state.withLock { $0.isClosed } }
    /// How often a byte was asked for that was not there.
    public var edges: Int { state.withLock { $0.edges } }
    /// The end of what was read so far.
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
            state.edges += 1
            return .edge
        }
    }

    public var arrival: Arrival {
        state.withLock { state in
            Arrival(
                condition: condition(state),
                total: knowsTotal || isWhole(state) ? Int64(content.count) : nil,
                extents: state.isClosed ? ByteRangeSet() : state.extents, bytesPerSecond: bytesPerSecond,
                throughput: state.throughput, unverified: state.unverified, canSkipAhead: state.canSkipAhead)
        }
    }

    public func need(from offset: Int64) {
        state.withLock { if $0.needs.last != offset { $0.needs.append(offset) } }
    }

    public func takeSuccessor() -> (any ByteSource)? { state.withLock { $0.successor.take() } }

    public func retry() { state.withLock { $0.retries += 1 } }

    private func isWhole(_ state: State) -> Bool { state.extents.contains(0..<Int64(content.count)) }

    private func condition(_ state: State) -> Arrival.Condition {
        if state.isClosed { return .failed(Self.closed) }
        if isWhole(state) { return .complete }
        if let failure = state.failure { return .failed(failure) }
        if let reason = state.held { return .held(reason: reason) }
        return state.extents.isEmpty ? .connecting : .receiving
    }

    public func onChange(_ handler: (@Sendable () -> Void)?) { state.withLock { $0.handler = handler } }

    public func close() { state.withLock { $0.isClosed = true } }

    private static let closed = MediaFailure(.temporary, "it was closed")
}
