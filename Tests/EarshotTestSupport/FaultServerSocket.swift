// SPDX-License-Identifier: GPL-3.0-or-later
import Glibc

/// The server's end of one TCP connection, blocking. The owner closes it.
struct FaultSocket {
    let descriptor: CInt

    init(_ descriptor: CInt) {
        self.descriptor = descriptor
        var one: CInt = 1
        setsockopt(descriptor, CInt(IPPROTO_TCP), TCP_NODELAY, &one, socklen_t(MemoryLayout<CInt>.size))
    }

    /// Returns the next request head, and keeps the bytes after it in `held`; `nil` if the client has disconnected.
    func readHead(_ held: inout [UInt8]) -> String? {
        let blank = Array("\r\n\r\n".utf8)
        while true {
            if let end = held.indices.first(where: { held[$0...].starts(with: blank) }) {
                defer { held.removeFirst(end + blank.count) }
                return String(decoding: held[..<end], as: UTF8.self)
            }
            var buffer = [UInt8](repeating: 0, count: 8192)
            let count = recv(descriptor, &buffer, buffer.count, 0)
            guard count > 0 else { return nil }
            held += buffer[..<count]
            guard let first = held.first, UInt8(ascii: "A")...UInt8(ascii: "Z") ~= first else {
                // Not HTTP, probably TLS: stock servers send this answer.
                _ = send(Array("HTTP/1.1 400 Bad Request\r\nConnection: close\r\n\r\n".utf8))
                return nil
            }
        }
    }

    /// - Returns: false if the client has disconnected.
    func send(_ bytes: some Collection<UInt8>) -> Bool {
        let sent: Bool? = bytes.withContiguousStorageIfAvailable { buffer in
            var done = 0
            while done < buffer.count {
                let rest = UnsafeRawBufferPointer(rebasing: UnsafeRawBufferPointer(buffer)[done...])
                let count = Glibc.send(descriptor, rest.baseAddress, rest.count, CInt(MSG_NOSIGNAL))
                guard count > 0 else { return false }
                done += count
            }
            return true
        }
        return sent ?? send(Array(bytes))
    }

    /// Sends bytes at a rate, a tenth of a second at a time.
    func send(_ bytes: [UInt8], rate: Int?) -> Bool {
        guard let rate else { return send(bytes) }
        var rest = bytes[...]
        while !rest.isEmpty {
            let piece = rest.prefix(max(1, rate / 10))
            guard send(piece), pause(.milliseconds(100)) else { return false }
            rest = rest.dropFirst(piece.count)
        }
        return true
    }

    /// Waits; `nil` waits for ever.
    /// - Returns: false if the client disconnected, which ends the wait.
    func pause(_ time: Duration?) -> Bool {
        guard time != .zero else { return true }
        var entry = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
        let limit: CInt =
            if let time {
                CInt(clamping: time.components.seconds * 1000 + time.components.attoseconds / 1_000_000_000_000_000)
            } else {
                -1
            }
        return poll(&entry, 1, max(limit, -1)) == 0
    }

    /// Returns true if the client has closed its end; does not block.
    static func isLeft(_ descriptor: CInt) -> Bool {
        var byte: UInt8 = 0
        let count = recv(descriptor, &byte, 1, CInt(MSG_PEEK | MSG_DONTWAIT))
        return count == 0 || count < 0 && errno != EAGAIN
    }

    /// Makes the next close a reset, after the client's kernel has received all bytes.
    func prepareReset() {
        var unsent: CInt = 0
        var tries = 0
        while ioctl(descriptor, UInt(TIOCOUTQ), &unsent) == 0, unsent > 0, tries < 10_000 * TimeLimit.factor {
            usleep(1000)
            tries += 1
        }
        var option = linger(l_onoff: 1, l_linger: 0)
        setsockopt(descriptor, SOL_SOCKET, SO_LINGER, &option, socklen_t(MemoryLayout<linger>.size))
    }
}
