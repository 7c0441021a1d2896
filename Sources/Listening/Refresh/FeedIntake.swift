// SPDX-License-Identifier: GPL-3.0-or-later
import Dispatch
import HTTPTransfer
import Synchronization

/// One order under way, between the transport's thread and the queue on which its feed is read.
///
/// @unchecked Sendable: `reading` and `hasEnded` are touched on `queue` alone.
final class FeedIntake: TransferReceiver, @unchecked Sendable {
    private let queue = DispatchQueue(label: "earshot.feed", target: .global(qos: .utility))
    private let room: ReadingRoom
    private let transport: any HTTPTransport
    private let isConditional: Bool
    private let end: @Sendable (FeedAttempt) -> Void
    private let isWanted = Atomic<Bool>(true)
    private let transfer = Mutex<TransferID?>(nil)
    private var reading: FeedReading
    private var hasEnded = false

    /// - Parameter end: called once, on the intake's own queue, when the sink has been told.
    init(
        _ order: RefreshOrder, transport: any HTTPTransport, room: ReadingRoom,
        makeSink: @escaping @Sendable (RefreshOrder) -> any FeedSink, end: @escaping @Sendable (FeedAttempt) -> Void
    ) {
        self.transport = transport
        self.room = room
        self.end = end
        isConditional = order.isConditional
        reading = FeedReading(order, makeSink: makeSink)
    }

    func ask(_ request: HTTPRequest) {
        transfer.withLock { transfer in
            guard isWanted.load(ordering: .acquiring) else { return }
            transfer = transport.start(request, receiver: self)
        }
    }

    /// It ends as cancelled, unless it has ended already.
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

    /// On `queue`.
    private func conclude(_ attempt: FeedAttempt) {
        guard !hasEnded else { return }
        hasEnded = true
        end(attempt)
    }
}

// MARK: What the transport brings
extension FeedIntake {
    func receivedHead(_ head: ResponseHead, of id: TransferID) -> BodyDecision {
        queue.async { [self] in reading.begin(head) }
        return FeedVerdict(head, isConditional: isConditional) == .read ? .accept : .refuse
    }

    func receivedBody(_ bytes: UnsafeRawBufferPointer, of id: TransferID) -> BodyDecision {
        guard isWanted.load(ordering: .acquiring) else { return .refuse }
        let piece = [UInt8](bytes)
        room.enter()
        queue.async { [self] in
            defer { room.leave() }
            read(piece)
        }
        return .accept
    }

    private func read(_ piece: [UInt8]) {
        guard isWanted.load(ordering: .acquiring) else { return }
        piece.withUnsafeBytes { reading.consume($0) }
        guard let ended = reading.ended else { return }
        // What it is not, the rest will not make it.
        stop()
        conclude(ended)
    }

    func finished(_ outcome: TransferOutcome, of id: TransferID) {
        queue.async { [self] in
            guard !hasEnded else { return }
            switch reading.finish(outcome) {
            case .page(let request): ask(request)
            case .end(let attempt): conclude(attempt)
            }
        }
    }
}

/// Bounds what has arrived and is not parsed yet: who brings more waits.
final class ReadingRoom: Sendable {
    /// libcurl hands over 16 KiB at a time, so this is 4 MiB.
    private static let mostPieces = 256

    private let places = DispatchSemaphore(value: 0)

    init() {
        // Not made with them: a semaphore must not end with fewer than it began with.
        for _ in 0..<Self.mostPieces { places.signal() }
    }

    func enter() { places.wait() }
    func leave() { places.signal() }
}
