// SPDX-License-Identifier: GPL-3.0-or-later
import HTTPTransfer
import Media
import Synchronization

/// A fetcher of small documents that feeds link to. `HTTPRequest.longestBody` limits their size.
struct DocumentFetcher: Sendable {
    struct Document: Sendable {
        let bytes: [UInt8]
        let head: ResponseHead
    }

    let transport: any HTTPTransport
    /// The time after which a document that has not arrived fails.
    let timeout: Duration

    func fetch(_ request: HTTPRequest) async throws(MediaFailure) -> Document {
        let transfer = RunningTransfer(transport)
        let timer = Task { [timeout] in
            guard (try? await Task.sleep(for: timeout)) != nil else { return }
            transfer.cancel()
        }
        defer { timer.cancel() }
        let result = await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                transfer.start(request, DocumentReceiver(timeout) { continuation.resume(returning: $0) })
            }
        } onCancel: {
            transfer.cancel()
        }
        return try result.get()
    }
}

/// One transfer that can be cancelled before it has started.
private final class RunningTransfer: Sendable {
    private let transport: any HTTPTransport
    private let state = Mutex<(id: TransferID?, isCancelled: Bool)>((nil, false))

    init(_ transport: any HTTPTransport) { self.transport = transport }

    func start(_ request: HTTPRequest, _ receiver: DocumentReceiver) {
        let id = transport.start(request, receiver: receiver)
        let isCancelled = state.withLock { state in
            state.id = id
            return state.isCancelled
        }
        if isCancelled { transport.cancel(id) }
    }

    func cancel() {
        let id = state.withLock { state in
            state.isCancelled = true
            return state.id
        }
        if let id { transport.cancel(id) }
    }
}

/// A receiver that collects a document.
///
/// `@unchecked Sendable`: everything except the call of `init` happens on the transport's thread.
private final class DocumentReceiver: TransferReceiver, @unchecked Sendable {
    private let timeout: Duration
    private let deliver: @Sendable (Result<DocumentFetcher.Document, MediaFailure>) -> Void
    private var bytes: [UInt8] = []
    private var head: ResponseHead?
    private var failure: MediaFailure?

    init(
        _ timeout: Duration, deliver: @escaping @Sendable (Result<DocumentFetcher.Document, MediaFailure>) -> Void
    ) {
        (self.timeout, self.deliver) = (timeout, deliver)
    }

    func receivedHead(_ head: ResponseHead, of id: TransferID) -> BodyDecision {
        self.head = head
        failure = Self.failure(head)
        return failure == nil ? .accept : .refuse
    }

    func receivedBody(_ bytes: UnsafeRawBufferPointer, of id: TransferID) -> BodyDecision {
        self.bytes += bytes
        return .accept
    }

    func finished(_ outcome: TransferOutcome, of id: TransferID) {
        deliver(result(outcome))
    }

    private func result(_ outcome: TransferOutcome) -> Result<DocumentFetcher.Document, MediaFailure> {
        if let failure { return .failure(failure) }
        switch outcome {
        case .failed(let error): return .failure(error.mediaFailure)
        case .refused, .cancelled:
            let seconds = timeout.components.seconds
            return .failure(MediaFailure(.unavailable, "timeout: it did not arrive within \(seconds) seconds"))
        case .complete: break
        }
        guard let head else { return .failure(MediaFailure(.badProtocol, "the server sent nothing")) }
        return .success(DocumentFetcher.Document(bytes: bytes, head: head))
    }

    /// Returns the reason why the response is not the whole document.
    private static func failure(_ head: ResponseHead) -> MediaFailure? {
        switch RangeVerdict.judge(head, requested: 0, expecting: .feed) {
        case .append: head.status == 200 ? nil : partial
        case .reject(let rejection): rejection.mediaFailure
        case .retry(_, let failure): failure
        case .restart, .alreadyComplete, .changed: partial
        }
    }

    private static let partial = MediaFailure(.badProtocol, "the server sent only part of the document")
}
