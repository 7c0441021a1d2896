// SPDX-License-Identifier: GPL-3.0-or-later
public import Feeds
import Glibc
import HTTPTransfer
public import Media

/// A reader of feeds from the disk or from standard input.
public enum FeedFile {
    private static let chunk = 64 << 10

    /// Parses the feed file at `path`.
    public static func parse(_ path: String, baseURL: String? = nil) throws(MediaFailure) -> ParsedFeed {
        try read(path, into: FeedParser(baseURL: baseURL))
    }

    /// Reads the feed file at `path` into `parser`.
    /// - Parameters:
    ///   - path: the path of the file; `-` is standard input.
    ///   - afterEach: called after each part of the file has been parsed.
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

    /// Calls `body` with each part of the file.
    /// - Parameter path: the path of the file; `-` is standard input.
    static func forEachPart(
        of path: String, _ body: (UnsafeRawBufferPointer) throws(MediaFailure) -> Void
    ) throws(MediaFailure) {
        let descriptor = path == "-" ? STDIN_FILENO : open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { throw SystemError("open").whileOpening }
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

    /// Returns the first bytes of a file, up to 512. Fails for anything but a regular file or a directory: reading
    /// from a pipe would take the bytes from its next reader.
    package static func firstBytes(of path: String) throws(MediaFailure) -> [UInt8] {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
        guard descriptor >= 0 else { throw SystemError("open").whileOpening }
        defer { close(descriptor) }
        var status = stat()
        guard fstat(descriptor, &status) == 0 else { throw SystemError("fstat").whileOpening }
        guard [S_IFREG, S_IFDIR].contains(status.st_mode & S_IFMT) else {
            throw MediaFailure(.badData, "not a regular file")
        }
        let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 512, alignment: 16)
        defer { buffer.deallocate() }
        return [UInt8](buffer[..<(try fill(buffer, from: descriptor))])
    }

    /// - Returns: the number of bytes read; 0 at the end.
    private static func fill(
        _ buffer: UnsafeMutableRawBufferPointer, from descriptor: CInt
    ) throws(MediaFailure) -> Int {
        var count = 0
        repeat { count = Glibc.read(descriptor, buffer.baseAddress, buffer.count) } while count < 0 && errno == EINTR
        guard count >= 0 else { throw SystemError("read").whileOpening }
        return count
    }
}
