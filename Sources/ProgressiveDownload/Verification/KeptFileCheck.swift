// SPDX-License-Identifier: GPL-3.0-or-later
import Glibc
public import HTTPTransfer
public import Media
import Synchronization

/// Asks a server whether it has a newer version of a kept file.
public struct KeptFileCheck: Sendable {
    /// The result of a check.
    public enum Outcome: Sendable, Equatable {
        case unchanged
        case changed
        /// The server's version could not be determined; the kept file remains valid.
        case unknown(MediaFailure)
    }

    private let transport: any HTTPTransport
    private let timeout: Duration
    private let clock: any Clock<Duration>

    /// - Parameter timeout: The time that the listener waits for the answer.
    public init(
        transport: any HTTPTransport, timeout: Duration, clock: any Clock<Duration> = ContinuousClock()
    ) {
        self.transport = transport
        self.timeout = timeout
        self.clock = clock
    }

    /// - Parameter request: A request for the whole file.
    public func check(_ request: HTTPRequest, about location: DownloadLocation) async -> Outcome {
        let kept: KeptFile
        do throws(SystemError) {
            kept = try KeptFile(location)
        } catch {
            return .unknown(error.whileOpening)
        }
        var request = request
        request.conditions = kept.origin?.conditions ?? RequestConditions()
        let (started, transfer) = AsyncStream.makeStream(of: TransferID.self)
        let limit = Task { [transport, timeout, clock] in
            for await id in started {
                do { try await clock.sleep(for: timeout) } catch { return }
                transport.cancel(id)
            }
        }
        // Otherwise the task would keep the transport until the time is over.
        defer { limit.cancel() }
        return await withCheckedContinuation { continuation in
            let receiver = KeptFileReceiver(kept) { continuation.resume(returning: $0) }
            transfer.yield(transport.start(request, receiver: receiver))
            transfer.finish()
        }
    }
}

/// The file that the answer is compared with.
private struct KeptFile {
    let file: OpenFile
    let length: Int64
    let origin: DownloadOrigin?

    init(_ location: DownloadLocation) throws(SystemError) {
        file = try OpenFile(path: location.path, flags: O_RDONLY | O_NOFOLLOW | O_NONBLOCK)
        length = Int64(try file.status().st_size)
        origin = try DownloadOrigin.load(of: location)
    }
}

/// Reads as much of the answer as is necessary to decide.
///
/// `@unchecked Sendable`: everything except `init` runs on the transport's only thread.
private final class KeptFileReceiver: TransferReceiver, @unchecked Sendable {
    /// This many consecutive equal bytes cannot be a coincidence.
    private static let enough: Int64 = 4 << 20

    private let kept: KeptFile
    private let deliver: @Sendable (KeptFileCheck.Outcome) -> Void
    private var answer: KeptFileCheck.Outcome?
    private var firstBytes = FirstBytes()
    private var offset: Int64 = 0
    /// True if the audio differs; reported only once the bytes are known to be audio.
    private var differs = false

    init(_ kept: KeptFile, deliver: @escaping @Sendable (KeptFileCheck.Outcome) -> Void) {
        (self.kept, self.deliver) = (kept, deliver)
    }

    func receivedHead(_ head: ResponseHead, of id: TransferID) -> BodyDecision {
        if head.status == 304, kept.origin != nil { answer = .unchanged }
        guard answer == nil else { return .refuse }
        switch RangeVerdict.judge(head, requested: 0) {
        case .append where head.status == 200: judge(head)
        case .reject(let rejection): answer = .unknown(rejection.mediaFailure)
        case .retry(_, let reason): answer = .unknown(reason)
        case .append, .restart, .alreadyComplete, .changed:
            answer = .unknown(HTTPRejection.status(head.status).mediaFailure)
        }
        return answer == nil ? .accept : .refuse
    }

    private func judge(_ head: ResponseHead) {
        differs = head.contentLength.map { $0 != kept.length } ?? false
        guard !differs, let known = kept.origin?.conditions else { return }
        // A server that ignores conditions still sends its validators.
        if let tag = known.etag, let now = head.etag {
            if tag == now { answer = .unchanged }
        } else if let date = known.lastModified, date == head.lastModified, head.contentLength != nil {
            answer = .unchanged
        }
    }

    func receivedBody(_ bytes: UnsafeRawBufferPointer, of id: TransferID) -> BodyDecision {
        if let foreign = firstBytes.consume(bytes, at: offset) {
            answer = .unknown(foreign)
            return .refuse
        }
        compare(bytes)
        offset += Int64(bytes.count)
        // Before, the answer could still turn out to be the page of a captive portal.
        if differs, firstBytes.isSettled { answer = .changed }
        if !differs, offset >= Self.enough { answer = .unchanged }
        return answer == nil ? .accept : .refuse
    }

    private func compare(_ bytes: UnsafeRawBufferPointer) {
        guard !differs else { return }
        do throws(SystemError) {
            differs = try !kept.file.equals(bytes, at: offset)
        } catch {
            answer = .unknown(error.whileTransferring)
        }
    }

    func finished(_ outcome: TransferOutcome, of id: TransferID) { deliver(answer ?? end(outcome)) }

    private func end(_ outcome: TransferOutcome) -> KeptFileCheck.Outcome {
        switch outcome {
        case .complete where offset > 0 && !differs && offset == kept.length: .unchanged
        case .complete where offset > 0: firstBytes.faultAtEnd.map(KeptFileCheck.Outcome.unknown) ?? .changed
        case .complete: .unknown(MediaFailure(.badData, "the server sent an empty file"))
        case .failed(let error): .unknown(error.mediaFailure)
        case .refused, .cancelled: .unknown(MediaFailure(.temporary, "the server did not answer in time"))
        }
    }
}
