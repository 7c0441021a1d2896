// SPDX-License-Identifier: GPL-3.0-or-later
import Glibc
import Synchronization

/// The bytes of a complete audio file on disk. The progress never changes, so the source never calls its change
/// handler, and `need` has no effect.
public final class FileByteSource: ByteSource {
    /// The file's length in bytes when it was opened.
    public let total: Int64
    /// `nil` once closed.
    private let file: Mutex<FileDescriptor?>

    /// - Throws: `missing`, `forbidden`, `badData` (a directory, a device, an empty file) or `inputOutput`.
    public init(path: String) throws(MediaFailure) {
        let (file, status) = try Self.open(path)
        try Self.check(status)
        total = Int64(status.st_size)
        self.file = Mutex(file)
    }

    public func read(at offset: Int64, into buffer: UnsafeMutableRawBufferPointer) -> ByteRead {
        guard let file = file.withLock({ $0 }) else { return .failed(Self.closed) }
        guard offset < total else { return .end }
        guard offset >= 0 else { return .failed(MediaFailure(.inputOutput, "the offset is negative")) }
        guard !buffer.isEmpty else { return .notYetAvailable }
        // The file may have grown since.
        let part = UnsafeMutableRawBufferPointer(rebasing: buffer.prefix(Int(min(Int64(buffer.count), total - offset))))
        do throws(SystemError) {
            let count = try file.readOnce(at: offset, into: part)
            guard count > 0 else { return .failed(MediaFailure(.inputOutput, "the file was truncated")) }
            return .data(count: count)
        } catch {
            return .failed(error.whileTransferring)
        }
    }

    public var downloadProgress: DownloadProgress {
        let isOpen = file.withLock { $0 != nil }
        return DownloadProgress(
            condition: isOpen ? .complete : .failed(Self.closed), total: total,
            extents: isOpen ? ByteRangeSet(CollectionOfOne(0..<total)) : ByteRangeSet())
    }

    public func setReadPosition(from offset: Int64) {}

    public func claimSuccessor() -> (any ByteSource)? { nil }

    public func retry() {}

    public func onChange(_ handler: (@Sendable () -> Void)?) {}

    public func close() { file.withLock { $0 = nil } }

    private static let closed = MediaFailure(.temporary, "the file was closed")

    private static func open(_ path: String) throws(MediaFailure) -> (FileDescriptor, stat) {
        do throws(SystemError) {
            // Without O_NONBLOCK, opening a named pipe would wait for a writer.
            let file = try FileDescriptor(path: path, flags: O_RDONLY | O_NONBLOCK)
            return (file, try file.status())
        } catch {
            throw error.whileOpening
        }
    }

    private static func check(_ status: stat) throws(MediaFailure) {
        switch status.st_mode & S_IFMT {
        case S_IFDIR: throw MediaFailure(.badData, "is a directory")
        case S_IFREG where status.st_size == 0: throw MediaFailure(.badData, "the file is empty")
        case S_IFREG: return
        default: throw MediaFailure(.badData, "not a regular file")
        }
    }
}
