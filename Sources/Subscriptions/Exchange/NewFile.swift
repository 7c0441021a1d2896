// SPDX-License-Identifier: GPL-3.0-or-later
import Glibc
public import Media

/// A file that is created with its complete content, readable only by its owner.
public enum NewFile {
    /// - Throws: `cannotCreate`, also if the file exists: nothing is overwritten.
    public static func write(_ bytes: [UInt8], to path: String) throws(MediaFailure) {
        let file: FileDescriptor
        do throws(SystemError) {
            file = try FileDescriptor(path: path, flags: O_WRONLY | O_CREAT | O_EXCL)
        } catch {
            throw MediaFailure(.cannotCreate, "\(path): \(error.phrase)")
        }
        do throws(SystemError) {
            try bytes.withUnsafeBufferPointer { bytes throws(SystemError) in
                try file.write(UnsafeRawBufferPointer(bytes), at: 0)
            }
            guard fsync(file.number) == 0 else { throw SystemError("fsync") }
        } catch {
            unlink(path)
            throw MediaFailure(.inputOutput, "\(path): \(error.phrase)")
        }
    }
}
