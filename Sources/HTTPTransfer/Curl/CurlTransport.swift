// SPDX-License-Identifier: GPL-3.0-or-later
public import Logging
import Media
import Synchronization

/// An HTTP transport with libcurl. One dedicated thread runs every transfer.
///
/// Transfers follow up to 10 redirects, use only http and https, verify every certificate, use the proxies of the
/// environment and HTTP/2 where a server offers it over TLS, with at most six connections to a host. The transport
/// never uploads data. It sends a password only to the origin it was given for, and a cookie only to the host that
/// set it, during one chain of redirects; it stores neither.
public final class CurlTransport: HTTPTransport {
    private static let lastNumber = Atomic<UInt64>(0)

    private let mailbox = CurlMailbox()
    /// `nil` once the thread was joined.
    private let thread: Mutex<WorkerThread?>

    /// - Parameter version: the version of Earshot, for the User-Agent.
    public convenience init(version: String, limits: TransferLimits = TransferLimits(), logger: Logger) {
        let settings = CurlSettings(
            userAgent: "Earshot/\(version)", limits: limits, proxies: .ofEnvironment,
            classify: { AddressClass($0) })
        self.init(settings: settings, logger: logger)
    }

    init(settings: CurlSettings, logger: Logger) {
        thread = Mutex(WorkerThread.start { [mailbox] in
            CurlLoop(mailbox: mailbox, settings: settings, logger: logger).run()
        })
        if thread.withLock({ $0 == nil }) {
            _ = mailbox.close(.failed(.protocolError("cannot create a thread")))
        }
    }

    deinit {
        shutdown()
    }

    @discardableResult
    public func start(_ request: HTTPRequest, receiver: any TransferReceiver) -> TransferID {
        let id = TransferID(Self.lastNumber.add(1, ordering: .relaxed).newValue)
        if let outcome = mailbox.post(.start(id, request, receiver)) {
            // The thread has ended. The caller may hold a lock that the receiver needs, so a task delivers the
            // outcome.
            Task { receiver.finished(outcome, of: id) }
        }
        return id
    }

    public func cancel(_ id: TransferID) {
        _ = mailbox.post(.cancel(id))
    }

    /// Cancels every transfer, delivers the outcomes, and waits for the thread to end. Transfers started later get
    /// the outcome `cancelled`. May be called more than once, and also from a receiver's call, where it does not
    /// wait.
    public func shutdown() {
        guard let thread = thread.withLock({ $0.take() }) else { return }
        _ = mailbox.post(.stop)
        thread.join()
    }
}
