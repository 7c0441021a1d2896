// SPDX-License-Identifier: GPL-3.0-or-later
import HTTPTransfer
import Testing

@Suite("RetryAfter and HTTPDate")
struct RetryAfterTests {
    @Test(
        "The three date formats yield the same second (RFC 9110 section 5.6.7)",
        arguments: [
            "Sun, 06 Nov 1994 08:49:37 GMT", "Sunday, 06-Nov-94 08:49:37 GMT", "Sun Nov  6 08:49:37 1994",
        ])
    func forms(text: String) {
        #expect(HTTPDate(headerText: text)?.secondsSinceEpoch == 784_111_777)
    }

    @Test(
        "The calendar is right around leap days and epochs",
        arguments: [
            ("Thu, 01 Jan 1970 00:00:00 GMT", 0), ("Tue, 29 Feb 2000 23:59:59 GMT", 951_868_799),
            ("Wed, 01 Mar 2000 00:00:00 GMT", 951_868_800), ("Thu, 01 Mar 1900 00:00:00 GMT", -2_203_891_200),
            ("Thu, 31 Dec 2037 23:59:60 GMT", 2_145_916_800),
        ] as [(String, Int64)])
    func calendar(text: String, seconds: Int64) {
        #expect(HTTPDate(headerText: text)?.secondsSinceEpoch == seconds)
    }

    @Test(
        "A malformed date is refused",
        arguments: [
            "", "now", "Sun, 06 Nov 1994 08:49:37", "Sun, 06 Nov 1994 08:49:37 CET", "Sun, 32 Nov 1994 08:49:37 GMT",
            "Sun, 06 Nov 1994 24:00:00 GMT", "Sun, 06 Nov 99999 08:49:37 GMT", "Sun, 06 XXX 1994 08:49:37 GMT",
            "Sun, 06 Nov 1994 08:49 GMT", "Sun, -6 Nov 1994 08:49:37 GMT",
        ])
    func malformed(text: String) {
        #expect(HTTPDate(headerText: text) == nil)
    }

    @Test(
        "A delay is used unchanged, a date is relative to the response's Date, and an hour is the maximum",
        arguments: [
            (["Retry-After": "120"], .seconds(120)), (["Retry-After": "86400"], .seconds(3600)),
            (["Retry-After": "999999999999999"], .seconds(3600)), (["Retry-After": "99999999999999999999"], nil),
            (["Retry-After": "0"], .zero),
            (["Retry-After": "soon"], nil), (["Retry-After": "-5"], nil), ([:], nil),
            (
                ["Retry-After": "Sun, 06 Nov 1994 08:49:37 GMT", "Date": "Sun, 06 Nov 1994 08:49:30 GMT"],
                .seconds(7)
            ),
            (["Retry-After": "Sun, 06 Nov 1994 08:49:37 GMT", "Date": "Sun, 06 Nov 1994 09:00:00 GMT"], .zero),
            (
                ["Retry-After": "Sun, 06 Nov 2094 08:49:37 GMT", "Date": "Sun, 06 Nov 1994 09:00:00 GMT"],
                .seconds(3600)
            ),
            (["Retry-After": "Sun, 06 Nov 1994 08:49:37 GMT"], nil),
        ] as [(HeaderFields, Duration?)])
    func delay(fields: HeaderFields, delay: Duration?) {
        #expect(ResponseHead(status: 503, fields: fields, finalURL: "").retryDelay == delay)
    }
}
