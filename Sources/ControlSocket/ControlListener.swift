// SPDX-License-Identifier: GPL-3.0-or-later
public import Glibc
public import Media

/// The listening control socket of the owner. Releasing it removes the socket and then the lock.
public final class ControlListener: Sendable {
    public enum Failure: Error, Sendable, Equatable {
        case lock(OwnerLock.Failure)
        /// The name of the socket belongs to a file of another kind.
        case occupied(String)
        case system(SystemError)
    }

    static let name = "control"
    private let folder: RuntimeFolder
    private let lock: OwnerLock
    let socket: FileDescriptor
    /// True if the socket was created here; systemd keeps its own.
    private let isOwn: Bool

    /// Takes the ownership of playback and listens.
    /// - Parameter inherited: the socket that systemd opened; see `inheritedSocket`.
    public init(in folder: RuntimeFolder, inherited: FileDescriptor? = nil) throws(Failure) {
        self.folder = folder
        do throws(OwnerLock.Failure) { lock = try OwnerLock(in: folder) } catch { throw .lock(error) }
        isOwn = inherited == nil
        socket = if let inherited { inherited } else { try Self.listen(in: folder) }
    }

    deinit { if isOwn { unlinkat(folder.descriptor.number, Self.name, 0) } }

    /// Only the holder of the lock may call this: a socket that exists is then that of a dead owner.
    private static func listen(in folder: RuntimeFolder) throws(Failure) -> FileDescriptor {
        try removeStaleSocket(in: folder)
        do throws(SystemError) {
            let socket = try FileDescriptor.unixSocket()
            // The rights of the new socket file are those of the socket. A change after `bind` would come too late.
            guard fchmod(socket.number, 0o600) == 0 else { throw SystemError("fchmod") }
            guard UnixAddress(name, in: folder).withPointer({ bind(socket.number, $0, $1) }) == 0 else {
                throw SystemError("bind")
            }
            guard Glibc.listen(socket.number, CInt(ControlListener.backlog)) == 0 else { throw SystemError("listen") }
            return socket
        } catch {
            throw .system(error)
        }
    }

    private static let backlog = 64

    private static func removeStaleSocket(in folder: RuntimeFolder) throws(Failure) {
        var status = stat()
        guard fstatat(folder.descriptor.number, name, &status, AT_SYMLINK_NOFOLLOW) == 0 else { return }
        guard status.st_mode & S_IFMT == S_IFSOCK else { throw .occupied("\(folder.path)/\(name)") }
        guard unlinkat(folder.descriptor.number, name, 0) == 0 else { throw .system(SystemError("unlink")) }
    }
}

extension ControlListener {
    /// Takes over the listening Unix socket that systemd passed to this process; `nil` if there is none. To be called
    /// once. Source: sd_listen_fds(3).
    public static func inheritedSocket(
        environment: [String: String], process: pid_t = getpid(), first: CInt = 3
    ) -> FileDescriptor? {
        guard environment["LISTEN_PID"] == String(process),
            let count = environment["LISTEN_FDS"].flatMap(CInt.init), (1...1024).contains(count)
        else { return nil }
        for number in first..<first + count where isListeningUnixSocket(number) {
            _ = fcntl(number, F_SETFL, O_NONBLOCK)
            _ = fcntl(number, F_SETFD, FD_CLOEXEC)
            return try? FileDescriptor(owning: number)
        }
        return nil
    }

    private static func isListeningUnixSocket(_ number: CInt) -> Bool {
        func option(_ name: CInt) -> CInt? {
            var (value, length) = (CInt(0), socklen_t(MemoryLayout<CInt>.size))
            return getsockopt(number, SOL_SOCKET, name, &value, &length) == 0 ? value : nil
        }
        return option(SO_DOMAIN) == AF_UNIX && option(SO_TYPE) == CInt(SOCK_STREAM.rawValue)
            && option(SO_ACCEPTCONN) == 1
    }
}
