// SPDX-License-Identifier: GPL-3.0-or-later
import Glibc
import Media

/// A message to the service manager. Source: sd_notify(3), the protocol of NOTIFY_SOCKET.
public enum ServiceNotice: String, Sendable {
    case ready = "READY=1"
    case stopping = "STOPPING=1"

    /// Sends the message; without a service manager, does nothing.
    public func send(environment: [String: String]) {
        guard let path = environment["NOTIFY_SOCKET"], path.hasPrefix("/") || path.hasPrefix("@") else { return }
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        var bytes = Array(path.utf8)
        // An abstract name begins with a zero byte.
        if bytes.first == UInt8(ascii: "@") { bytes[0] = 0 }
        guard bytes.count < MemoryLayout.size(ofValue: address.sun_path) else { return }
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: bytes) }
        let length = socklen_t(MemoryLayout<sa_family_t>.size + bytes.count)
        let number = socket(AF_UNIX, CInt(SOCK_DGRAM.rawValue) | CInt(SOCK_CLOEXEC.rawValue), 0)
        guard number >= 0 else { return }
        defer { close(number) }
        let text = Array(rawValue.utf8)
        withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
                _ = sendto(number, text, text.count, CInt(MSG_NOSIGNAL), address, length)
            }
        }
    }
}
