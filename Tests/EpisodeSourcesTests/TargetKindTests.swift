// SPDX-License-Identifier: GPL-3.0-or-later
import EarshotTestSupport
import Glibc
import Media
import Testing

@testable import EpisodeSources

@Suite("TargetKind")
struct TargetKindTests {
    static let addresses: [(String, TargetKind?)] = [
        ("https://example.org/a.mp3", .audioURL("https://example.org/a.mp3")),
        ("https://example.org/A.MP3?token=1", .audioURL("https://example.org/A.MP3?token=1")),
        ("http://example.org/a.mpga", .audioURL("http://example.org/a.mpga")),
        ("https://example.org/a.m4a", .audioURL("https://example.org/a.m4a")),
        ("https://example.org/a.Opus?x=.xml", .audioURL("https://example.org/a.Opus?x=.xml")),
        ("https://example.org/m4a", .url("https://example.org/m4a")),
        ("https://example.org/feed", .url("https://example.org/feed")),
        ("HTTPS://example.org/feed.xml", .url("HTTPS://example.org/feed.xml")),
        ("https://example.org/?file=a.mp3", .url("https://example.org/?file=a.mp3")),
        ("https://example.org/a.mp3/feed", .url("https://example.org/a.mp3/feed")),
        ("ftp://example.org/a.mp3", nil),
        ("file://example.org/a.mp3", nil),
    ]

    @Test("An address is classified by its scheme and name", arguments: addresses)
    func address(text: String, kind: TargetKind?) {
        do throws(MediaFailure) {
            #expect(try TargetKind(text) == kind)
        } catch {
            #expect(kind == nil && error.kind == .badProtocol)
        }
    }

    static let files: [(name: String, content: [UInt8], isFeed: Bool)] = [
        ("a.xml", Array("<?xml version='1.0'?><rss/>".utf8), true),
        ("page", Array("  <!DOCTYPE html>".utf8), true),
        ("a.mp3", [0xFF, 0xFB, 0x90, 0x64, 0, 0, 0, 0], false),
        ("tagged", Array("ID3\u{4}<>".utf8), false),
        ("picture", [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A], false),
        ("empty", [], false),
        ("text", Array("no markup".utf8), false),
    ]

    @Test("A file is classified by its first bytes", arguments: files)
    func file(name: String, content: [UInt8], isFeed: Bool) throws {
        let directory = ScratchDirectory()
        let path = try directory.write(content, to: name)
        let kind: TargetKind = isFeed ? .feedFile(path: path) : .audioFile(path: path)
        #expect(try TargetKind(path) == kind)
        #expect(try TargetKind("file://\(path)") == kind)
    }

    @Test("The URL of a file is decoded")
    func fileURL() throws {
        let directory = ScratchDirectory()
        let path = try directory.write(Array("no markup".utf8), to: "a b%.mp3")
        #expect(try TargetKind("file://\(directory.path)/a%20b%25.mp3") == .audioFile(path: path))
        #expect(try TargetKind("file://localhost\(directory.path)/a%20b%25.mp3") == .audioFile(path: path))
    }

    @Test("An unreadable target fails with the reason")
    func unreadable() throws {
        let directory = ScratchDirectory()
        #expect(throws: MediaFailure(.missing, "no such file")) { try TargetKind(directory.path + "/none") }
        #expect(throws: MediaFailure(.badData, "is a directory")) { try TargetKind(directory.path) }
    }

    @Test("A pipe is not a regular file, whether or not it has a writer")
    func pipe() throws {
        let directory = ScratchDirectory()
        let path = directory.path + "/pipe"
        try #require(mkfifo(path, 0o600) == 0)
        let failure = MediaFailure(.badData, "not a regular file")
        #expect(throws: failure) { try TargetKind(path) }
        let writer = open(path, O_RDWR)
        defer { close(writer) }
        #expect(throws: failure) { try TargetKind(path) }
        #expect(directory.names == ["pipe"])
    }
}
