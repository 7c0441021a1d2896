// SPDX-License-Identifier: GPL-3.0-or-later
import Media
import Testing

@Suite("NormalizedURL")
struct NormalizedURLTests {
    private let one = NormalizedURL("https://a.example/f?x=1")

    @Test(
        "Addresses are equal if only login, fragment, last slash, default port or the case of the host differ",
        arguments: ["https://me:pw@a.example/f?x=1", "HTTPS://A.EXAMPLE/f/?x=1#y", "https://a.example:443/f?x=1"])
    func same(text: String) {
        #expect(NormalizedURL(text) == one)
    }

    @Test(
        "Any other difference makes two addresses",
        arguments: [
            "http://a.example/f?x=1", "https://a.example/F?x=1", "https://a.example/f", "https://a.example:80/f?x=1",
            "https://b.example/f?x=1", "https://a.example/f?X=1",
        ])
    func other(text: String) {
        #expect(NormalizedURL(text) != one)
    }

    @Test("Without the scheme, http and https are equal")
    func withoutScheme() {
        #expect(NormalizedURL("http://A.example:80/f/?x=1").withoutScheme == "a.example/f?x=1")
        #expect(NormalizedURL("a.example/f/?x=1").withoutScheme == one.withoutScheme)
    }

    @Test(
        "A password stays within an origin, and moves to TLS on the same host; only the whole address is an upgrade",
        arguments: [
            ("https://a.example/f", "https://a.example/g", true, false),
            ("http://a.example/f", "https://a.example/f/", true, true),
            ("http://a.example/f", "https://a.example/g", true, false),
            ("http://a.example:8080/f", "https://a.example/f", false, false),
            ("http://a.example:8080/f", "https://a.example:8080/f", false, false),
            ("https://a.example/f", "http://a.example/f", false, false),
            ("https://a.example/f", "https://b.example/f", false, false),
            ("https://a.example/f", "https://a.example@b.example/f", false, false),
            ("https://a.example/f", "https://b.example\\@a.example/f", true, false),
        ])
    func moves(former: String, url: String, keepsPassword: Bool, isUpgrade: Bool) {
        #expect(NormalizedURL(url).keepsPassword(of: NormalizedURL(former)) == keepsPassword)
        #expect(NormalizedURL(url).isUpgrade(of: NormalizedURL(former)) == isUpgrade)
    }
}
