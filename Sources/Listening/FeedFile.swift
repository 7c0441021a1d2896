// SPDX-License-Identifier: GPL-3.0-or-later
public import Feeds
import Glibc
import HTTPTransfer
public import Media

/// Reads feeds from the disk or from standard input.
public enum FeedFile {
    private static let chunk = 64 << 10

    public static func parse(_ path: String, baseURL: String? = nil) throws(MediaFailure) -> ParsedFeed {
        try read(path, into: FeedParser(baseURL: baseURL))
    }

    /// - Parameters:
    ///   - path: `-` is standard input.
    ///   - afterEach: called when a part of the file was read.
    public static func read(
        _ path: String, into parser: FeedParser, afterEach: (FeedParser) -> Void = { _ in }
    ) throws(MediaFailure) -> ParsedFeed {
        var isFirst = true
        try forEachPart(of: path) { part throws(MediaFailure) in
            if isFirst, AudioSniffer.look(at: part) == .audio {
                throw MediaFailure(.badData, "not a feed: it is audio")
            }
            isFirst = false
            try mapping { () throws(FeedError) in try parser.consume(part) }
            afterEach(parser)
        }
        return try mapping { () throws(FeedError) in try parser.finish() }
    }

    /// - Parameter path: `-` is standard input.
    static func forEachPart(
        of path: String, _ body: (UnsafeRawBufferPointer) throws(MediaFailure) -> Void
    ) throws(MediaFailure) {
        let descriptor = path == "-" ? STDIN_FILENO : open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { throw failure(errno) }
        defer { if descriptor != STDIN_FILENO { close(descriptor) } }
        let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: chunk, alignment: 16)
        defer { buffer.deallocate() }
        while case let count = try fill(buffer, from: descriptor), count > 0 {
            try body(UnsafeRawBufferPointer(rebasing: buffer[..<count]))
        }
    }

    private static func mapping<R>(_ body: () throws(FeedError) -> R) throws(MediaFailure) -> R {
        do throws(FeedError) {
            return try body()
        } catch {
            throw MediaFailure(.badData, error.description)
        }
    }

    /// The first bytes of a file; fewer where it is shorter. Of a pipe they would be gone for whoever reads it next.
    static func firstBytes(of path: String) throws(MediaFailure) -> [UInt8] {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
        guard descriptor >= 0 else { throw failure(errno) }
        defer { close(descriptor) }
        var status = stat()
        guard fstat(descriptor, &status) == 0 else { throw failure(errno) }
        guard [S_IFREG, S_IFDIR].contains(status.st_mode & S_IFMT) else {
            throw MediaFailure(.badData, "it is not a regular file")
        }
        let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 512, alignment: 16)
        defer { buffer.deallocate() }
        return [UInt8](buffer[..<(try fill(buffer, from: descriptor))])
    }

    /// - Returns: how many bytes came; 0 at the end.
    private static func fill(
        _ buffer: UnsafeMutableRawBufferPointer, from descriptor: CInt
    ) throws(MediaFailure) -> Int {
        var count = 0
        repeat { count = Glibc.read(descriptor, buffer.baseAddress, buffer.count) } while count < 0 && errno == EINTR
        guard count >= 0 else { throw failure(errno) }
        return count
    }

    private static func failure(_ code: CInt) -> MediaFailure {
        switch code {
        case ENOENT, ENOTDIR: MediaFailure(.missing, "there is no such file")
        case EACCES, EPERM: MediaFailure(.forbidden, "it may not be read")
        case EISDIR: MediaFailure(.badData, "it is a directory")
        default: MediaFailure(.inputOutput, String(cString: strerror(code)))
        }
    }
}
