// SPDX-License-Identifier: GPL-3.0-or-later
@testable import HTTPTransfer
import Testing

@Suite("ProxyChoice")
struct ProxyChoiceTests {
    private func proxy(_ url: String, _ variables: [String: String]) throws -> String? {
        ProxyChoice(variables: variables).proxy(for: try WebAddress.parse(url).0.origin)
    }

    @Test(
        "The scheme's variable takes precedence over the general one, and lower case over upper case",
        arguments: [
            ([:], nil, nil), (["http_proxy": "p"], "p", nil), (["https_proxy": "p"], nil, "p"),
            (["HTTPS_PROXY": "P"], nil, "P"), (["https_proxy": "p", "HTTPS_PROXY": "P"], nil, "p"),
            // HTTP_PROXY is ignored, since a web server sets it from a request's Proxy field.
            (["HTTP_PROXY": "P"], nil, nil), (["all_proxy": "a"], "a", "a"), (["ALL_PROXY": "A"], "A", "A"),
            (["http_proxy": "p", "all_proxy": "a"], "p", "a"), (["http_proxy": ""], nil, nil),
        ] as [([String: String], String?, String?)])
    func scheme(variables: [String: String], http: String?, https: String?) throws {
        #expect(try proxy("http://a.example/", variables) == http)
        #expect(try proxy("https://a.example/", variables) == https)
    }

    @Test(
        "no_proxy exempts names with their subdomains, numeric hosts and networks",
        arguments: [
            ("a.example", "a.example", true), ("a.example", "b.a.example", true), (".a.example", "b.a.example", true),
            (".a.example", "a.example", true), ("a.example", "ba.example", false), ("*", "a.example", true),
            ("x, A.Example", "a.example", true), ("10.0.0.0/8", "10.1.2.3", true), ("10.0.0.0/8", "11.1.2.3", false),
            ("127.0.0.1", "127.0.0.1", true), ("::1", "[::1]", true), ("fc00::/7", "[fd00::1]", true),
            ("", "a.example", false), (".", "a.example", false), ("10.0.0.0/99", "10.1.2.3", false),
        ])
    func exempt(list: String, host: String, isExempt: Bool) throws {
        for name in ["no_proxy", "NO_PROXY"] {
            #expect(try proxy("http://\(host):8080/", ["http_proxy": "p", name: list]) == (isExempt ? nil : "p"))
        }
    }
}
