// SPDX-License-Identifier: GPL-3.0-or-later
import EarshotTestSupport
@testable import HTTPTransfer
import Logging
import Synchronization

/// Records the calls of a transfer; can refuse the head or the body.
final class CapturingReceiver: TransferReceiver {
    enum Call: Equatable { case head, body, finished }

    struct Record {
        var head: ResponseHead?
        var body: [UInt8] = []
        var calls: [Call] = []
        var ids: Set<TransferID> = []
        var outcome: TransferOutcome?
        fileprivate var waiting: [CheckedContinuation<Record, Never>] = []

        /// The calls, with repetitions of `body` left out.
        var order: [Call] {
            calls.reduce(into: []) { if $0.last != .body || $1 != .body { $0.append($1) } }
        }
    }

    private let record = Mutex(Record())
    private let acceptsHead: Bool
    private let bodyLimit: Int
    /// A closure that receives the number of body bytes so far.
    private let onBody: @Sendable (Int, TransferID) -> Void

    init(
        acceptsHead: Bool = true, bodyLimit: Int = .max,
        onBody: @escaping @Sendable (Int, TransferID) -> Void = { _, _ in }
    ) {
        self.acceptsHead = acceptsHead
        self.bodyLimit = bodyLimit
        self.onBody = onBody
    }

    func receivedHead(_ head: ResponseHead, of id: TransferID) -> BodyDecision {
        record.withLock { record in
            record.head = head
            record.calls.append(.head)
            record.ids.insert(id)
        }
        return acceptsHead ? .accept : .refuse
    }

    func receivedBody(_ bytes: UnsafeRawBufferPointer, of id: TransferID) -> BodyDecision {
        let count = record.withLock { record in
            record.body += bytes
            record.calls.append(.body)
            record.ids.insert(id)
            return record.body.count
        }
        onBody(count, id)
        return count > bodyLimit ? .refuse : .accept
    }

    func finished(_ outcome: TransferOutcome, of id: TransferID) {
        let (record, waiting) = record.withLock { record in
            record.outcome = outcome
            record.calls.append(.finished)
            record.ids.insert(id)
            defer { record.waiting = [] }
            return (record, record.waiting)
        }
        for continuation in waiting { continuation.resume(returning: record) }
    }

    /// The record once the transfer has finished.
    var result: Record {
        get async {
            await withCheckedContinuation { continuation in
                let done: Record? = record.withLock { record in
                    if record.outcome == nil { record.waiting.append(continuation) }
                    return record.outcome == nil ? nil : record
                }
                if let done { continuation.resume(returning: done) }
            }
        }
    }
}

extension CurlTransport {
    /// Returns a transport with the given limits; tests without faults never wait for them.
    ///
    /// - Parameter strangers: The loopback addresses that are classified as public.
    static func quick(
        limits: TransferLimits = TransferLimits(), proxies: [String: String] = [:], strangers: [LoopbackHost] = [],
        certificates: String? = nil,
        logger: Logger = Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }
    ) -> CurlTransport {
        let foreign = strangers.compactMap { IPAddress(text: $0.rawValue) }
        let settings = CurlSettings(
            userAgent: "Earshot/9.9", limits: limits, proxies: ProxyChoice(variables: proxies),
            classify: { foreign.contains($0) ? .public : AddressClass($0) }, certificates: certificates)
        return CurlTransport(settings: settings, logger: logger)
    }

    func fetch(
        _ request: HTTPRequest, _ receiver: CapturingReceiver = CapturingReceiver()
    ) async -> CapturingReceiver.Record {
        start(request, receiver: receiver)
        return await receiver.result
    }

    func fetch(_ url: String) async -> CapturingReceiver.Record {
        await fetch(HTTPRequest(url: url))
    }
}

/// Returns up to a megabyte of bytes that differ at nearby offsets, so that a misplaced piece is noticed.
func pattern(_ count: Int) -> [UInt8] {
    Array(longPattern[..<count])
}

private let longPattern: [UInt8] = (0..<1 << 20).map { UInt8(truncatingIfNeeded: $0 &* 31 &+ $0 >> 8 &* 7) }
