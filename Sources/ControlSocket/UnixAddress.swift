// SPDX-License-Identifier: GPL-3.0-or-later
import Glibc
import Media

/// The address of a Unix socket in a folder.
struct UnixAddress {
    private var address = sockaddr_un()

    /// Creates the address. A path that is too long for an address leads through the open folder instead.
    init(_ name: String, in folder: RuntimeFolder) {
        address.sun_family = sa_family_t(AF_UNIX)
        let capacity = MemoryLayout.size(ofValue: address.sun_path) - 1
        let path = "\(folder.path)/\(name)"
        let usable = path.utf8.count <= capacity ? path : "/proc/self/fd/\(folder.descriptor.number)/\(name)"
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: usable.utf8.prefix(capacity)) }
    }

    /// Calls `body`, bind(2) or connect(2), with the address.
    func withPointer(_ body: (UnsafePointer<sockaddr>, socklen_t) -> CInt) -> CInt {
        withUnsafePointer(to: address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                body($0, socklen_t(MemoryLayout<sockaddr_un>.size))
            }
        }
    }
}

extension FileDescriptor {
    /// Creates a Unix stream socket whose calls do not block.
    static func unixSocket() throws(SystemError) -> FileDescriptor {
        let kind = CInt(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue | SOCK_NONBLOCK.rawValue)
        let number = socket(AF_UNIX, kind, 0)
        guard number >= 0 else { throw SystemError("socket") }
        return try FileDescriptor(owning: number)
    }

    /// The user at the other end of a Unix socket. Source: unix(7), SO_PEERCRED.
    var peer: uid_t? {
        // The system writes the process, the user and the group, which Swift cannot import as a structure.
        var credentials: [UInt32] = [0, 0, 0]
        var length = socklen_t(MemoryLayout<UInt32>.size * credentials.count)
        guard getsockopt(number, SOL_SOCKET, SO_PEERCRED, &credentials, &length) == 0 else { return nil }
        return credentials[1]
    }
}
