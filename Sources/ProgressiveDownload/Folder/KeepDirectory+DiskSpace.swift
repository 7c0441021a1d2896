// SPDX-License-Identifier: GPL-3.0-or-later
import Glibc
public import Media

/// Checking the directory and its disk without creating anything.
extension KeepDirectory {
    /// The number of bytes that downloads may still use on its disk; `nil` if the system does not report it.
    public var room: Int64? {
        guard let space = DiskSpace.of(nearest) else { return nil }
        return max(0, space.free - DiskReserve(bytes: nil).bytes(of: space))
    }

    /// Checks that episodes can be kept in the directory, or that it can be created.
    /// - Throws: `cannotCreate`.
    public func check() throws(MediaFailure) {
        let nearest = nearest
        guard Self.isDirectory(nearest) else { throw Self.obstacle(at: nearest) }
        guard access(nearest, W_OK | X_OK) == 0 else { throw SystemError("access").whileCreating(nearest) }
    }

    /// Checks that no other kind of file is in the place of the directory, which need not exist.
    /// - Throws: `cannotCreate`.
    public func checkKind() throws(MediaFailure) {
        guard access(path + "/", F_OK) == 0 || errno != ENOTDIR else {
            throw SystemError("access", code: ENOTDIR).whileCreating(path)
        }
    }

    /// The directory itself, or its closest existing ancestor. A link exists even if its target does not.
    private var nearest: String {
        var path = path
        var status = stat()
        while lstat(path, &status) != 0, errno == ENOENT, let slash = path.lastIndex(of: "/") {
            path = slash == path.startIndex ? "/" : String(path[..<slash])
            if path == "/" { return path }
        }
        return lstat(path, &status) != 0 && !path.contains("/") ? "." : path
    }
}
