// SPDX-License-Identifier: GPL-3.0-or-later
public import Media
import Synchronization

/// A `ByteSource` in memory whose bytes arrive when a test says so.
public final class MemoryByteSource: ByteSource {
    private struct State {
        var held: Int
        var failure: MediaFailure?
        var isClosed = false
        var edges = 0
        var highestRead: Int64 = 0
        var handler: (@Sendable () -> Void)?
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
    public init(
        _ content: [UInt8], held: Int? = nil, knowsTotal: Bool = true, longestRead: Int = .max,
        bytesPerSecond: Double? = nil
    ) {
        self.content = content
        self.knowsTotal = knowsTotal
        self.longestRead = longestRead
        self.bytesPerSecond = bytesPerSecond
        state = Mutex(State(held: min(held ?? content.count, content.count)))
    }

    // MARK: What a test does

    /// Lets the bytes up to `count` arrive.
    public func release(upTo count: Int = .max) { change { $0.held = min(max($0.held, count), content.count) } }
    /// Lets `count` more bytes arrive.
    public func release(more count: Int) { change { $0.held = min($0.held + count, content.count) } }
    /// What has not arrived never will.
    public func fail(_ failure: MediaFailure) { change { $0.failure = failure } }
    /// A source that was closed is wanted once more.
    public func reopen() { state.withLock { $0.isClosed = false } }

    public var held: Int { state.withLock { $0.held } }
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
            if offset < state.held {
                let count = min(state.held - Int(offset), buffer.count, longestRead)
                content[Int(offset)..<Int(offset) + count].withUnsafeBytes { buffer.copyMemory(from: $0) }
                state.highestRead = max(state.highestRead, offset + Int64(count))
                return .data(count: count)
            }
            if offset >= content.count, knowsTotal || state.held == content.count { return .end }
            if let failure = state.failure { return .failed(failure) }
            state.edges += 1
            return .edge
        }
    }

    public var arrival: Arrival {
        state.withLock { state in
            Arrival(
                condition: condition(state),
                total: knowsTotal || state.held == content.count ? Int64(content.count) : nil,
                extents: state.isClosed ? ByteRangeSet() : ByteRangeSet([0..<Int64(state.held)]),
                bytesPerSecond: bytesPerSecond)
        }
    }

    private func condition(_ state: State) -> Arrival.Condition {
        if state.isClosed { return .failed(Self.closed) }
        if state.held == content.count { return .complete }
        if let failure = state.failure { return .failed(failure) }
        return state.held == 0 ? .connecting : .receiving
    }

    public func onChange(_ handler: (@Sendable () -> Void)?) { state.withLock { $0.handler = handler } }

    public func close() { state.withLock { $0.isClosed = true } }

    private static let closed = MediaFailure(.temporary, "it was closed")
}
