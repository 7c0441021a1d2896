// SPDX-License-Identifier: GPL-3.0-or-later
@testable import HTTPTransfer
import Testing

@Suite("PageText")
struct PageTextTests {
    @Test("A page becomes one line of visible text")
    func line() {
        let page = "<html>\r\n\t<p>Sign\u{202E} in\u{200B}</p>\u{1B}[31m \u{85}Ünïcode</html>\n"
        #expect(PageText.of(page.utf8, urls: ["http://a/"]) == "<html> <p>Sign in</p>[31m Ünïcode</html>")
    }

    @Test("The text has at most 500 characters of the first 2 KiB")
    func length() {
        #expect(PageText.of(String(repeating: "ab ", count: 5000).utf8, urls: [""])?.count == 500)
        #expect(PageText.of((String(repeating: " ", count: 2048) + "late").utf8, urls: [""]) == nil)
    }

    @Test("The values of the address's query are blotted out")
    func secrets() {
        let page = #"{"error": "no file for /e?token=0123456789&amp;id=7", "sig": "abcdefgh"}"#
        let text = PageText.of(page.utf8, urls: ["http://a/e?token=0123456789&id=7&sig=abcdefgh"])
        #expect(text == #"{"error": "no file for /e?token=…&amp;id=7", "sig": "…"}"#)
    }

    @Test("Each section of a random part of the path is masked")
    func pathSecrets() {
        let url = "http://a/e/header7890123456789.payload8901234567.signature01234.mp3"
        let page = "no payload8901234567 in header7890123456789; signature01234"
        #expect(PageText.of(page.utf8, urls: [url]) == "no … in …; …")
    }

    @Test(
        "Audio and other binary data yield no text",
        arguments: [[], [0xFF, 0xFB, 0x90, 0x64], Array("ID3\u{4}".utf8), [0, 1, 2, 3]])
    func noText(bytes: [UInt8]) {
        #expect(PageText.of(bytes, urls: [""]) == nil)
    }
}
