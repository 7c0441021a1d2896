// SPDX-License-Identifier: GPL-3.0-or-later
import Media
import Testing

@testable import ProgressiveDownload

@Suite("FirstBytes")
struct FirstBytesTests {
    private static let filler = String(repeating: "lorem ipsum ", count: 100)

    @Test(
        "Web pages, feeds and JSON are detected however the bytes are split",
        arguments: [
            "<!DOCTYPE html>", "  \r\n<html>", "<?xml version='1.0'?>", "\u{FEFF}<rss>", "{\"error\": \"", "[1, ",
        ],
        [1, 7, 100_000])
    func pages(start: String, size: Int) {
        let failure = feed(Array((start + Self.filler).utf8), by: size)
        #expect(failure == MediaFailure(.badData, "the server sent a web page, not audio"))
    }

    @Test("Audio passes, and so do unusual bytes", arguments: [1, 7, 100_000])
    func audio(size: Int) {
        #expect(feed(episode(5000), by: size) == nil)
        #expect(feed([0xFF, 0xFB, 0x90, 0x00] + episode(5000), by: size) == nil)
        #expect(feed([UInt8](repeating: 0, count: 5000), by: size) == nil)
        #expect(feed(Array("{".utf8) + episode(5000), by: size) == nil)
    }

    @Test("Text is not audio when it ends, and audio is settled with its first bytes", arguments: [10, 5000])
    func ends(count: Int) {
        var (text, audio) = (FirstBytes(), FirstBytes())
        let words = [UInt8](repeating: 0x61, count: count)
        let failure = words.withUnsafeBytes { text.consume($0, at: 0) }
        let none = episode(count).withUnsafeBytes { audio.consume($0, at: 0) }
        #expect(failure == nil && !text.isSettled)
        #expect(text.faultAtEnd == MediaFailure(.badData, "the server sent no audio"))
        #expect(none == nil && audio.isSettled && audio.faultAtEnd == nil)
    }

    @Test("Bytes that are not the start of the file are not checked")
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
