// SPDX-License-Identifier: GPL-3.0-or-later
import Glibc
public import Media

/// The ownership of playback: a lock on `control.lock` that the system releases with the process.
public final class OwnerLock: Sendable {
    public enum Failure: Error, Sendable, Equatable {
        /// Another process owns playback; `nil` if it has not written its identity yet.
        case held(process: Int64?)
        case system(SystemError)
    }

    private static let name = "control.lock"
    private let file: FileDescriptor

    /// Takes the lock, without waiting for another owner.
    public init(in folder: RuntimeFolder) throws(Failure) {
        let flags = O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW
        do throws(SystemError) {
            let number = openat(folder.descriptor.number, Self.name, flags, 0o600)
            guard number >= 0 else { throw SystemError("open") }
            file = try FileDescriptor(owning: number)
        } catch {
            throw .system(error)
        }
        guard flock(file.number, LOCK_EX | LOCK_NB) == 0 else {
            throw errno == EWOULDBLOCK ? .held(process: Self.process(in: file)) : .system(SystemError("flock"))
        }
        try writeProcess()
    }

    /// True if another process that takes the lock in a folder finds this one.
    func isInPlace(in folder: RuntimeFolder) -> Bool { FileIdentity(Self.name, in: folder) == FileIdentity(file) }

    /// The process is information for people; the lock alone decides.
    private func writeProcess() throws(Failure) {
        do throws(SystemError) {
            guard ftruncate(file.number, 0) == 0 else { throw SystemError("ftruncate") }
            let text = Array("\(getpid())\n".utf8)
            let result = text.withUnsafeBytes { bytes -> Result<Void, SystemError> in
                Result { () throws(SystemError) in try file.write(bytes, at: 0) }
            }
            try result.get()
        } catch {
            throw .system(error)
        }
    }

    private static func process(in file: FileDescriptor) -> Int64? {
        var bytes = [UInt8](repeating: 0, count: 24)
        let count = pread(file.number, &bytes, bytes.count, 0)
        let digits = bytes.prefix(max(0, count)).prefix { $0 != 0x0A }
        return Int64(String(decoding: digits, as: UTF8.self))
    }
}
