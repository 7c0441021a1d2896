// SPDX-License-Identifier: GPL-3.0-or-later
import HTTPTransfer
import Testing

@testable import ProgressiveDownload

@Suite("DownloadOrigin")
struct DownloadOriginTests {
    private static let date = "Sun, 06 Nov 1994 08:49:37 GMT"

    @Test("Validators are written and read back")
    func roundTrip() throws {
        let origin = try #require(
            DownloadOrigin(RequestConditions(etag: "W/\"a\\b\"", lastModified: Self.date), total: .max))
        #expect(
            origin.text == #"{"etag":"W/\"a\\b\"","lastModified":"\#(Self.date)","total":9223372036854775807}"# + "\n")
        #expect(DownloadOrigin(text: origin.text.utf8) == origin)
    }

    @Test("Validators that an earlier version stored are read")
    func earlier() {
        let text = #"{"etag":null,"lastModified":"\#(Self.date)","total":300000}"# + "\n"
        let origin = DownloadOrigin(text: text.utf8)
        #expect(origin == DownloadOrigin(RequestConditions(lastModified: Self.date), total: 300_000))
        #expect(origin != nil)
    }

    @Test(
        "Damaged text has no validators",
        arguments: [
            "", "null", "[]", "{}", "{", #"{"etag":"\"a\"","lastModified":null}"#, #"{"etag":null,"total":1}"#,
            #"{"etag":1,"total":1}"#, #"{"etag":"\"a\"","total":"1"}"#, #"{"etag":"\"a\"","total":1}}"#,
            #"{"etag":"\"a\"","total":99999999999999999999}"#, String(repeating: "[", count: 16_000),
        ])
    func damaged(text: String) {
        #expect(DownloadOrigin(text: text.utf8) == nil)
    }
}
