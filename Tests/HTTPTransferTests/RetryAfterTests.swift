// SPDX-License-Identifier: GPL-3.0-or-later
import HTTPTransfer
import Testing

@Suite("RetryAfter")
struct RetryAfterTests {
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
