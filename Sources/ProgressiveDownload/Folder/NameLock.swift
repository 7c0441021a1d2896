// SPDX-License-Identifier: GPL-3.0-or-later
import Glibc
import Media

/// A name that one process of this machine at a time can hold: a lock for files on file systems without locks.
///
/// The name is the address of a socket in Linux's abstract namespace, which has no file and which the kernel releases
/// with the process. Processes on other machines do not see it. Source: unix(7).
final class NameLock: Sendable {
    private let descriptor: CInt

    private init(_ descriptor: CInt) { self.descriptor = descriptor }

    deinit { close(descriptor) }

    /// Acquires the name.
    /// - Parameter name: 100 bytes at most.
    /// - Returns: `nil` while another holder has the name.
    static func acquire(_ name: String) throws(SystemError) -> NameLock? {
        let descriptor = socket(AF_UNIX, CInt(SOCK_DGRAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
        guard descriptor >= 0 else { throw SystemError("socket") }
        let lock = NameLock(descriptor)
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        let prefix = MemoryLayout.offset(of: \sockaddr_un.sun_path) ?? MemoryLayout<sa_family_t>.size
        // The leading zero byte makes the name abstract.
        let bytes = Array(name.utf8.prefix(100))
        withUnsafeMutableBytes(of: &address) { $0[(prefix + 1)...].copyBytes(from: bytes) }
        let length = socklen_t(prefix + 1 + bytes.count)
        let result = withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { bind(descriptor, $0, length) }
        }
        if result == 0 { return lock }
        if errno == EADDRINUSE { return nil }
        throw SystemError("bind")
    }
}
