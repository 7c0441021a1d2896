// SPDX-License-Identifier: GPL-3.0-or-later
public import Logging
import Media
import Synchronization

/// HTTP by libcurl: one thread of its own runs every transfer.
///
/// Transfers follow up to 10 redirects, speak http and https only, verify every certificate, use the proxies of the
/// environment and HTTP/2 where a server offers it over TLS, with six connections to a host at most. Nothing is
/// uploaded. A password is sent to the origin it was given for, a cookie to the host that set it while one chain of
/// redirects lasts; neither is kept.
public final class CurlTransport: HTTPTransport {
    private static let lastNumber = Atomic<UInt64>(0)

    private let mailbox = CurlMailbox()
    /// `nil` once it is joined.
    private let thread: Mutex<WorkerThread?>

    /// - Parameter version: of Earshot, for the User-Agent.
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
            _ = mailbox.close(.failed(.protocolError("no thread can be started")))
        }
    }

    deinit {
        shutdown()
    }

    @discardableResult
    public func start(_ request: HTTPRequest, receiver: any TransferReceiver) -> TransferID {
        let id = TransferID(Self.lastNumber.add(1, ordering: .relaxed).newValue)
        if let outcome = mailbox.post(.start(id, request, receiver)) {
            // The thread is gone; the caller may hold a lock that the receiver wants, so it is told from elsewhere.
            Task { receiver.finished(outcome, of: id) }
        }
        return id
    }

    public func cancel(_ id: TransferID) {
        _ = mailbox.post(.cancel(id))
    }

    /// Cancels every transfer, tells its receiver, and waits for the thread to end. Later starts are told
    /// `cancelled`. May be called more than once, and from a receiver's call, where it cannot wait.
    public func shutdown() {
        guard let thread = thread.withLock({ $0.take() }) else { return }
        _ = mailbox.post(.stop)
        thread.join()
    }
}
