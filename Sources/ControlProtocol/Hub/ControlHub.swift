// SPDX-License-Identifier: GPL-3.0-or-later
public import Media

/// The connections of the owner as a pure value: bytes and events in, bytes and inputs for the owner out.
public struct ControlHub: Sendable {
    /// The most clients.
    public static let mostClients = 64
    /// The time after which a client with a full outbox is closed unless it reads.
    static let readTimeout = Duration.seconds(60)

    private let hello: Hello
    private var clients: [ClientID: ClientState] = [:]
    private var lastClient = 0
    private var sequence: Int64 = 0
    private var inputs: [ControlInput] = []
    private var ticks: Duration?

    public init(hello: Hello) { self.hello = hello }

    public var acceptsClients: Bool { clients.count < Self.mostClients }

    /// The line for a client beyond `mostClients`.
    public static let refusal = ServerLine.response(
        id: nil, .failure(ControlError("too many clients", kind: "unavailable", status: 69))
    ).bytes

    /// Adds a client and greets it.
    public mutating func connect() -> ClientID {
        lastClient += 1
        let id = ClientID(number: lastClient)
        var client = ClientState()
        client.outbox.append(reply: ServerLine.hello(hello.addressed(to: id.name)).bytes)
        clients[id] = client
        inputs.append(.clientCount(clients.count))
        return id
    }

    /// Removes a client; replies to it are ignored from now on.
    public mutating func disconnect(_ id: ClientID) {
        guard clients.removeValue(forKey: id) != nil else { return }
        inputs.append(.clientCount(clients.count))
        updateTicks()
    }

    /// Removes and returns the inputs for the owner, in order.
    public mutating func takeInputs() -> [ControlInput] {
        defer { inputs = [] }
        return inputs
    }

    private mutating func updateTicks() {
        let wanted = clients.values.compactMap { $0.hasHungUp ? nil : $0.subscription?.ticks }.min()
        guard wanted != ticks else { return }
        ticks = wanted
        inputs.append(.ticksWanted(every: wanted))
    }
}

// MARK: Bytes
extension ControlHub {
    public func wantsInput(_ id: ClientID) -> Bool { clients[id]?.wantsInput ?? false }

    /// True if `send` should be called as soon as the client can take bytes.
    public func hasOutput(_ id: ClientID) -> Bool {
        guard let client = clients[id] else { return false }
        return !client.outbox.isEmpty || client.needsSnapshot
    }

    /// True if the connection can be closed.
    public func isFinished(_ id: ClientID) -> Bool { clients[id]?.isFinished ?? true }

    /// Accepts bytes of a client that wants input.
    public mutating func receive(_ bytes: some Sequence<UInt8>, from id: ClientID, at now: Duration) {
        guard let lines = clients[id]?.splitter.consume(bytes) else { return }
        clients[id]?.lines += lines
        handleLines(of: id, at: now)
    }

    /// Accepts the end of a client's requests. An incomplete last line counts.
    public mutating func endInput(of id: ClientID, at now: Duration) {
        if let line = clients[id]?.splitter.finish() { clients[id]?.lines.append(line) }
        clients[id]?.inputHasEnded = true
        handleLines(of: id, at: now)
    }

    /// Accepts that nothing can be sent to a client any more. Its requests are still executed.
    public mutating func hangUp(_ id: ClientID) {
        clients[id]?.hasHungUp = true
        updateTicks()
    }

    /// Sends unsent bytes of a client in order.
    /// - Parameter send: returns the number of bytes sent; fewer than it was given if the client cannot take more.
    public mutating func send(
        to id: ClientID, at now: Duration, _ send: (UnsafeRawBufferPointer) -> Int
    ) {
        while let line = clients[id]?.outbox.next {
            let count = line.withUnsafeBytes(send)
            clients[id]?.outbox.remove(count)
            if count > 0 { clients[id]?.fullSince = nil }
            guard count == line.count else { break }
        }
        clients[id]?.updateFullSince(now)
        requestSnapshotAfterGap(for: id)
        handleLines(of: id, at: now)
    }

    /// The time at which `stalled` should be looked at; `nil` while every client reads.
    public var deadline: Duration? { clients.values.compactMap(\.fullSince).min().map { $0 + Self.readTimeout } }

    /// Returns the clients that have not read for a minute although they have many replies.
    public func stalled(at now: Duration) -> [ClientID] {
        clients.filter { _, client in client.fullSince.map { now - $0 >= Self.readTimeout } ?? false }.map(\.key)
    }
}

// MARK: Requests
extension ControlHub {
    /// Handles received lines until the client must first read or get replies.
    private mutating func handleLines(of id: ClientID, at now: Duration) {
        while clients[id]?.isBlocked == false, let line = clients[id]?.lines.popFirst() {
            handle(ClientLine(line), from: id, at: now)
        }
        if clients[id]?.lines.isEmpty ?? false { clients[id]?.lines = [] }
    }

    private mutating func handle(_ line: ClientLine, from id: ClientID, at now: Duration) {
        switch line {
        case .blank: break
        case .invalid(let request, let error): send(.response(id: request, .failure(error)), to: id, at: now)
        case .command(let text):
            clients[id]?.unanswered += 1
            inputs.append(.command(text, ReplyTicket(client: id, form: .answer(text))))
        case .request(let request, let name, let parameters):
            clients[id]?.unanswered += 1
            let ticket = ReplyTicket(client: id, form: request.map { .response($0) } ?? .none)
            guard let method = MethodName(rawValue: name) else {
                return finish(ticket, .failure(.unknownMethod(name)), at: now)
            }
            if let problem = method.description.parameters.problem(parameters) {
                return finish(ticket, .failure(.invalidParameters(problem)), at: now)
            }
            handle(ControlRequest(ticket: ticket, method: method, parameters: .init(object: parameters)), at: now)
        }
    }

    private mutating func handle(_ request: ControlRequest, at now: Duration) {
        switch request.method {
        case .ping: finish(request.ticket, .success(.object([])), at: now)
        case .describe: finish(request.ticket, .success(ProtocolDocument.description), at: now)
        case .subscribe:
            let subscription = EventSubscription(request.parameters)
            let count = clients[request.ticket.client]?.unsubscriptions ?? 0
            inputs.append(
                .snapshotWanted(
                    SnapshotTicket(
                        client: request.ticket.client,
                        purpose: .subscription(subscription, request.ticket, unsubscriptions: count),
                        topics: subscription.topics)))
        case .unsubscribe:
            clients[request.ticket.client]?.unsubscriptions += 1
            clients[request.ticket.client]?.subscription = nil
            updateTicks()
            finish(request.ticket, .success(.object([])), at: now)
        default: inputs.append(.request(request))
        }
    }

    private mutating func finish(_ ticket: ReplyTicket, _ result: Result<JSONValue, ControlError>, at now: Duration) {
        guard clients[ticket.client] != nil else { return }
        clients[ticket.client]?.unanswered -= 1
        switch (ticket.form, result) {
        case (.none, _): break
        case (.response(let id), _): send(.response(id: id, result), to: ticket.client, at: now)
        case (.answer(let line), .success): send(.answer(command: line, problem: nil), to: ticket.client, at: now)
        case (.answer(let line), .failure(let error)):
            send(.answer(command: line, problem: error.message), to: ticket.client, at: now)
        }
    }

    private mutating func send(_ line: ServerLine, to id: ClientID, at now: Duration) {
        clients[id]?.outbox.append(reply: line.bytes)
        clients[id]?.updateFullSince(now)
    }
}

// MARK: The owner's side
extension ControlHub {
    /// Sends a reply; ignores it if the client is gone.
    public mutating func reply(
        _ result: Result<JSONValue, ControlError>, to ticket: ReplyTicket, at now: Duration
    ) {
        finish(ticket, result, at: now)
        handleLines(of: ticket.client, at: now)
    }

    /// Sends an event to every client that wants it.
    public mutating func publish(_ event: ControlEvent) {
        sequence += 1
        var line: [UInt8]?
        for id in Array(clients.keys) where clients[id]?.subscription?.accept(event) ?? false {
            let bytes = line ?? event.line(sequence: sequence).bytes
            line = bytes
            clients[id]?.outbox.append(event: bytes, key: event.coalescingKey)
        }
    }

    /// Sends a snapshot; ignores it if the client is gone.
    /// - Parameter state: the state of each topic, under the name of the topic.
    public mutating func deliver(_ state: [JSONValue.Member], to ticket: SnapshotTicket, at now: Duration) {
        guard let client = clients[ticket.client] else { return }
        clients[ticket.client]?.outbox.endGap()
        switch ticket.purpose {
        case .subscription(let subscription, let reply, let count):
            if client.unsubscriptions == count { clients[ticket.client]?.subscription = subscription }
            updateTicks()
            let result: [JSONValue.Member] = [.init("seq", .integer(sequence)), .init("snapshot", .object(state))]
            self.reply(.success(.object(result)), to: reply, at: now)
        case .gap:
            clients[ticket.client]?.awaitsSnapshot = false
            guard client.subscription != nil else { return }
            let event = ControlEvent(.gap, [.init("snapshot", .object(state))], at: now)
            send(event.line(sequence: sequence), to: ticket.client, at: now)
        }
    }

    /// Requests a snapshot from the owner if the client has read everything before a gap.
    private mutating func requestSnapshotAfterGap(for id: ClientID) {
        guard let client = clients[id], client.needsSnapshot, let topics = client.subscription?.topics else { return }
        clients[id]?.awaitsSnapshot = true
        inputs.append(.snapshotWanted(SnapshotTicket(client: id, purpose: .gap, topics: topics)))
    }
}

extension EventSubscription {
    /// Creates the subscription of a valid request.
    fileprivate init(_ parameters: ControlParameters) {
        let topics = parameters.texts("topics") ?? []
        self.init(
            topics: Set(topics.compactMap(Topic.init)),
            ticks: parameters.number("ticks").map { .milliseconds(Int64($0 * 1000)) })
    }
}
