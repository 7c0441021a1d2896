// SPDX-License-Identifier: GPL-3.0-or-later
public import ControlProtocol
public import Media
import Synchronization

/// The control socket of the owner of playback: a thread that serves all clients and wakes only for them.
///
/// Every function may be called on any thread, also within `receive`, and never waits for a client.
public final class ControlServer: Sendable {
    /// An order of the owner to the thread.
    enum Order: Sendable {
        case publish(ControlEvent)
        case reply(Result<JSONValue, ControlError>, ReplyTicket)
        case deliver([JSONValue.Member], SnapshotTicket)
        case stop
    }

    /// The unread orders.
    final class Mailbox: Sendable {
        private let orders = Mutex<[Order]>([])
        let wake = WakeSignal()

        func append(_ order: Order) {
            orders.withLock { $0.append(order) }
            wake.signal()
        }

        func removeAll() -> [Order] {
            orders.withLock { orders in
                defer { orders = [] }
                return orders
            }
        }
    }

    private let mailbox: Mailbox
    private let thread: WorkerThread

    /// Serves clients until `stop`.
    /// - Parameters:
    ///   - listener: the caller keeps no reference: the socket and the lock end with the last one.
    ///   - receive: gets the inputs in order, on the thread; it must return quickly.
    /// - Returns: `nil` if the system cannot create another thread.
    public static func start(
        _ listener: ControlListener, hello: Hello, receive: @escaping @Sendable (ControlInput) -> Void
    ) -> ControlServer? {
        let mailbox = Mailbox()
        let thread = WorkerThread.start {
            var loop = ControlLoop(listener, ControlHub(hello: hello), mailbox, receive)
            loop.run()
        }
        return thread.map { ControlServer(mailbox, $0) }
    }

    private init(_ mailbox: Mailbox, _ thread: WorkerThread) { (self.mailbox, self.thread) = (mailbox, thread) }

    /// Sends an event to the clients that want it.
    public func publish(_ event: ControlEvent) { mailbox.append(.publish(event)) }

    /// Replies to a request: to each exactly once. An action replies when it is accepted; its effect is an event.
    public func reply(_ result: Result<JSONValue, ControlError>, to ticket: ReplyTicket) {
        mailbox.append(.reply(result, ticket))
    }

    /// Delivers the state of the topics of a ticket; see `ControlInput.snapshotWanted`.
    public func deliver(_ state: [JSONValue.Member], to ticket: SnapshotTicket) {
        mailbox.append(.deliver(state, ticket))
    }

    /// Sends what clients can take immediately, closes all connections, and removes the socket and the lock. To be
    /// called once.
    public func stop() {
        mailbox.append(.stop)
        thread.join()
    }
}
