// SPDX-License-Identifier: GPL-3.0-or-later
import Glibc
public import Media
import Synchronization

/// The standard streams of the process; each write is a whole text.
public enum StandardStreams {
    /// The first failed write to a standard stream. The program reports it and exits with its status, unless something
    /// else failed before.
    public struct Loss: Sendable {
        public let stream: String
        public let failure: MediaFailure
    }

    /// The first failed write; `nil` if there is none. A pipe closed by its reader does not count.
    public static var loss: Loss? { firstLoss.withLock { $0 } }
    private static let firstLoss = Mutex<Loss?>(nil)

    /// Opens streams that were closed when the process started; otherwise the next opened file would get their
    /// number, and texts would go into it. Writing to such a standard output fails.
    public static func open() {
        for descriptor in STDIN_FILENO...STDERR_FILENO where fcntl(descriptor, F_GETFD) < 0 {
            // `open` returns the lowest free number.
            _ = Glibc.open("/dev/null", descriptor == STDOUT_FILENO ? O_RDONLY : O_RDWR)
        }
    }

    /// Writes each text to its stream. Messages are not the result of a program, so a failed write to standard error is
    /// only recorded in `loss`.
    /// - Returns: `false` if a write to standard output failed.
    @discardableResult
    public static func write(_ texts: [ReportText]) -> Bool {
        var isTaken = true
        for text in texts {
            switch text {
            case .output(let text): isTaken = write(shown(text, STDOUT_FILENO), to: STDOUT_FILENO) && isTaken
            case .error(let text): _ = write(shown(text, STDERR_FILENO), to: STDERR_FILENO)
            }
        }
        return isTaken
    }

    /// Returns the text in ASCII for a terminal that is not UTF-8, which would interpret some bytes as control
    /// sequences (C1).
    private static func shown(_ text: String, _ descriptor: CInt) -> String {
        let isForeign = isatty(descriptor) == 1 && !LineStyle.isUTF8(Terminal.environment)
        return isForeign ? PrintableText.inASCII(text) : text
    }

    /// Writes a long text in pieces to standard output.
    @discardableResult
    public static func writeOutput(_ pieces: [[UInt8]]) -> Bool {
        pieces.allSatisfy { $0.withUnsafeBufferPointer { write($0, to: STDOUT_FILENO) } }
    }

    /// Returns the bytes of standard input, read on a dedicated thread; the stream ends with the file.
    /// - Parameter prepare: called before the first read, and after the process has read in the background of its
    ///   terminal; may block.
    public static func input(preparing prepare: @escaping @Sendable () -> Void = {}) -> AsyncStream<[UInt8]> {
        bytes(of: STDIN_FILENO, preparing: prepare)
    }

    /// Reads the next bytes of standard input, and waits for them.
    /// - Returns: `nil` at the end of the file and after an error.
    public static func nextInput() -> [UInt8]? { readSome(STDIN_FILENO) {} }

    static func bytes(
        of descriptor: CInt, preparing prepare: @escaping @Sendable () -> Void = {}
    ) -> AsyncStream<[UInt8]> {
        let (stream, continuation) = AsyncStream.makeStream(of: [UInt8].self)
        let thread = WorkerThread.start {
            prepare()
            while let bytes = readSome(descriptor, prepare) { continuation.yield(bytes) }
            continuation.finish()
        }
        if let thread { thread.detach() } else { continuation.finish() }
        return stream
    }

    static func write(_ text: String, to descriptor: CInt) -> Bool {
        var text = text
        return text.withUTF8 { write($0, to: descriptor) }
    }

    private static func write(_ bytes: UnsafeBufferPointer<UInt8>, to descriptor: CInt) -> Bool {
        var rest = bytes[...]
        while !rest.isEmpty {
            let count = Glibc.write(descriptor, UnsafeBufferPointer(rebasing: rest).baseAddress, rest.count)
            if count > 0 {
                rest = rest.dropFirst(count)
            } else if errno == EAGAIN {
                waitForSpace(descriptor)
            } else if errno != EINTR {
                noteFailure(errno, descriptor)
                return false
            }
        }
        return true
    }

    private static func noteFailure(_ code: CInt, _ descriptor: CInt) {
        let stream = descriptor == STDOUT_FILENO ? "standard output" : "standard error"
        // A closed terminal also sends SIGHUP, which ends the session.
        guard code != EPIPE, code != EIO || isatty(descriptor) == 0 else { return }
        let failure = MediaFailure(.inputOutput, SystemError.phrase(of: code))
        firstLoss.withLock { $0 = $0 ?? Loss(stream: stream, failure: failure) }
    }

    /// Waits until a nonblocking stream accepts bytes; a shell may have changed the mode of a shared stream.
    private static func waitForSpace(_ descriptor: CInt) {
        var entry = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
        poll(&entry, 1, 1000)
    }

    /// Returns the next bytes; `nil` at the end of the file and after an error.
    private static func readSome(_ descriptor: CInt, _ prepare: () -> Void) -> [UInt8]? {
        // A job that reads in the background, with SIGTTIN blocked, gets EIO. It may be in the foreground again before
        // the check, so one failure there is no error yet.
        var failures = 0
        while failures < 2 {
            var count = 0
            let bytes = [UInt8](unsafeUninitializedCapacity: 4096) { buffer, used in
                count = Glibc.read(descriptor, buffer.baseAddress, buffer.count)
                used = max(0, count)
            }
            if count > 0 { return bytes }
            guard count < 0 else { return nil }
            if errno == EAGAIN {
                var entry = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
                poll(&entry, 1, -1)
            } else if errno == EIO {
                failures = Terminal.isInForeground(descriptor) ? failures + 1 : 0
                guard Terminal.waitForForeground(descriptor) else { return nil }
                prepare()
            } else if errno != EINTR {
                return nil
            }
        }
        return nil
    }
}
