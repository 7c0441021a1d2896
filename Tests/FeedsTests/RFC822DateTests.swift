// SPDX-License-Identifier: GPL-3.0-or-later
import Podcasts
import Testing

@testable import Feeds

@Suite("RFC822Date")
struct RFC822DateTests {
    @Test(
        "a date is read whatever its dress",
        arguments: [
            // RFC 822, 5, with four-digit years
            ("Thu, 29 Feb 2024 18:30:00 +0100", "2024-02-29T17:30:00Z"),
            ("Thu, 29 Feb 2024 18:30 GMT", "2024-02-29T18:30:00Z"),
            ("29 Feb 2024 18:30:00 UT", "2024-02-29T18:30:00Z"),
            ("Thu, 29 Feb 24 18:30:00 Z", "2024-02-29T18:30:00Z"),
            ("Mon, 1 Jul 1996 06:00:00 EDT", "1996-07-01T10:00:00Z"),
            ("Mon, 01 Jul 96 06:00:00 PST", "1996-07-01T14:00:00Z"),
            ("Sun, 31 Dec 69 23:59:60 GMT", "2070-01-01T00:00:00Z"),
            ("Thu, 01 Jan 70 00:00:01 GMT", "1970-01-01T00:00:01Z"),
            ("Tue, 31 Dec 2024 23:30:00 -0100", "2025-01-01T00:30:00Z"),
            ("Tue, 31 Dec 2024 23:30:00 +05:30", "2024-12-31T18:00:00Z"),
            // what publishers make of it
            ("Thursday, 29 February 2024 18:30:00 GMT+0200", "2024-02-29T16:30:00Z"),
            ("Thu 29 Feb 2024 18:30:00 CEST", "2024-02-29T16:30:00Z"),
            ("Fri, 6 Sept 2024 1:02:03 +0000", "2024-09-06T01:02:03Z"),
            ("February 29, 2024 6:30 PM", "2024-02-29T18:30:00Z"),
            ("29-Feb-2024", "2024-02-29T00:00:00Z"),
            ("Thu Feb 29 18:30:00 2024", "2024-02-29T18:30:00Z"),
            ("  Thu, 29 Feb 2024 18:30:00 XYZ ", "2024-02-29T18:30:00Z"),
            // RFC 3339 and ISO 8601
            ("2024-02-29T18:30:00Z", "2024-02-29T18:30:00Z"),
            ("2024-02-29T18:30:00.1234567+01:00", "2024-02-29T17:30:00Z"),
            ("2024-02-29 18:30:00 -0500", "2024-02-29T23:30:00Z"),
            ("2024-02-29", "2024-02-29T00:00:00Z"),
            ("20240229T183000Z", "2024-02-29T18:30:00Z"),
            ("2024/02/29 18:30", "2024-02-29T18:30:00Z"),
        ])
    func reads(_ text: String, _ expected: String) {
        #expect(RFC822Date.parse(text.utf8)?.description == expected)
    }

    @Test(
        "nonsense is no date",
        arguments: [
            "", " ", "yesterday", "0000-00-00 00:00:00", "Thu, 30 Feb 2024 18:30:00 GMT", "1709231400",
            "Thu, 29 Feb 2024 25:30:00 GMT", "2023-02-29", "Feb 2024", "99999999999999999999", "0001-01-01T00:00:00Z",
            "2024-13-01", "29 Feb 2024 18:99",
        ])
    func refuses(_ text: String) {
        #expect(RFC822Date.parse(text.utf8) == nil)
    }

    @Test("every day of four centuries comes back as it went in")
    func roundTrips() throws {
        var random = SplitMix(state: 1)
        for _ in 0..<2_000 {
            let seconds = Int64(random.next() % 12_000_000_000)
            let time = UTCTime(secondsSince1970: seconds)
            #expect(RFC822Date.parse(time.description.utf8) == time)
        }
    }
}
