// SPDX-License-Identifier: GPL-3.0-or-later
import Glibc
import Media
import Synchronization

/// A file of float samples that grows at its end.
///
/// `@unchecked Sendable`: used by the pulling thread and, after that thread was joined, by the thread that closes the
/// sink; other threads may only call `cancelWaits`.
final class SampleFile: @unchecked Sendable {
    private let path: String
    private let descriptor: CInt
    /// True if the file did not exist before.
    private let isNew: Bool
    private let isRegularFile: Bool
    /// The header; `nil` for a raw file.
    private let header: WAVHeader?
    private var dataBytes: Int64 = 0
    private var headerBytes: Int64 = 0
    private var failure: AudioOutputError?
    private let givesUp = Atomic<Bool>(false)

    /// The maximum number of data bytes that the header omits if the writer is killed.
    private static let headerInterval: Int64 = 1 << 20

    init(path: String, container: FileSink.Container, format: AudioFormat) throws(AudioOutputError) {
        self.path = path
        header = container == .wav ? WAVHeader(format: format) : nil
        guard !path.utf8.contains(0) else {
            throw .cannotWrite(path: path, reason: SystemError.nulInPath.phrase)
        }
        (descriptor, isNew) = path == "-" ? (STDOUT_FILENO, true) : Self.open(path)
        let code = errno
        var status = stat()
        isRegularFile = descriptor >= 0 && fstat(descriptor, &status) == 0 && status.st_mode & S_IFMT == S_IFREG
        guard descriptor >= 0 else { throw cannotWrite(code) }
        guard isNew || !isRegularFile || Self.isEmptyStandardOutput(status) else {
            throw .cannotWrite(path: path, reason: "file exists")
        }
        guard header == nil || isRegularFile && path != "-" else {
            throw .cannotWrite(path: path, reason: "a WAV file must be a regular file: its header is written last")
        }
    }

    deinit {
        if path != "-", descriptor >= 0 { Glibc.close(descriptor) }
    }

    func append(_ samples: UnsafeBufferPointer<Float>) throws(AudioOutputError) {
        guard !samples.isEmpty else { return }
        if dataBytes == 0, let header { try write(header.bytes(dataBytes: 0)) }
        try write(UnsafeRawBufferPointer(samples))
        dataBytes += Int64(samples.count * MemoryLayout<Float>.size)
        if dataBytes - headerBytes >= Self.headerInterval { try patchHeader() }
    }

    /// Ends a wait for space in a pipe that is not read.
    func cancelWaits() { givesUp.store(true, ordering: .relaxed) }

    /// Completes the header. Throws the first failure of the file.
    func finish() throws(AudioOutputError) {
        defer { if failure != nil { removeIfEmpty() } }
        // The header is completed after a failure too, so that the written data is readable.
        do { try patchHeader() } catch { throw failure ?? error }
        if let failure { throw failure }
    }
}

extension SampleFile {
    /// Creates a new file, or opens an existing one without changing it: writing to a device or a pipe loses no file.
    /// - Returns: A descriptor, negative on failure, which sets `errno`.
    private static func open(_ path: String) -> (descriptor: CInt, isNew: Bool) {
        let new = Glibc.open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o666)
        guard new < 0, errno == EEXIST else { return (new, true) }
        return (Glibc.open(path, O_WRONLY | O_CLOEXEC), false)
    }

    /// Returns true if `/dev/stdout` refers to a file that a shell has just created.
    private static func isEmptyStandardOutput(_ file: stat) -> Bool {
        var output = stat()
        return file.st_size == 0 && fstat(STDOUT_FILENO, &output) == 0 && output.st_dev == file.st_dev
            && output.st_ino == file.st_ino
    }

    /// Removes a new file without a byte: a later attempt would fail because the file exists.
    func removeIfEmpty() {
        var (file, named) = (stat(), stat())
        guard isNew, isRegularFile, path != "-", fstat(descriptor, &file) == 0, file.st_size == 0,
            lstat(path, &named) == 0, named.st_dev == file.st_dev, named.st_ino == file.st_ino
        else { return }
        unlink(path)
    }

    private func patchHeader() throws(AudioOutputError) {
        guard let header else { return }
        let bytes = header.bytes(dataBytes: dataBytes)
        let written = bytes.withUnsafeBytes { pwrite(descriptor, $0.baseAddress, $0.count, 0) }
        guard written == bytes.count else { throw fail(errno) }
        headerBytes = dataBytes
    }

    private func write(_ bytes: [UInt8]) throws(AudioOutputError) {
        try bytes.withUnsafeBufferPointer { (buffer) throws(AudioOutputError) in
            try write(UnsafeRawBufferPointer(buffer))
        }
    }

    private func write(_ bytes: UnsafeRawBufferPointer) throws(AudioOutputError) {
        var rest = bytes[...]
        while !rest.isEmpty {
            // A pipe that is ready for writing accepts this many bytes without blocking (PIPE_BUF).
            if !isRegularFile { try waitForSpace() }
            let part = isRegularFile ? rest : rest.prefix(4096)
            let count = Glibc.write(descriptor, UnsafeRawBufferPointer(rebasing: part).baseAddress, part.count)
            if count >= 0 {
                rest = rest.dropFirst(count)
            } else if errno != EINTR && errno != EAGAIN {
                throw fail(errno)
            }
        }
    }

    private func waitForSpace() throws(AudioOutputError) {
        var entry = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
        while poll(&entry, 1, 250) <= 0 {
            guard !givesUp.load(ordering: .relaxed) else { throw fail(ETIMEDOUT) }
        }
    }

    private func fail(_ code: CInt) -> AudioOutputError {
        let error = cannotWrite(code)
        if failure == nil { failure = error }
        return error
    }

    private func cannotWrite(_ code: CInt) -> AudioOutputError {
        .cannotWrite(path: path, reason: SystemError.phrase(of: code))
    }
}
