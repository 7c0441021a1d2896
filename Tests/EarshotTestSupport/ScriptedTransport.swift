// SPDX-License-Identifier: GPL-3.0-or-later
import Dispatch
public import HTTPTransfer
import Synchronization

/// A transport that answers each request by the next entry of a script, on a thread of its own.
public final class ScriptedTransport: HTTPTransport {
    public enum Step: Sendable {
        case head(ResponseHead)
        case body([UInt8])
        /// Nothing more comes until `release`.
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
        var cancelled: Set<TransferID> = []
        var held: [Exchange] = []
    }

    private let state: Mutex<State>
    private let thread = DispatchQueue(label: "scripted transport")

    /// Behind the last answer nobody is there: connections fail.
    public init(_ answers: [Answer]) { state = Mutex(State(answers: answers[...])) }

    /// What was asked so far, in order.
    public var requests: [HTTPRequest] { state.withLock { $0.requests } }

    /// Lets every held exchange go on.
    public func release() {
        let held = state.withLock { state in
            defer { state.held = [] }
            return state.held
        }
        for exchange in held { thread.async { self.play(exchange) } }
    }

    public func start(_ request: HTTPRequest, receiver: any TransferReceiver) -> TransferID {
        let exchange = state.withLock { state -> Exchange in
            state.requests.append(request)
            let nobody = Step.end(.failed(.cannotConnect(host: "script", reason: "it is over")))
            let steps = state.answers.popFirst()?(request) ?? [nobody]
            let id = TransferID(UInt64(state.requests.count))
            return Exchange(id: id, receiver: receiver, steps: steps[...])
        }
        thread.async { self.play(exchange) }
        return exchange.id
    }

    public func cancel(_ id: TransferID) {
        let held = state.withLock { state -> Exchange? in
            state.cancelled.insert(id)
            return state.held.firstIndex { $0.id == id }.map { state.held.remove(at: $0) }
        }
        if let held { thread.async { self.play(held) } }
    }

    private func play(_ start: Exchange) {
        var exchange = start
        while let step = exchange.steps.popFirst() {
            if state.withLock({ $0.cancelled.contains(exchange.id) }) {
                return exchange.receiver.finished(.cancelled, of: exchange.id)
            }
            switch step {
            case .hold: return state.withLock { $0.held.append(exchange) }
            case .end(let outcome): return exchange.receiver.finished(outcome, of: exchange.id)
            case .head, .body:
                if deliver(step, exchange) == .refuse {
                    return exchange.receiver.finished(.refused, of: exchange.id)
                }
            }
        }
        exchange.receiver.finished(.complete, of: exchange.id)
    }

    private func deliver(_ step: Step, _ exchange: Exchange) -> BodyDecision {
        switch step {
        case .head(let head): exchange.receiver.receivedHead(head, of: exchange.id)
        case .body(let bytes): bytes.withUnsafeBytes { exchange.receiver.receivedBody($0, of: exchange.id) }
        case .hold, .end: .accept
        }
    }
}

// MARK: Servers in one line
extension ScriptedTransport {
    /// A stock server: honours Range and If-Range, and breaks the connection behind `cut` bytes of body.
    public static func serve(
        _ content: [UInt8], etag: String? = "\"1\"", type: String = "audio/mpeg", cut: Int? = nil,
        ranges: Bool = true, length: Bool = true, chunk: Int = 16384
    ) -> Answer {
        { request in
            var fields: HeaderFields = ["content-type": type]
            if let etag { fields.append("etag", etag) }
            let first = Int(request.range ?? 0)
            let isPart = ranges && request.range != nil && (request.ifRange == nil || request.ifRange == etag)
            let start = isPart ? min(first, content.count) : 0
            let end = isPart ? min(Int(request.rangeEnd ?? .max), content.count) : content.count
            if isPart { fields.append("content-range", "bytes \(start)-\(end - 1)/\(content.count)") }
            if length { fields.append("content-length", "\(end - start)") }
            let head = ResponseHead(status: isPart ? 206 : 200, fields: fields, finalURL: request.url)
            let body = content[start..<end].prefix(cut ?? .max)
            let error = TransferError.brokenOff(received: Int64(body.count), reason: "cut")
            let isCut = cut != nil && body.count < end - start
            return [.head(head)] + chunks(body, chunk) + [.end(isCut && length ? .failed(error) : .complete)]
        }
    }

    /// A bare answer of `status`.
    public static func status(_ status: Int, _ fields: HeaderFields = [:], body: [UInt8] = []) -> Answer {
        { request in
            [.head(ResponseHead(status: status, fields: fields, finalURL: request.url))] + chunks(body[...], 16384)
        }
    }

    public static func chunks(_ bytes: ArraySlice<UInt8>, _ size: Int) -> [Step] {
        stride(from: bytes.startIndex, to: bytes.endIndex, by: size).map { start in
            .body(Array(bytes[start..<min(start + size, bytes.endIndex)]))
        }
    }
}
