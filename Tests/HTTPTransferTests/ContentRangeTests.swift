// SPDX-License-Identifier: GPL-3.0-or-later
import HTTPTransfer
import Testing

@Suite("ContentRange")
struct ContentRangeTests {
    @Test(
        "A Content-Range is parsed as RFC 9110 section 14.4 defines it",
        arguments: [
            ("bytes 0-499/1234", .part(0..<500, total: 1234)), ("bytes 500-1233/1234", .part(500..<1234, total: 1234)),
            ("bytes 42-1233/*", .part(42..<1234, total: nil)), ("bytes */1234", .unsatisfied(total: 1234)),
            ("bytes */0", .unsatisfied(total: 0)), ("Bytes 0-0/1", .part(0..<1, total: 1)),
            ("bytes  0-0/1", .part(0..<1, total: 1)),
        ] as [(String, ContentRange)])
    func valid(text: String, range: ContentRange) {
        #expect(ContentRange(headerText: text) == range)
    }

    @Test(
        "A contradictory or malformed Content-Range is refused",
        arguments: [
            "", "bytes", "bytes 0-499", "bytes 499-0/1234", "bytes 0-1234/1234", "bytes */*", "bytes -5/10",
            "bytes 5-/10", "bytes a-b/10", "bytes 0-4/x", "items 0-4/10", "bytes=0-4/10", "bytes 0-4/10/10",
            "bytes 0--4/10", "bytes 0-18446744073709551615/18446744073709551616", "bytes 0-9223372036854775807/*",
        ])
    func malformed(text: String) {
        #expect(ContentRange(headerText: text) == nil)
    }
}
