// SPDX-License-Identifier: GPL-3.0-or-later
import Glibc
public import Media
import Synchronization

/// The standard streams of the process, whole texts at a time.
public enum StandardStreams {
    /// Why standard output has not taken all; whoever ends the program tells it.
    public static var outputFailure: MediaFailure? { lost.withLock { $0 } }
    private static let lost = Mutex<MediaFailure?>(nil)

    /// Opens those that the process was started without: the next file that is opened would have their number, and
    /// texts would be written into it. Standard output stays one that takes nothing.
    public static func open() {
        for descriptor in STDIN_FILENO...STDERR_FILENO where fcntl(descriptor, F_GETFD) < 0 {
            // The lowest number that is free.
            _ = Glibc.open("/dev/null", descriptor == STDOUT_FILENO ? O_RDONLY : O_RDWR)
        }
    }

    /// Writes each text to its stream.
    /// - Returns: whether all of it was taken; `false` once nobody reads the stream any more.
    @discardableResult
    public static func write(_ texts: [ReportText]) -> Bool {
        texts.reduce(true) { fine, text in
            switch text {
            case .output(let text): write(text, to: STDOUT_FILENO) && fine
            case .error(let text): write(text, to: STDERR_FILENO) && fine
            }
        }
    }

    /// Writes a long text in pieces to standard output.
    @discardableResult
    public static func writeOutput(_ pieces: [[UInt8]]) -> Bool {
        pieces.allSatisfy { $0.withUnsafeBufferPointer { write($0, to: STDOUT_FILENO) } }
    }

    /// Standard input as it comes, read on a thread of its own; ends with the file.
    public static func input() -> AsyncStream<[UInt8]> { bytes(of: STDIN_FILENO) }

    static func bytes(of descriptor: CInt) -> AsyncStream<[UInt8]> {
        let (stream, continuation) = AsyncStream.makeStream(of: [UInt8].self)
        let thread = WorkerThread.start {
            while let bytes = readSome(descriptor) { continuation.yield(bytes) }
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
                waitForRoom(descriptor)
            } else if errno != EINTR {
                if descriptor == STDOUT_FILENO { noteFailure(errno) }
                return false
            }
        }
        return true
    }

    /// A reader who has gone has had enough: that is no failure.
    private static func noteFailure(_ code: CInt) {
        guard code != EPIPE else { return }
        lost.withLock { $0 = $0 ?? MediaFailure(.inputOutput, String(cString: strerror(code))) }
    }

    /// A shell may have left the stream nonblocking for everybody who shares it.
    private static func waitForRoom(_ descriptor: CInt) {
        var entry = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
        poll(&entry, 1, 1000)
    }

    /// `nil` at the end of the file and when it cannot be read any more.
    private static func readSome(_ descriptor: CInt) -> [UInt8]? {
        while true {
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
            } else if errno != EINTR {
                return nil
            }
        }
    }
}
