// SPDX-License-Identifier: GPL-3.0-or-later
import HTTPTransfer
import Testing

@Suite("AudioSniffer")
struct AudioSnifferTests {
    @Test(
        "The sniffer recognizes audio by its first bytes",
        arguments: [
            Array("ID3\u{4}".utf8), [0xFF, 0xFB, 0x90, 0x64], [0xFF, 0xF3, 0x40, 0xC4], [0xFF, 0xF1, 0x50, 0x80],
            Array("OggS".utf8), Array("fLaC".utf8), [0, 0, 0, 0x20] + Array("ftypM4A ".utf8),
            [0, 0, 0x0D, 0xAF] + Array("moov".utf8), [0, 0, 0, 8] + Array("wide".utf8),
            [0, 0, 0, 1] + Array("mdat".utf8),
            Array("RIFF....WAVE".utf8), Array("RF64....WAVE".utf8), Array("BW64....WAVE".utf8),
            Array("riff".utf8) + [0x2E, 0x91, 0xCF, 0x11, 0xA5, 0xD6, 0x28, 0xDB],
            // Formats that playback names and cannot play.
            Array("wvpk".utf8), Array("#!AMR\n".utf8), [0x30, 0x26, 0xB2, 0x75], [0x1A, 0x45, 0xDF, 0xA3],
        ] as [[UInt8]])
    func audio(bytes: [UInt8]) {
        #expect(AudioSniffer.look(at: bytes) == .audio)
    }

    @Test(
        "The sniffer recognizes a web page regardless of the text before its first tag",
        arguments: [
            "<!DOCTYPE html><html>", "<html>", "\n\n  <HTML>", "\u{FEFF}<html>", "<?xml version='1.0'?>", "<!-- x -->",
        ])
    func webPage(text: String) {
        #expect(AudioSniffer.look(at: text.utf8) == .foreign("a web page, not audio"))
    }

    @Test("Text with the name of a box is not audio")
    func text() {
        #expect(AudioSniffer.look(at: "The free software".utf8) == .unclear)
        #expect(AudioSniffer.look(at: "\n\n  wide open".utf8) == .unclear)
    }

    @Test("The sniffer names other content that is certainly not audio")
    func foreign() {
        #expect(AudioSniffer.look(at: [0x1F, 0x8B, 8]) == .foreign("gzip data, not audio"))
        #expect(AudioSniffer.look(at: [0xFF, 0xD8, 0xFF, 0xE0]) == .foreign("a picture, not audio"))
    }

    @Test(
        "The sniffer leaves all other content to the parser",
        arguments: [[], [0xFF], [0], [0x3C], Array("< 3".utf8), [0xFF, 0xFE, 0x3C, 0], [0, 0, 0, 0, 0, 0, 0, 0]]
            as [[UInt8]])
    func unclear(bytes: [UInt8]) {
        #expect(AudioSniffer.look(at: bytes) == .unclear)
    }
}
