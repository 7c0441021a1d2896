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

    /// The next request head; bytes behind it stay in `held`. `nil` once the peer is gone.
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
                // No HTTP, probably TLS: answered as stock servers do.
                _ = send(Array("HTTP/1.1 400 Bad Request\r\nConnection: close\r\n\r\n".utf8))
                return nil
            }
        }
    }

    /// - Returns: false once the peer is gone.
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

    /// The same, a tenth of a second's worth at a time.
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

    /// Waits; `nil` is for ever.
    /// - Returns: false once the peer is gone, which ends the wait.
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

    /// Whether the peer has closed its end; looks and does not wait.
    static func isLeft(_ descriptor: CInt) -> Bool {
        var byte: UInt8 = 0
        let count = recv(descriptor, &byte, 1, CInt(MSG_PEEK | MSG_DONTWAIT))
        return count == 0 || count < 0 && errno != EAGAIN
    }

    /// Makes the coming close a reset, once the peer's kernel has all that was sent.
    func prepareReset() {
        var unsent: CInt = 0
        var tries = 0
        while ioctl(descriptor, UInt(TIOCOUTQ), &unsent) == 0, unsent > 0, tries < 1000 {
            usleep(1000)
            tries += 1
        }
        var option = linger(l_onoff: 1, l_linger: 0)
        setsockopt(descriptor, SOL_SOCKET, SO_LINGER, &option, socklen_t(MemoryLayout<linger>.size))
    }
}
