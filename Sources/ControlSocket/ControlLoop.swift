// SPDX-License-Identifier: GPL-3.0-or-later
import ControlProtocol
import Glibc
import Media

/// The thread of the control socket: moves bytes between the clients and the hub, and never waits for one client.
struct ControlLoop {
    private struct Connection {
        let id: ClientID
        let socket: FileDescriptor
        /// True after a send that the client could not take.
        var isFull = false
        /// True after the client closed the connection: unsent bytes are discarded.
        var isGone = false
    }

    private static let chunk = 16 * 1024
    /// The pause of accepting after the system ran out of descriptors.
    private static let acceptPause = Duration.seconds(1)

    private var keeper: SocketKeeper
    private let mailbox: ControlServer.Mailbox
    private let receive: @Sendable (ControlInput) -> Void
    private var hub: ControlHub
    private var connections: [Connection] = []
    private var acceptsAgainAt: Duration?
    private var entries: [pollfd] = []

    init(
        _ listener: ControlListener, _ hub: ControlHub, _ mailbox: ControlServer.Mailbox,
        _ receive: @escaping @Sendable (ControlInput) -> Void
    ) {
        (self.hub, self.mailbox, self.receive) = (hub, mailbox, receive)
        keeper = SocketKeeper(listener, at: .now)
    }

    /// Runs until the order to stop.
    mutating func run() {
        var isRunning = true
        while isRunning {
            isRunning = executeOrders()
            for index in connections.indices { send(to: index) }
            closeFinished()
            for input in hub.takeInputs() { receive(input) }
            if isRunning { wait() }
        }
    }

    /// - Returns: false if the loop must end.
    private mutating func executeOrders() -> Bool {
        var isWanted = true
        for order in mailbox.removeAll() {
            switch order {
            case .publish(let event): hub.publish(event)
            case .reply(let result, let ticket): hub.reply(result, to: ticket, at: .now)
            case .deliver(let state, let ticket): hub.deliver(state, to: ticket, at: .now)
            case .stop: isWanted = false
            }
        }
        return isWanted
    }

    private mutating func closeFinished() {
        let stalled = hub.deadline.map { $0 <= .now } ?? false ? hub.stalled(at: .now) : []
        for id in stalled { hub.disconnect(id) }
        for connection in connections where hub.isFinished(connection.id) { hub.disconnect(connection.id) }
        connections.removeAll { hub.isFinished($0.id) }
    }
}

// MARK: Waiting
extension ControlLoop {
    private mutating func wait() {
        entries.removeAll(keepingCapacity: true)
        entries.append(pollfd(fd: mailbox.wake.descriptor, events: Int16(POLLIN), revents: 0))
        let accepts = acceptsAgainAt.map { $0 <= .now } ?? true
        if accepts { acceptsAgainAt = nil }
        entries.append(pollfd(fd: accepts ? keeper.listener.socket.number : -1, events: Int16(POLLIN), revents: 0))
        entries.append(pollfd(fd: keeper.descriptor, events: Int16(POLLIN), revents: 0))
        entries += connections.map(entry)
        let count = poll(&entries, nfds_t(entries.count), timeout)
        if keeper.deadline.map({ $0 <= .now }) ?? false || count > 0 && entries[2].revents != 0 { keepSocket() }
        guard count > 0 else { return }
        if entries[0].revents != 0 { mailbox.wake.clear() }
        for index in connections.indices where entries[index + 3].revents != 0 {
            handle(entries[index + 3].revents, of: index)
        }
        if entries[1].revents != 0 { acceptClients() }
    }

    /// A client that is gone is polled only for its last requests: the system would report its end again and again.
    private func entry(_ connection: Connection) -> pollfd {
        let reads = hub.wantsInput(connection.id)
        let events = (reads ? POLLIN : 0) | (connection.isFull ? POLLOUT : 0)
        let isIgnored = connection.isGone && !reads
        return pollfd(fd: isIgnored ? -1 : connection.socket.number, events: Int16(events), revents: 0)
    }

    /// The time to the next deadline in milliseconds, rounded up; -1 if there is none.
    private var timeout: CInt {
        guard let deadline = [hub.deadline, acceptsAgainAt, keeper.deadline].compactMap({ $0 }).min() else { return -1 }
        let left = max(deadline - .now, .zero) + .milliseconds(1)
        return CInt(clamping: Int64(left / .milliseconds(1)))
    }

    private mutating func keepSocket() {
        do throws(ControlListener.Failure) { try keeper.look(at: .now) } catch { receive(.ownershipLost) }
    }

    private mutating func handle(_ events: Int16, of index: Int) {
        if events & Int16(POLLOUT) != 0 { connections[index].isFull = false }
        if events & Int16(POLLIN) != 0 { return read(from: index) }
        if events & Int16(POLLHUP | POLLERR | POLLNVAL) != 0 { hangUp(index) }
    }

    private mutating func hangUp(_ index: Int) {
        (connections[index].isGone, connections[index].isFull) = (true, false)
        hub.hangUp(connections[index].id)
    }
}

// MARK: Bytes
extension ControlLoop {
    private mutating func read(from index: Int) {
        let (id, socket) = (connections[index].id, connections[index].socket)
        withUnsafeTemporaryAllocation(byteCount: Self.chunk, alignment: 1) { buffer in
            let count = recv(socket.number, buffer.baseAddress, buffer.count, 0)
            if count > 0 { return hub.receive(UnsafeRawBufferPointer(rebasing: buffer[..<count]), from: id, at: .now) }
            if count < 0, errno == EAGAIN || errno == EINTR { return }
            if count < 0 { hangUp(index) }
            hub.endInput(of: id, at: .now)
        }
    }

    /// Sends until the client can take no more: sent replies may allow further requests, which have replies as well.
    private mutating func send(to index: Int) {
        while !connections[index].isFull, hub.hasOutput(connections[index].id) { sendOnce(to: index) }
    }

    private mutating func sendOnce(to index: Int) {
        let connection = connections[index]
        var failed = false
        var isFull = false
        hub.send(to: connection.id, at: .now) { bytes in
            guard !connection.isGone, !failed else { return bytes.count }
            let count = Glibc.send(connection.socket.number, bytes.baseAddress, bytes.count, CInt(MSG_NOSIGNAL))
            if count < 0, errno != EAGAIN, errno != EINTR {
                failed = true
                return bytes.count
            }
            isFull = count < bytes.count
            return max(0, count)
        }
        connections[index].isFull = isFull
        if failed { hangUp(index) }
    }
}

// MARK: New clients
extension ControlLoop {
    private mutating func acceptClients() {
        while true {
            let number = accept(keeper.listener.socket.number, nil, nil)
            guard number >= 0 else {
                // Another client remains in the queue, which the system would report again immediately.
                if ![EAGAIN, EINTR, ECONNABORTED].contains(errno) { acceptsAgainAt = .now + Self.acceptPause }
                return
            }
            guard let socket = try? FileDescriptor(owning: number) else { return }
            _ = fcntl(number, F_SETFL, O_NONBLOCK)
            _ = fcntl(number, F_SETFD, FD_CLOEXEC)
            admit(socket)
        }
    }

    /// Adds a client of the same user or of root.
    private mutating func admit(_ socket: FileDescriptor) {
        guard let peer = socket.peer, peer == geteuid() || peer == 0 else { return }
        guard hub.acceptsClients else {
            let line = ControlHub.refusal
            _ = line.withUnsafeBytes { Glibc.send(socket.number, $0.baseAddress, $0.count, CInt(MSG_NOSIGNAL)) }
            return
        }
        connections.append(Connection(id: hub.connect(), socket: socket))
    }
}

extension Duration {
    /// The present time of `MonotonicTime`.
    fileprivate static var now: Duration { MonotonicTime.now }
}
