// SPDX-License-Identifier: GPL-3.0-or-later
import Glibc
public import Media

/// A file that is created with its complete content, readable only by its owner.
public enum NewFile {
    /// - Throws: `cannotCreate`, also if the file exists: nothing is overwritten.
    public static func write(_ bytes: [UInt8], to path: String) throws(MediaFailure) {
        let descriptor = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else {
            let reason = errno == EEXIST ? "file exists" : String(cString: strerror(errno))
            throw MediaFailure(.cannotCreate, "\(path): \(reason)")
        }
        defer { close(descriptor) }
        var rest = bytes[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) }
            guard count > 0 || errno == EINTR else { throw failure(path) }
            rest = rest.dropFirst(max(0, count))
        }
        guard fsync(descriptor) == 0 else { throw failure(path) }
    }

    /// Removes the incomplete file and returns the error.
    private static func failure(_ path: String) -> MediaFailure {
        let reason = String(cString: strerror(errno))
        unlink(path)
        return MediaFailure(.inputOutput, "\(path): \(reason)")
    }
}
