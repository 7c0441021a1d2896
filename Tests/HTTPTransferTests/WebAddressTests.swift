// SPDX-License-Identifier: GPL-3.0-or-later
import Media
import Testing

@testable import HTTPTransfer

@Suite("WebAddress")
struct WebAddressTests {
    private func resolve(_ reference: String, against base: String) throws -> WebAddress {
        let (address, _) = try WebAddress.parse(base)
        return try WebAddress.parse(reference, relativeTo: address).0
    }

    @Test(
        "User info and fragment are removed, and numeric hosts are normalized",
        arguments: [
            ("HTTPS://A.Example/e?x=1#frag", "https://A.Example/e?x=1", "a.example", 443),
            ("http://me:secret@a.example:8080/e", "http://a.example:8080/e", "a.example", 8080),
            ("http://a.example", "http://a.example/", "a.example", 80),
            ("http://0x7f.1/", "http://127.0.0.1/", "127.0.0.1", 80),
            ("http://2130706433/", "http://127.0.0.1/", "127.0.0.1", 80),
            ("http://0177.0.0.1/", "http://127.0.0.1/", "127.0.0.1", 80),
            ("http://[::FFFF:127.0.0.1]:81/", "http://[::ffff:127.0.0.1]:81/", "[::ffff:127.0.0.1]", 81),
        ])
    func parts(text: String, shown: String, host: String, port: Int) throws {
        let (address, _) = try WebAddress.parse(text)
        #expect(address.text.lowercased() == shown.lowercased())
        #expect(address.origin.host == host)
        #expect(address.origin.port == port)
    }

    @Test(
        "Credentials are decoded and separate from the address",
        arguments: [
            ("http://me:pw@a/", Credentials(user: "me", password: "pw")),
            ("http://me%40b:p%3Aw%2F@a/", Credentials(user: "me@b", password: "p:w/")),
            ("http://me@a/", Credentials(user: "me", password: "")),
            ("http://:pw@a/", Credentials(user: "", password: "pw")),
            ("http://@a/", nil), ("http://a/@b", nil),
        ] as [(String, Credentials?)])
    func credentials(text: String, credentials: Credentials?) throws {
        #expect(try WebAddress.parse(text).1 == credentials)
        #expect(credentials.map { "\($0)" } ?? "credentials" == "credentials")
    }

    @Test(
        "References are resolved according to RFC 3986 section 5",
        arguments: [
            ("b.mp3", "http://h/x/b.mp3"), ("./b", "http://h/x/b"), ("../b", "http://h/b"),
            ("../../../b", "http://h/b"), ("/b", "http://h/b"), ("?q=1", "http://h/x/a?q=1"),
            ("//g:81/b", "http://g:81/b"),
            ("https://g/b", "https://g/b"), ("my show/ü", "http://h/x/my%20show/%C3%BC"),
            ("//me:secret@g/b", "http://g/b"), ("#frag", "http://h/x/a?old"),
            ("b?u=http://x/ y", "http://h/x/b?u=http://x/%20y"),
        ])
    func references(reference: String, result: String) throws {
        #expect(try resolve(reference, against: "http://me:pw@h/x/a?old").text == result)
    }

    @Test(
        "Any other scheme is refused by name, absolute or in a reference",
        arguments: ["file", "ftp", "gopher", "dict", "smb", "scp", "data", "unix", "javascript", "concat", "ws"])
    func schemes(scheme: String) {
        for text in ["\(scheme)://h/x", "\(scheme):x", scheme.uppercased() + ":///etc/passwd"] {
            #expect(throws: TransferError.forbiddenScheme(scheme)) { try WebAddress.parse(text) }
            #expect(throws: TransferError.forbiddenScheme(scheme)) { try resolve(text, against: "http://h/") }
        }
    }

    @Test(
        "A malformed address is refused without showing its secrets",
        arguments: [
            "", " ", "a.example/e", "http://", "http:///", "http://a b/", "http://[::1", "http://a:99999/",
            "http://a:b/", "http://me:secret%00@a/", "http://me:secret%0D%0AX@a/", "http://a\r\nX: y/", "  ",
            "http://a/\r\nX: y", "http://a/\0",
            "http://" + String(repeating: "a", count: 254) + "/",
        ])
    func malformed(text: String) {
        #expect(throws: TransferError.badURL(RedactedURL(text).description)) { try WebAddress.parse(text) }
        #expect(!RedactedURL(text).description.contains("secret"))
    }
}
