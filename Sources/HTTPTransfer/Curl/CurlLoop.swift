// SPDX-License-Identifier: GPL-3.0-or-later
import CCurl
import Logging
import Media

/// Runs every transfer of a transport on the one thread that calls `run`.
final class CurlLoop {
    private let mailbox: CurlMailbox
    private let settings: CurlSettings
    private let logger: Logger
    private var transfers: [TransferID: CurlTransfer] = [:]

    init(mailbox: CurlMailbox, settings: CurlSettings, logger: Logger) {
        self.mailbox = mailbox
        self.settings = settings
        self.logger = logger
    }

    /// Runs until a `stop`, or until libcurl fails as a whole. Every receiver has received its outcome when this
    /// returns.
    func run() {
        do {
            try Self.libraryReady.get()
            let multi = try MultiHandle()
            mailbox.open(waker: multi.waker)
            do {
                while try handleMail(multi) {
                    let look = ContinuousClock.now
                    try beginTurns(multi)
                    try multi.perform()
                    try handleEnded(multi)
                    try handleOverdue(multi, at: look)
                    try multi.poll(for: timeToNextTurn)
                }
            } catch {
                endAll(multi, .failed(.protocolError("\(error)")))
                return
            }
            endAll(multi, .cancelled)
        } catch {
            logger.info("cannot use libcurl", metadata: ["error": "\(error)"])
            refuse(mailbox.close(.failed(.protocolError("\(error)"))), .failed(.protocolError("\(error)")))
        }
    }

    /// The initialization of libcurl and its TLS library, once per process.
    private static let libraryReady = Result<Void, CurlCode> { () throws(CurlCode) in
        try CurlCode.check(curl_global_init(Int(CURL_GLOBAL_ALL)))
    }
}

extension CurlLoop {
    /// - Returns: false if the loop must end.
    private func handleMail(_ multi: borrowing MultiHandle) throws(MultiHandle.Failure) -> Bool {
        var isWanted = true
        for message in mailbox.removeAll() {
            switch message {
            case .start(let id, let request, let receiver):
                try start(id, request, receiver, on: multi)
            case .cancel(let id):
                guard let transfer = transfers.removeValue(forKey: id) else { continue }
                multi.remove(transfer.easy)
                log("transfer cancelled", id)
                transfer.finish(.cancelled)
            case .stop:
                isWanted = false
            }
        }
        return isWanted
    }

    private func start(
        _ id: TransferID, _ request: HTTPRequest, _ receiver: any TransferReceiver, on multi: borrowing MultiHandle
    ) throws(MultiHandle.Failure) {
        logger.debug(
            "transfer started",
            metadata: [
                "transfer.id": "\(id.number)", "url": "\(RedactedURL.logged(request.url))",
                "byte.offset": "\(request.range ?? 0)",
            ])
        let transfer: CurlTransfer
        do throws(TransferError) {
            transfer = try CurlTransfer(id: id, request: request, receiver: receiver, settings: settings)
        } catch {
            receiver.finished(.failed(error), of: id)
            return
        }
        transfers[id] = transfer
        try multi.add(transfer.easy)
    }

    private func beginTurns(_ multi: borrowing MultiHandle) throws(MultiHandle.Failure) {
        for transfer in transfers.values {
            do throws(CurlCode) {
                try transfer.beginTurn()
            } catch {
                multi.remove(transfer.easy)
                try finishHop(transfer, after: .curl(error), on: multi)
            }
        }
    }

    private func handleEnded(_ multi: borrowing MultiHandle) throws(MultiHandle.Failure) {
        while let (easy, code) = multi.nextEnded() {
            multi.remove(easy)
            guard let transfer = transfers.first(where: { $0.value.easy == easy })?.value else { continue }
            try finishHop(transfer, after: .curl(code), on: multi)
        }
    }

    /// - Parameter look: the time before the sockets were read. A deadline after that time may have passed while a
    ///   receiver was busy, with its bytes waiting in the socket.
    private func handleOverdue(
        _ multi: borrowing MultiHandle, at look: ContinuousClock.Instant
    ) throws(MultiHandle.Failure) {
        for transfer in transfers.values where transfer.deadline.map({ $0 <= look }) ?? false {
            multi.remove(transfer.easy)
            try finishHop(transfer, after: .overdue, on: multi)
        }
    }

    /// - Parameter transfer: a transfer whose handle was removed from `multi`.
    private func finishHop(
        _ transfer: CurlTransfer, after end: CurlTransfer.HopResult, on multi: borrowing MultiHandle
    ) throws(MultiHandle.Failure) {
        switch transfer.hopEnded(end) {
        case .anotherHop:
            log("transfer continues", transfer.id, "at \(RedactedURL.logged(transfer.route.chain.address.text))")
            try multi.add(transfer.easy)
        case .end(let outcome):
            transfers[transfer.id] = nil
            log("transfer ended", transfer.id, "\(outcome)")
            if outcome == .refused { logPage(of: transfer) }
            transfer.finish(outcome)
        }
    }

    /// The time until the next turn or deadline, at most one minute; a new message wakes the loop.
    private var timeToNextTurn: Duration {
        if transfers.values.contains(where: \.isPaused) { return .zero }
        guard let next = transfers.values.compactMap(\.deadline).min() else { return .seconds(60) }
        // Rounded up by a millisecond; otherwise the loop would spin during the last one.
        return min(max(next - .now, .zero) + .milliseconds(1), .seconds(60))
    }

    private func logPage(of transfer: CurlTransfer) {
        guard logger.logLevel <= .debug, let text = transfer.pageText else { return }
        logger.debug("received an error page", metadata: ["transfer.id": "\(transfer.id.number)", "page": "\(text)"])
    }

    /// Ends all running transfers and all that were about to start.
    private func endAll(_ multi: borrowing MultiHandle, _ outcome: TransferOutcome) {
        let unread = mailbox.close(outcome)
        let running = transfers
        transfers = [:]
        for transfer in running.values { multi.remove(transfer.easy) }
        for transfer in running.values { transfer.finish(outcome) }
        refuse(unread, outcome)
    }

    private func refuse(_ messages: [CurlMessage], _ outcome: TransferOutcome) {
        for case .start(let id, _, let receiver) in messages { receiver.finished(outcome, of: id) }
    }

    private func log(_ message: Logger.Message, _ id: TransferID, _ result: @autoclosure () -> String = "") {
        logger.debug(message, metadata: ["transfer.id": "\(id.number)", "result": "\(result())"])
    }
}
