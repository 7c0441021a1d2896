// SPDX-License-Identifier: GPL-3.0-or-later
import EarshotTestSupport
import Glibc
import Media
import Testing

@Suite("FileByteSource")
struct FileByteSourceTests {
    private let directory: ScratchDirectory

    init() throws { directory = ScratchDirectory() }

    /// Returns bytes that differ at every offset.
    private static func bytes(_ count: Int) -> [UInt8] {
        (0..<count).map { UInt8(truncatingIfNeeded: $0 &* 31 &+ ($0 >> 8)) }
    }

    @Test("The source fulfils the contract of a byte source", arguments: [1, 4, 4096, 20_000])
    func contract(count: Int) throws {
        let content = Self.bytes(count)
        try directory.write(content, to: "e.mp3")
        let source = try FileByteSource(path: directory.path + "/e.mp3")
        #expect(ByteSourceContract.violations(of: source, content: content, held: count) == [])
        source.close()
        #expect(ByteSourceContract.violationsOnceClosed(source) == [])
    }

    @Test("An unplayable path is refused with the reason")
    func refusals() throws {
        try directory.write([], to: "empty")
        mkfifo(directory.path + "/pipe", 0o600)
        let reasons: [(String, MediaFailure)] = [
            ("none", MediaFailure(.missing, "no such file")),
            ("empty/below", MediaFailure(.missing, "no such file")),
            ("empty", MediaFailure(.badData, "the file is empty")),
            ("", MediaFailure(.badData, "is a directory")),
            ("pipe", MediaFailure(.badData, "not a regular file")),
        ]
        for (name, failure) in reasons {
            #expect(throws: failure) { try FileByteSource(path: directory.path + "/" + name) }
        }
    }

    @Test("A file that grows while open ends at its former length")
    func growing() throws {
        let path = directory.path + "/e.mp3"
        try directory.write(Self.bytes(1000), to: "e.mp3")
        let source = try FileByteSource(path: path)
        let descriptor = open(path, O_WRONLY | O_APPEND)
        #expect(write(descriptor, Self.bytes(500), 500) == 500)
        close(descriptor)
        #expect(ByteSourceContract.read(source, at: 900, count: 200) == .data(count: 100))
        #expect(ByteSourceContract.read(source, at: 1000, count: 10) == .end)
    }

    @Test("A file that is truncated while open fails instead of ending")
    func cutShort() throws {
        try directory.write(Self.bytes(1000), to: "e.mp3")
        let source = try FileByteSource(path: directory.path + "/e.mp3")
        truncate(directory.path + "/e.mp3", 500)
        let expected = ByteRead.failed(MediaFailure(.inputOutput, "the file was truncated"))
        #expect(ByteSourceContract.read(source, at: 600, count: 10) == expected)
        #expect(ByteSourceContract.read(source, at: 400, count: 1000) == .data(count: 100))
        #expect(ByteSourceContract.read(source, at: 1000, count: 10) == .end)
    }
}
