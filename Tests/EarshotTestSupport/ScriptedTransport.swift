// SPDX-License-Identifier: GPL-3.0-or-later
import Dispatch
public import HTTPTransfer
import Synchronization

/// A transport that answers each request with the next entry of a script, on a separate thread. The same tests check
/// its contract and that of `CurlTransport`.
public final class ScriptedTransport: HTTPTransport {
    /// A step of an answer.
    public enum Step: Sendable {
        case head(ResponseHead)
        /// Body bytes; an empty array does not call the receiver.
        case body([UInt8])
        /// Pauses the exchange until `release`.
        case hold
        case end(TransferOutcome)
    }

    public typealias Answer = @Sendable (HTTPRequest) -> [Step]

    private struct Exchange: Sendable {
        let id: TransferID
        let receiver: any TransferReceiver
        var steps: ArraySlice<Step>
    }

    private struct State {
        var answers: ArraySlice<Answer>
        var requests: [HTTPRequest] = []
        /// Transfers that were started and have neither ended nor been cancelled.
        var wanted: Set<TransferID> = []
        var held: [Exchange] = []
    }

    private static let lastNumber = Atomic<UInt64>(0)

    private let state: Mutex<State>
    private let thread = DispatchQueue(label: "scripted transport")

    /// Creates a transport with these answers. After the last answer, connections fail.
    public init(_ answers: [Answer]) { state = Mutex(State(answers: answers[...])) }

    /// The requests so far, in order.
    public var requests: [HTTPRequest] { state.withLock { $0.requests } }

    /// Resumes every held exchange.
    /// - Returns: true if there was one.
    public func release() -> Bool {
        let held = state.withLock { state in
            defer { state.held = [] }
            return state.held
        }
        for exchange in held { thread.async { self.play(exchange) } }
        return !held.isEmpty
    }

    public func start(_ request: HTTPRequest, receiver: any TransferReceiver) -> TransferID {
        let exchange = state.withLock { state -> Exchange in
            state.requests.append(request)
            let nobody = Step.end(.failed(.cannotConnect(host: "script", reason: "the transport is closed")))
            let steps = state.answers.popFirst()?(request) ?? [nobody]
            let id = TransferID(Self.lastNumber.add(1, ordering: .relaxed).newValue)
            state.wanted.insert(id)
            return Exchange(id: id, receiver: receiver, steps: steps[...])
        }
        thread.async { self.play(exchange) }
        return exchange.id
    }

    public func cancel(_ id: TransferID) {
        let held = state.withLock { state -> Exchange? in
            state.wanted.remove(id)
            return state.held.firstIndex { $0.id == id }.map { state.held.remove(at: $0) }
        }
        if let held { thread.async { self.play(held) } }
    }

    private func play(_ start: Exchange) {
        var exchange = start
        while true {
            let step = exchange.steps.popFirst() ?? .end(.complete)
            guard state.withLock({ $0.wanted.contains(exchange.id) }) else { return end(exchange, .cancelled) }
            switch step {
            case .hold: if hold(exchange) { return }
            case .end(let outcome): return end(exchange, outcome)
            case .head, .body: if deliver(step, exchange) == .refuse { return end(exchange, .refused) }
            }
        }
    }

    /// - Returns: false if the exchange was cancelled in the meantime, so that no call would resume it.
    private func hold(_ exchange: Exchange) -> Bool {
        state.withLock { state in
            guard state.wanted.contains(exchange.id) else { return false }
            state.held.append(exchange)
            return true
        }
    }

    private func end(_ exchange: Exchange, _ outcome: TransferOutcome) {
        _ = state.withLock { $0.wanted.remove(exchange.id) }
        exchange.receiver.finished(outcome, of: exchange.id)
    }

    private func deliver(_ step: Step, _ exchange: Exchange) -> BodyDecision {
        switch step {
        case .head(let head): exchange.receiver.receivedHead(head, of: exchange.id)
        case .body(let bytes) where !bytes.isEmpty:
            bytes.withUnsafeBytes { exchange.receiver.receivedBody($0, of: exchange.id) }
        case .body, .hold, .end: .accept
        }
    }
}

// MARK: Common answers
extension ScriptedTransport {
    /// Returns the answer of a stock server, which honours Range and If-Range and closes the connection after `cut`
    /// bytes of the body.
    public static func serve(
        _ content: [UInt8], etag: String? = "\"1\"", modified: String? = nil, type: String = "audio/mpeg",
        cut: Int? = nil, ranges: Bool = true, length: Bool = true, chunk: Int = 16384
    ) -> Answer {
        { request in
            var fields: HeaderFields = ["content-type": type]
            if let etag { fields.append("etag", etag) }
            if let modified { fields.append("last-modified", modified) }
            let first = Int(request.range ?? 0)
            let isPart = ranges && request.range != nil && (request.ifRange == nil || request.ifRange == etag)
            if isPart && first >= content.count {
                return status(416, ["content-range": "bytes */\(content.count)"])(request)
            }
            let start = isPart ? first : 0
            let end = isPart ? min(Int(request.rangeEnd ?? .max), content.count) : content.count
            if isPart { fields.append("content-range", "bytes \(start)-\(end - 1)/\(content.count)") }
            if length { fields.append("content-length", "\(end - start)") }
            let head = ResponseHead(status: isPart ? 206 : 200, fields: fields, finalURL: request.url)
            let body = content[start..<end].prefix(cut ?? .max)
            let error = TransferError.closedEarly(received: Int64(body.count))
            let isCut = cut != nil && body.count < end - start
            return [.head(head)] + chunks(body, chunk) + [.end(isCut && length ? .failed(error) : .complete)]
        }
    }

    /// Returns an answer with only this status, these fields and this body.
    public static func status(_ status: Int, _ fields: HeaderFields = [:], body: [UInt8] = []) -> Answer {
        { request in
            [.head(ResponseHead(status: status, fields: fields, finalURL: request.url))] + chunks(body[...], 16384)
        }
    }

    /// Returns body steps of at most `size` bytes.
    public static func chunks(_ bytes: ArraySlice<UInt8>, _ size: Int) -> [Step] {
        stride(from: bytes.startIndex, to: bytes.endIndex, by: size).map { start in
            .body(Array(bytes[start..<min(start + size, bytes.endIndex)]))
        }
    }
}
