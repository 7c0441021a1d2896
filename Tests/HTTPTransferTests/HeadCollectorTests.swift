// SPDX-License-Identifier: GPL-3.0-or-later
@testable import HTTPTransfer
import Testing

@Suite("HeadCollector")
struct HeadCollectorTests {
    private func collect(_ lines: [String]) -> HeadCollector? {
        var collector = HeadCollector()
        for line in lines {
            let isTaken = Array(line.utf8).withUnsafeBytes { collector.append($0) }
            guard isTaken else { return nil }
        }
        return collector
    }

    @Test("The collector keeps the fields of the last response, after interim ones and redirects")
    func lastResponse() {
        let collector = collect([
            "HTTP/1.1 103 Early Hints\r\n", "Link: </x>\r\n", "\r\n", "HTTP/1.1 302 Found\r\n", "Location: /b\r\n",
            "\r\n", "HTTP/2 200 \r\n", "etag: \"a\"\r\n", "\r\n",
        ])
        #expect(collector?.fields == ["ETag": "\"a\""])
    }

    @Test("Trailers do not change a head")
    func trailers() {
        let collector = collect(["HTTP/1.1 200 OK\r\n", "ETag: \"a\"\r\n", "\r\n", "ETag: \"b\"\r\n", "\r\n"])
        #expect(collector?.fields["etag"] == "\"a\"")
    }

    @Test("Lines without a name or a colon are ignored")
    func malformed() {
        let collector = collect(["HTTP/1.1 200 OK\r\n", ": x\r\n", "no colon\r\n", "A:\r\n", "\r\n"])
        #expect(collector?.fields == ["a": ""])
    }

    @Test("A head may have 64 KiB, and all heads together 256 KiB")
    func limits() {
        let line = "X: " + String(repeating: "x", count: 1019) + "\r\n"
        #expect(collect(["HTTP/1.1 200 OK\r\n"] + Array(repeating: line, count: 63)) != nil)
        #expect(collect(["HTTP/1.1 200 OK\r\n"] + Array(repeating: line, count: 64)) == nil)
        let interim = ["HTTP/1.1 103 X\r\n"] + Array(repeating: line, count: 32) + ["\r\n"]
        #expect(collect(Array(repeating: interim, count: 7).flatMap { $0 }) != nil)
        #expect(collect(Array(repeating: interim, count: 8).flatMap { $0 }) == nil)
    }
}
