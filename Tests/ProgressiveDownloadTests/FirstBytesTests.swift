// SPDX-License-Identifier: GPL-3.0-or-later
import Media
import Testing

@testable import ProgressiveDownload

@Suite("FirstBytes")
struct FirstBytesTests {
    private static let filler = String(repeating: "lorem ipsum ", count: 100)

    @Test(
        "pages, feeds and JSON are found out, however the bytes are cut",
        arguments: [
            "<!DOCTYPE html>", "  \r\n<html>", "<?xml version='1.0'?>", "\u{FEFF}<rss>", "{\"error\": \"", "[1, ",
        ],
        [1, 7, 100_000])
    func pages(start: String, size: Int) {
        let failure = feed(Array((start + Self.filler).utf8), by: size)
        #expect(failure == MediaFailure(.badData, "the server sent a web page, not audio"))
    }

    @Test("audio passes, and so does what only looks odd", arguments: [1, 7, 100_000])
    func audio(size: Int) {
        #expect(feed(episode(5000), by: size) == nil)
        #expect(feed([0xFF, 0xFB, 0x90, 0x00] + episode(5000), by: size) == nil)
        #expect(feed([UInt8](repeating: 0, count: 5000), by: size) == nil)
        #expect(feed(Array("{".utf8) + episode(5000), by: size) == nil)
    }

    @Test("bytes that do not begin the file are none of its business")
    func elsewhere() {
        var check = FirstBytes()
        let page = Array("<html>".utf8)
        #expect(page.withUnsafeBytes { check.consume($0, at: 4096) } == nil)
    }

    private func feed(_ bytes: [UInt8], by size: Int) -> MediaFailure? {
        var check = FirstBytes()
        for start in stride(from: 0, to: bytes.count, by: size) {
            let piece = bytes[start..<min(start + size, bytes.count)]
            if let failure = piece.withUnsafeBytes({ check.consume($0, at: Int64(start)) }) { return failure }
        }
        return nil
    }
}
