// SPDX-License-Identifier: GPL-3.0-or-later
import HTTPTransfer
import Synchronization

/// Makes a loopback server look like a TLS server on the internet: forwards https requests as plain http, and marks
/// the answers as secure and as sent from `source`. Forwards http requests unchanged.
final class SecuredTransport: HTTPTransport {
    private let inner: any HTTPTransport
    private let asked = Mutex<[HTTPRequest]>([])
    private let answering = Mutex<AddressClass?>(.public)

    init(_ inner: any HTTPTransport) { self.inner = inner }

    /// The address class that answers https requests.
    var source: AddressClass? {
        get { answering.withLock { $0 } }
        set { answering.withLock { $0 = newValue } }
    }

    /// All requests so far, unmodified.
    var requests: [HTTPRequest] { asked.withLock { $0 } }

    func start(_ request: HTTPRequest, receiver: any TransferReceiver) -> TransferID {
        asked.withLock { $0.append(request) }
        guard request.url.hasPrefix("https:") else { return inner.start(request, receiver: receiver) }
        var plain = request
        plain.url = request.url.replacing("https:", with: "http:")
        plain.namedBy = request.namedBy?.replacing("https:", with: "http:")
        plain.addressScope = .any
        return inner.start(plain, receiver: Receiver(receiver, source))
    }

    func cancel(_ id: TransferID) { inner.cancel(id) }

    private final class Receiver: TransferReceiver {
        private let inner: any TransferReceiver
        private let source: AddressClass?

        init(_ inner: any TransferReceiver, _ source: AddressClass?) { (self.inner, self.source) = (inner, source) }

        func receivedHead(_ head: ResponseHead, of id: TransferID) -> BodyDecision {
            var proved = head
            proved.finalURL = head.finalURL.replacing("http:", with: "https:")
            proved.permanentURL = head.permanentURL?.replacing("http:", with: "https:")
            (proved.isProven, proved.source) = (true, source)
            return inner.receivedHead(proved, of: id)
        }

        func receivedBody(_ bytes: UnsafeRawBufferPointer, of id: TransferID) -> BodyDecision {
            inner.receivedBody(bytes, of: id)
        }

        func finished(_ outcome: TransferOutcome, of id: TransferID) { inner.finished(outcome, of: id) }
    }
}
