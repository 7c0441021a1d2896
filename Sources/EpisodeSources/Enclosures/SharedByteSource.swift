// SPDX-License-Identifier: GPL-3.0-or-later
import Media
import Synchronization

/// A byte source with several concurrent readers, each with its own handle. It is closed with the last handle.
final class SharedByteSource: Sendable {
    private struct State {
        /// The change handler of each open handle.
        var handlers: [Int: (@Sendable () -> Void)?] = [:]
        var nextNumber = 0
        /// The open handles whose readers have asked for bytes.
        var requesters: Set<Int> = []
        var isOver = false
        /// The source of the version that replaces this one; readers move to it.
        var successor: SharedByteSource?
        /// A handle that keeps the successor open for the readers that have not moved yet.
        var retainedHandle: (any ByteSource)?
    }

    fileprivate let source: any ByteSource
    private let state = Mutex(State())

    init(_ source: any ByteSource) {
        self.source = source
        source.onChange { [weak self] in self?.notifyReaders() }
    }

    /// True if the last handle is closed, also that of the successor.
    var isOver: Bool {
        let (isOver, successor) = state.withLock { ($0.isOver, $0.successor) }
        return isOver && successor?.isOver ?? true
    }

    /// Opens a handle.
    /// - Returns: a handle of the successor if this version no longer has a reader; `nil` if the last handle has been
    ///   closed.
    func handle() -> (any ByteSource)? {
        let (number, successor) = state.withLock { state -> (Int?, SharedByteSource?) in
            guard !state.isOver else { return (nil, state.successor) }
            defer { state.nextNumber += 1 }
            state.handlers.updateValue(nil, forKey: state.nextNumber)
            return (state.nextNumber, nil)
        }
        return number.map { Handle(self, number: $0) } ?? successor?.handle()
    }

    fileprivate func successorHandle() -> (any ByteSource)? {
        state.withLock { state in
            if state.successor == nil {
                state.successor = source.claimSuccessor().map(SharedByteSource.init)
                state.retainedHandle = state.successor?.handle()
            }
            return state.successor
        }?.handle()
    }

    private func notifyReaders() {
        for handler in state.withLock({ $0.handlers.values.compactMap(\.self) }) { handler() }
    }

    fileprivate func isOpen(_ number: Int) -> Bool { state.withLock { $0.handlers.keys.contains(number) } }

    fileprivate func setHandler(_ number: Int, _ handler: (@Sendable () -> Void)?) {
        state.withLock { state in
            if state.handlers.keys.contains(number) { state.handlers.updateValue(handler, forKey: number) }
        }
    }

    /// Forwards the requests of the oldest handle that has made one: the download can proceed in one direction, and
    /// some readers read only bytes that have arrived.
    fileprivate func need(from offset: Int64, by number: Int) {
        let oldest = state.withLock { state in
            if state.handlers.keys.contains(number) { state.requesters.insert(number) }
            return state.requesters.min()
        }
        if oldest == number { source.setReadPosition(from: offset) }
    }

    fileprivate func close(_ number: Int) {
        let (isLast, hold) = state.withLock { state -> (Bool, (any ByteSource)?) in
            state.requesters.remove(number)
            guard state.handlers.removeValue(forKey: number) != nil, state.handlers.isEmpty else { return (false, nil) }
            state.isOver = true
            return (true, state.retainedHandle.take())
        }
        if isLast { source.close() }
        hold?.close()
    }

    private final class Handle: ByteSource {
        private let shared: SharedByteSource
        private let number: Int

        init(_ shared: SharedByteSource, number: Int) { (self.shared, self.number) = (shared, number) }

        /// Closes the handle when its owner releases it.
        deinit { shared.close(number) }

        func read(at offset: Int64, into buffer: UnsafeMutableRawBufferPointer) -> ByteRead {
            shared.isOpen(number) ? shared.source.read(at: offset, into: buffer) : .failed(Self.closed)
        }

        var downloadProgress: DownloadProgress {
            shared.isOpen(number) ? shared.source.downloadProgress : DownloadProgress(condition: .failed(Self.closed))
        }

        func setReadPosition(from offset: Int64) { shared.need(from: offset, by: number) }
        func claimSuccessor() -> (any ByteSource)? { shared.isOpen(number) ? shared.successorHandle() : nil }
        func retry() { if shared.isOpen(number) { shared.source.retry() } }
        func waitForFile() { if shared.isOpen(number) { shared.source.waitForFile() } }
        func onChange(_ handler: (@Sendable () -> Void)?) { shared.setHandler(number, handler) }
        func close() { shared.close(number) }

        private static let closed = MediaFailure(.temporary, "the source was closed")
    }
}
