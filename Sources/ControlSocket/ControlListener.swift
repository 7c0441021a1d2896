// SPDX-License-Identifier: GPL-3.0-or-later
public import Glibc
public import Media
import Synchronization

/// The listening control socket of the owner. Releasing it removes the socket and then the lock.
public final class ControlListener: Sendable {
    public enum Failure: Error, Sendable, Equatable {
        case lock(OwnerLock.Failure)
        case folder(RuntimeFolder.Failure)
        /// The name of the socket belongs to a file of another kind.
        case occupied(String)
        case system(SystemError)
    }

    static let name = "control"
    private let folder: RuntimeFolder
    private let lock: Mutex<OwnerLock>
    let socket: FileDescriptor
    /// True if the socket was created here; systemd keeps its own.
    private let isOwn: Bool
    /// The file that clients connect to.
    private let name: FileIdentity?

    /// Takes the ownership of playback and listens.
    /// - Parameter inherited: the socket that systemd opened; see `inheritedSocket`.
    public convenience init(in folder: RuntimeFolder, inherited: FileDescriptor? = nil) throws(Failure) {
        try self.init(folder, try Self.lock(in: folder), inherited)
    }

    private init(_ folder: RuntimeFolder, _ lock: OwnerLock, _ inherited: FileDescriptor?) throws(Failure) {
        (self.folder, isOwn) = (folder, inherited == nil)
        self.lock = Mutex(lock)
        socket = if let inherited { inherited } else { try Self.listen(in: folder) }
        name = FileIdentity(Self.name, in: folder)
    }

    deinit {
        // After a deletion, another owner may have a socket there.
        if isOwn, name == FileIdentity(Self.name, in: folder) { unlinkat(folder.descriptor.number, Self.name, 0) }
    }

    private static func lock(in folder: RuntimeFolder) throws(Failure) -> OwnerLock {
        do throws(OwnerLock.Failure) { return try OwnerLock(in: folder) } catch { throw .lock(error) }
    }

    // MARK: Deletions

    var path: String { folder.path }

    /// True if clients find the socket and other processes the lock; false after another program has deleted them.
    var isInPlace: Bool { isSocketInPlace && lock.withLock { $0.isInPlace(in: folder) } }

    private var isSocketInPlace: Bool {
        folder.isInPlace && name != nil && name == FileIdentity(Self.name, in: folder)
    }

    /// Returns a socket at the same path with the ownership of this one, which is not in its place.
    /// - Throws: `lock(held)` if another process has taken the ownership meanwhile.
    func renewed() throws(Failure) -> ControlListener {
        let present: RuntimeFolder
        do throws(RuntimeFolder.Failure) { present = try folder.reopened() } catch { throw .folder(error) }
        let old = lock.withLock { $0 }
        let held = old.isInPlace(in: present) ? old : try Self.lock(in: present)
        guard isSocketInPlace else { return try ControlListener(present, held, nil) }
        // Clients may wait on this socket.
        lock.withLock { $0 = held }
        return self
    }

    // MARK: Listening

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
            guard Glibc.listen(socket.number, backlog) == 0 else { throw SystemError("listen") }
            return socket
        } catch {
            throw .system(error)
        }
    }

    /// The most clients that wait to be accepted: connecting does not wait, so a further client would fail.
    private static let backlog: CInt = 1024

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
