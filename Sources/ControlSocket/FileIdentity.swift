// SPDX-License-Identifier: GPL-3.0-or-later
import Glibc
import Media

/// The identity of an existing file. While the file is open, no other file has the same.
struct FileIdentity: Equatable, Sendable {
    private let device: dev_t
    private let number: ino_t

    private init(_ status: stat) { (device, number) = (status.st_dev, status.st_ino) }

    /// - Returns: `nil` if the folder has no file with this name.
    init?(_ name: String, in folder: RuntimeFolder) {
        var status = stat()
        guard fstatat(folder.descriptor.number, name, &status, AT_SYMLINK_NOFOLLOW) == 0 else { return nil }
        self.init(status)
    }

    /// - Returns: `nil` if no file has this path.
    init?(path: String) {
        var status = stat()
        guard lstat(path, &status) == 0 else { return nil }
        self.init(status)
    }

    init?(_ file: FileDescriptor) {
        var status = stat()
        guard fstat(file.number, &status) == 0 else { return nil }
        self.init(status)
    }
}
