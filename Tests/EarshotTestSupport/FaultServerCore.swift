// SPDX-License-Identifier: GPL-3.0-or-later
import Glibc
import Media
import Synchronization

/// The part of `FaultServer` that its threads keep alive.
final class FaultServerCore: Sendable {
    struct State {
        var routes: [String: FaultServer.Handler] = [:]
        /// The number of requests so far for each path.
        var counts: [String: Int] = [:]
        var requests: [FaultRequest] = []
        var open: Set<CInt> = []
        /// Connections with a request whose answer has more bytes to send.
        var answering: Set<CInt> = []
        var mostAtOnce = 0
        var threads: [WorkerThread] = []
        var connections = 0
        var isStopped = false
    }

    let state = Mutex(State())
    private let listener: CInt
    private let start = ContinuousClock.now

    init(listener: CInt) {
        self.listener = listener
    }

    func run() {
        startThread { core in core.acceptAll() }
    }

    func stop() {
        let isFirst = state.withLock { state in
            defer { state.isStopped = true }
            for descriptor in state.open { shutdown(descriptor, CInt(SHUT_RDWR)) }
            return !state.isStopped
        }
        guard isFirst else { return }
        shutdown(listener, CInt(SHUT_RDWR))
        // The first pass joins the accepting thread, so no thread is added during the second pass.
        while true {
            let threads = state.withLock { state in
                defer { state.threads = [] }
                return state.threads
            }
            guard !threads.isEmpty else { break }
            for thread in threads { thread.join() }
        }
        close(listener)
    }
}

extension FaultServerCore {
    private func acceptAll() {
        while true {
            // A program that a test starts meanwhile must not keep the connection open.
            let descriptor = accept4?(listener, nil, nil, CInt(SOCK_CLOEXEC.rawValue)) ?? -1
            guard descriptor >= 0 else {
                if errno == EINTR || errno == ECONNABORTED { continue }
                return
            }
            guard let number = register(descriptor) else {
                close(descriptor)
                return
            }
            startThread { core in
                core.serve(FaultSocket(descriptor), connection: number)
                core.end(descriptor)
            }
        }
    }

    private func register(_ descriptor: CInt) -> Int? {
        state.withLock { state in
            guard !state.isStopped else { return nil }
            state.open.insert(descriptor)
            defer { state.connections += 1 }
            return state.connections
        }
    }

    /// Closes a connection. The lock ensures that `stop` never shuts down a descriptor that the system has already
    /// reused.
    private func end(_ descriptor: CInt) {
        state.withLock { state in
            state.open.remove(descriptor)
            state.answering.remove(descriptor)
            close(descriptor)
        }
    }

    private func serve(_ socket: FaultSocket, connection: Int) {
        var held: [UInt8] = []
        var trips = 2
        var place = 0
        while let head = socket.readHead(&held), var request = FaultRequest(head: head) {
            (request.connection, request.place, request.time) = (connection, place, ContinuousClock.now - start)
            place += 1
            let (script, index) = note(request, on: socket)
            guard !script.isMute, socket.pause(script.latency + script.roundTrip * trips) else { return }
            trips = 1
            let answer = FaultAnswer(script, to: request)
            let length: Int? = request.method == "HEAD" ? 0 : script.isEndless ? nil : answer.body.count
            state.withLock { state in
                state.requests[index].status = answer.status
                // A client that has read the end may send its next request before this thread continues.
                if length == 0 { state.answering.remove(socket.descriptor) }
            }
            guard socket.send(Array(answer.head.utf8), rate: script.headRate) else { return }
            let sender = FaultBodySender(socket, script) { count in
                self.state.withLock { state in
                    state.requests[index].bytesSent = count
                    if count == length { state.answering.remove(socket.descriptor) }
                }
            }
            let isSent = request.method == "HEAD" || sender.send(answer.body)
            guard isSent, !answer.endsConnection else { return }
        }
    }

    /// Logs the request and returns its script.
    private func note(_ request: FaultRequest, on socket: FaultSocket) -> (FaultScript, index: Int) {
        let (handler, count, index) = state.withLock { state in
            // The client may have left before this thread has read its request.
            state.answering = state.answering.union([socket.descriptor]).filter { !FaultSocket.isLeft($0) }
            state.mostAtOnce = max(state.mostAtOnce, state.answering.count)
            let count = state.counts[request.path, default: 0]
            state.counts[request.path] = count + 1
            state.requests.append(request)
            return (state.routes[request.path], count, state.requests.count - 1)
        }
        return (handler?(request, count) ?? .status(404), index)
    }
}

extension FaultServerCore {
    /// Starts a thread; `stop` joins it.
    private func startThread(_ run: @escaping @Sendable (FaultServerCore) -> Void) {
        guard let thread = WorkerThread.start({ run(self) }) else { return }
        state.withLock { $0.threads.append(thread) }
    }
}

/// accept4(2), which the headers hide from Swift; it accepts and sets the flag in one step.
private let accept4 = dlsym(nil, "accept4").map {
    unsafeBitCast(
        $0,
        to: (@convention(c) @Sendable (CInt, UnsafeMutableRawPointer?, UnsafeMutableRawPointer?, CInt) -> CInt).self)
}
