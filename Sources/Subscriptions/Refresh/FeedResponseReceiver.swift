// SPDX-License-Identifier: GPL-3.0-or-later
import Dispatch
import HTTPTransfer
import Synchronization

/// One running order; it connects the transport's thread with the queue on which the feed is parsed.
///
/// @unchecked Sendable: `head` is accessed only on the transport's thread, `reading` only on `queue`.
final class FeedResponseReceiver: TransferReceiver, @unchecked Sendable {
    private let queue = DispatchQueue(label: "earshot.feed", target: .global(qos: .utility))
    private let backlog: ParseBacklog
    private let transport: any HTTPTransport
    private let order: RefreshOrder
    private let end: @Sendable (FeedAttempt) -> Void
    private let isWanted = Atomic<Bool>(true)
    private let transfer = Mutex<TransferID?>(nil)
    /// The head of the response; it is passed to `queue` with the next event, so that a response without a body needs
    /// only one block there.
    private var head: ResponseHead?
    private var reading: FeedResponseParser
    private let hasEnded = Atomic<Bool>(false)

    /// - Parameter end: called once, on any thread, after the sink was notified.
    init(
        _ order: RefreshOrder, transport: any HTTPTransport, room: ParseBacklog,
        makeSink: @escaping @Sendable (RefreshOrder) -> any FeedSink, end: @escaping @Sendable (FeedAttempt) -> Void
    ) {
        self.transport = transport
        self.backlog = room
        self.end = end
        self.order = order
        reading = FeedResponseParser(order, makeSink: makeSink)
    }

    func send(_ request: HTTPRequest) {
        transfer.withLock { transfer in
            guard isWanted.load(ordering: .acquiring) else { return }
            transfer = transport.start(request, receiver: self)
        }
    }

    /// Cancels the order; it ends as `cancelled` unless it has already ended.
    func cancel() {
        stop()
        queue.async { [self] in
            reading.abandon()
            conclude(.cancelled)
        }
    }

    private func stop() {
        isWanted.store(false, ordering: .releasing)
        transfer.withLock { if let id = $0 { transport.cancel(id) } }
    }

    private func conclude(_ attempt: FeedAttempt) {
        if !hasEnded.exchange(true, ordering: .acquiringAndReleasing) { end(attempt) }
    }
}

// MARK: Events of the transport
extension FeedResponseReceiver {
    func receivedHead(_ head: ResponseHead, of id: TransferID) -> BodyDecision {
        self.head = head
        return order.attempt(answeredBy: head) == nil ? .accept : .refuse
    }

    func receivedBody(_ bytes: UnsafeRawBufferPointer, of id: TransferID) -> BodyDecision {
        guard isWanted.load(ordering: .acquiring) else { return .refuse }
        let piece = [UInt8](bytes)
        backlog.enter()
        queue.async { [self, head = head.take()] in
            defer { backlog.leave() }
            if let head { reading.begin(head) }
            read(piece)
        }
        return .accept
    }

    private func read(_ piece: [UInt8]) {
        guard isWanted.load(ordering: .acquiring) else { return }
        piece.withUnsafeBytes { reading.consume($0) }
        guard let ended = reading.ended else { return }
        // The rest of the body cannot change the verdict.
        stop()
        conclude(ended)
    }

    func finished(_ outcome: TransferOutcome, of id: TransferID) {
        // Most feeds have not changed: that answer needs neither a parser nor a change of threads.
        if !order.wantsOlderPages, let attempt = head.flatMap(order.attempt) { return conclude(attempt) }
        queue.async { [self, head = head.take()] in
            guard !hasEnded.load(ordering: .acquiring) else { return }
            if let head { reading.begin(head) }
            switch reading.finish(outcome) {
            case .page(let request): send(request)
            case .end(let attempt): conclude(attempt)
            }
        }
    }
}

/// A limit on the received pieces that are not parsed yet; a thread that delivers more of them blocks.
final class ParseBacklog: Sendable {
    /// The maximum number of pieces; libcurl delivers 16 KiB at a time, so this is 4 MiB.
    private static let mostPieces = 256

    private let places = DispatchSemaphore(value: 0)

    init() {
        // Signals instead of passing the initial value: a semaphore must not be released below its initial value.
        for _ in 0..<Self.mostPieces { places.signal() }
    }

    func enter() { places.wait() }
    func leave() { places.signal() }
}
