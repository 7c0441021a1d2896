// SPDX-License-Identifier: GPL-3.0-or-later
import Media
import Testing

@Suite("UTCTime")
struct UTCTimeTests {
    @Test(
        "The three date formats yield the same second (RFC 9110 section 5.6.7)",
        arguments: [
            "Sun, 06 Nov 1994 08:49:37 GMT", "Sunday, 06-Nov-94 08:49:37 GMT", "Sun Nov  6 08:49:37 1994",
        ])
    func forms(text: String) {
        #expect(UTCTime(httpDate: text)?.secondsSince1970 == 784_111_777)
    }

    @Test(
        "The calendar is right around leap days and epochs",
        arguments: [
            ("Thu, 01 Jan 1970 00:00:00 GMT", 0), ("Tue, 29 Feb 2000 23:59:59 GMT", 951_868_799),
            ("Wed, 01 Mar 2000 00:00:00 GMT", 951_868_800), ("Thu, 01 Mar 1900 00:00:00 GMT", -2_203_891_200),
            ("Thu, 31 Dec 2037 23:59:60 GMT", 2_145_916_800),
        ] as [(String, Int64)])
    func calendar(text: String, seconds: Int64) {
        #expect(UTCTime(httpDate: text)?.secondsSince1970 == seconds)
    }

    @Test(
        "A malformed date is refused",
        arguments: [
            "", "now", "Sun, 06 Nov 1994 08:49:37", "Sun, 06 Nov 1994 08:49:37 CET", "Sun, 32 Nov 1994 08:49:37 GMT",
            "Sun, 06 Nov 1994 24:00:00 GMT", "Sun, 06 Nov 99999 08:49:37 GMT", "Sun, 06 XXX 1994 08:49:37 GMT",
            "Sun, 06 Nov 1994 08:49 GMT", "Sun, -6 Nov 1994 08:49:37 GMT", "Thu, 29 Feb 1900 08:49:37 GMT",
        ])
    func malformed(text: String) {
        #expect(UTCTime(httpDate: text) == nil)
    }

    @Test(
        "A time is written as ISO 8601 and read back",
        arguments: [
            (0, "1970-01-01T00:00:00Z"), (-1, "1969-12-31T23:59:59Z"), (951_868_799, "2000-02-29T23:59:59Z"),
            (-2_203_891_200, "1900-03-01T00:00:00Z"), (-62_135_596_800, "0001-01-01T00:00:00Z"),
            (253_402_300_799, "9999-12-31T23:59:59Z"),
        ] as [(Int64, String)])
    func iso8601(seconds: Int64, text: String) {
        #expect(UTCTime(secondsSince1970: seconds).description == text)
        #expect(UTCTime(iso8601: text)?.secondsSince1970 == seconds)
    }

    @Test("Any stored number has a date", arguments: [Int64.min, Int64.min + 86_399, .max])
    func extremes(seconds: Int64) {
        let time = UTCTime(secondsSince1970: seconds)
        #expect(abs(time.date.year) > 9999 && (1...12).contains(time.date.month) && (1...31).contains(time.date.day))
        #expect(time.description.hasSuffix("Z"))
    }
}
