// SPDX-License-Identifier: GPL-3.0-or-later
import ControlProtocol
import Glibc
import Media

/// The bytes of a client's connection.
struct ControlStream: Sendable {
    typealias Failure = ControlConnection.Failure

    let socket: FileDescriptor

    init(to folder: RuntimeFolder) throws(Failure) {
        do throws(SystemError) { socket = try FileDescriptor.unixSocket() } catch { throw .system(error) }
        let address = UnixAddress(ControlListener.name, in: folder)
        guard address.withPointer({ connect(socket.number, $0, $1) }) == 0 else {
            switch errno {
            case ENOENT, ECONNREFUSED: throw .notRunning
            // The queue of new clients is full.
            case EAGAIN: throw .timedOut
            default: throw .system(SystemError("connect"))
            }
        }
        guard let peer = socket.peer, peer == geteuid() || peer == 0 else { throw .foreign }
    }

    /// Returns the received bytes as soon as there are any.
    func receive(until deadline: Duration?) throws(Failure) -> [UInt8] {
        while true {
            if let bytes = try receiveNow() { return bytes }
            try wait(for: POLLIN, until: deadline)
        }
    }

    /// Returns the bytes that have arrived; `nil` if there are none.
    func receiveNow() throws(Failure) -> [UInt8]? {
        var bytes = [UInt8](repeating: 0, count: 64 * 1024)
        let count = recv(socket.number, &bytes, bytes.count, 0)
        if count > 0 { return Array(bytes[..<count]) }
        if count < 0, errno == EAGAIN || errno == EINTR { return nil }
        throw count == 0 || errno == ECONNRESET ? .closed : .system(SystemError("recv"))
    }

    func send(_ bytes: [UInt8], until deadline: Duration?) throws(Failure) {
        var rest = bytes[...]
        while !rest.isEmpty {
            let count = try sendNow(rest)
            rest = rest.dropFirst(count)
            if count == 0 { try wait(for: POLLOUT, until: deadline) }
        }
    }

    /// Sends what the connection can take immediately.
    /// - Returns: the number of bytes; 0 if it can take none.
    func sendNow(_ bytes: ArraySlice<UInt8>) throws(Failure) -> Int {
        let count = bytes.withUnsafeBytes {
            Glibc.send(socket.number, $0.baseAddress, $0.count, CInt(MSG_NOSIGNAL))
        }
        if count >= 0 { return count }
        if errno == EAGAIN || errno == EINTR { return 0 }
        throw errno == EPIPE || errno == ECONNRESET ? .closed : .system(SystemError("send"))
    }

    private func wait(for event: CInt, until deadline: Duration?) throws(Failure) {
        var milliseconds: CInt = -1
        if let deadline {
            let left = deadline - MonotonicTime.now
            guard left > .zero else { throw .timedOut }
            milliseconds = CInt(clamping: Int64((left + .milliseconds(1)) / .milliseconds(1)))
        }
        var entry = pollfd(fd: socket.number, events: Int16(event), revents: 0)
        if poll(&entry, 1, milliseconds) < 0, errno != EINTR { throw .system(SystemError("poll")) }
    }
}
