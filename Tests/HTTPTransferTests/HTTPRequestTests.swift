// SPDX-License-Identifier: GPL-3.0-or-later
import Testing

@testable import HTTPTransfer

@Suite("HTTPRequest")
struct HTTPRequestTests {
    @Test("The description of a request has no secrets")
    func request() {
        let request = HTTPRequest(url: "https://me:secret@a.example/e?secret", range: 5)
        #expect("\(request)" == "GET https://a.example/e, bytes 5-")
    }

    @Test("A half-open range is sent as an inclusive one, and an impossible range is not sent")
    func rangeText() {
        #expect(HTTPRequest(url: "", range: 0).rangeText == "0-")
        #expect(HTTPRequest(url: "", range: 500, rangeEnd: 1000).rangeText == "500-999")
        #expect(HTTPRequest(url: "", range: 500, rangeEnd: 500).rangeText == nil)
        #expect(HTTPRequest(url: "", range: -1).rangeText == nil)
        #expect(HTTPRequest(url: "", rangeEnd: 500).rangeText == nil)
    }
}
