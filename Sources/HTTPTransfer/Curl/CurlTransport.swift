// SPDX-License-Identifier: GPL-3.0-or-later
import CCurl
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

    private enum Worker {
        /// libcurl is not loaded yet.
        case unused
        case running(WorkerThread)
        case ended
    }

    private let mailbox = CurlMailbox()
    private let settings: CurlSettings
    private let logger: Logger
    private let worker = Mutex(Worker.unused)

    /// - Parameters:
    ///   - version: the version of Earshot, for the User-Agent.
    ///   - startsNow: true to load libcurl while the caller continues; false to load it for the first request.
    public convenience init(
        version: String, startsNow: Bool = true, limits: TransferLimits = TransferLimits(), logger: Logger
    ) {
        let settings = CurlSettings(
            userAgent: "Earshot/\(version)", limits: limits, proxies: .ofEnvironment,
            classify: { AddressClass($0) })
        self.init(settings: settings, startsNow: startsNow, logger: logger)
    }

    init(settings: CurlSettings, startsNow: Bool = true, logger: Logger) {
        (self.settings, self.logger) = (settings, logger)
        if startsNow { startThread() }
    }

    /// Starts to load libcurl on another thread, which takes longer than to create a transport.
    public static func preload() {
        // Any function loads the library. This one initializes nothing: the process may end meanwhile.
        WorkerThread.start { _ = curl_easy_strerror(CURLE_OK) }?.detach()
    }

    /// Starts the thread unless it has started.
    private func startThread() {
        let isMissing = worker.withLock { worker in
            guard case .unused = worker else { return false }
            let thread = WorkerThread.start { [mailbox, settings, logger] in
                CurlLoop(mailbox: mailbox, settings: settings, logger: logger).run()
            }
            worker = thread.map(Worker.running) ?? .ended
            return thread == nil
        }
        if isMissing { _ = mailbox.close(.failed(.protocolError("cannot create a thread"))) }
    }

    deinit {
        shutdown()
    }

    @discardableResult
    public func start(_ request: HTTPRequest, receiver: any TransferReceiver) -> TransferID {
        let id = TransferID(Self.lastNumber.add(1, ordering: .relaxed).newValue)
        startThread()
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
        let ending = worker.withLock { worker in
            defer { worker = .ended }
            return worker
        }
        switch ending {
        case .unused: _ = mailbox.close(.cancelled)
        case .running(let thread):
            _ = mailbox.post(.stop)
            thread.join()
        case .ended: break
        }
    }
}
