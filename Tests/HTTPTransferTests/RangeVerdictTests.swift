// SPDX-License-Identifier: GPL-3.0-or-later
import HTTPTransfer
import Media
import Testing

@Suite("RangeVerdict")
struct RangeVerdictTests {
    struct Row: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let status: Int
        let fields: HeaderFields
        var offset: Int64 = 0
        var known: Representation?
        var content = ExpectedContent.audio
        let verdict: RangeVerdict

        init(
            _ name: String, _ status: Int, _ fields: HeaderFields, at offset: Int64 = 0, known: Representation? = nil,
            for content: ExpectedContent = .audio, _ verdict: RangeVerdict
        ) {
            testDescription = name
            (self.status, self.fields, self.offset) = (status, fields, offset)
            (self.known, self.content, self.verdict) = (known, content, verdict)
        }
    }

    static let tagA = Representation(validator: .strongETag("\"a\""), total: 1000)
    static let dated = Representation(validator: .lastModified("Sun, 06 Nov 1994 08:49:37 GMT"), total: 1000)
    static let unnamed = Representation(total: 1000)
    static let noLonger = RangeVerdict.changed(
        reason: "the server no longer has the version that was partly downloaded")
    static let otherVersion = RangeVerdict.changed(reason: "the server has a different version now")
    static let webPage = "text/html"

    static let wholes = [
        Row("200 from the start", 200, ["Content-Length": "1000"], .append(total: 1000)),
        Row("200 without a length", 200, [:], .append(total: nil)),
        Row("200 at 0, same version", 200, ["ETag": "\"a\"", "Content-Length": "1000"], known: tagA,
            .append(total: 1000)),
        Row("200 at 0, different tag", 200, ["ETag": "\"b\"", "Content-Length": "1000"], known: tagA, otherVersion),
        Row("200 at 0, different length", 200, ["Content-Length": "900"], known: unnamed,
            .changed(reason: "the length changed from 1000 to 900 bytes")),
        Row("Range ignored, same tag", 200, ["ETag": "\"a\"", "Content-Length": "1000"], at: 500, known: tagA,
            .restart(total: 1000)),
        Row("Range ignored, nothing known", 200, ["Content-Length": "1000"], at: 500, .restart(total: 1000)),
        Row("Range ignored, same length, no validator", 200, ["Content-Length": "1000"], at: 500, known: unnamed,
            .restart(total: 1000)),
        Row("200 to If-Range without a validator", 200, ["Content-Length": "1000"], at: 500, known: tagA, noLonger),
        Row("200 to If-Range, different tag", 200, ["ETag": "\"b\""], at: 500, known: tagA, otherVersion),
        Row("200 to If-Range, tag became weak", 200, ["ETag": "W/\"a\""], at: 500, known: tagA, otherVersion),
        Row("200 to If-Range, different date", 200, ["Last-Modified": "Mon, 07 Nov 1994 08:49:37 GMT"], at: 500,
            known: dated, otherVersion),
        Row("200 to If-Range, same date", 200, ["Last-Modified": "Sun, 06 Nov 1994 08:49:37 GMT"], at: 500,
            known: dated, .restart(total: nil)),
    ]

    static let parts = [
        Row("206 as requested", 206, ["Content-Range": "bytes 500-999/1000", "ETag": "\"a\""], at: 500, known: tagA,
            .append(total: 1000)),
        Row("206 may be shorter than requested", 206, ["Content-Range": "bytes 500-599/1000"], at: 500, known: tagA,
            .append(total: 1000)),
        Row("206 with an unknown total keeps the known total", 206, ["Content-Range": "bytes 500-999/*"], at: 500,
            known: tagA, .append(total: 1000)),
        Row("206 of byte 0 to a whole request", 206, ["Content-Range": "bytes 0-999/1000"], .append(total: 1000)),
        Row("206 without a new validator", 206, ["Content-Range": "bytes 500-999/1000"], at: 500, known: dated,
            .append(total: 1000)),
        Row("206 with a different start", 206, ["Content-Range": "bytes 400-999/1000"], at: 500, known: tagA,
            .reject(.unusableRange("the server sent byte 400 instead of byte 500"))),
        Row("206 with a different total", 206, ["Content-Range": "bytes 500-1999/2000"], at: 500, known: unnamed,
            .changed(reason: "the length changed from 1000 to 2000 bytes")),
        Row("206 of a different version despite If-Range", 206,
            ["Content-Range": "bytes 500-999/1000", "ETag": "\"b\""], at: 500, known: tagA, otherVersion),
        Row("206 without Content-Range", 206, [:], at: 500, known: tagA,
            .reject(.unusableRange("the server sent part of the file without its byte range"))),
        Row("206 that is multipart", 206, ["Content-Type": "multipart/byteranges; boundary=x"], at: 500, known: tagA,
            .reject(.unusableRange("the server sent part of the file without its byte range"))),
        Row("206 with an unsatisfied range", 206, ["Content-Range": "bytes */1000"], at: 500, known: tagA,
            .reject(.unusableRange("the server sent part of the file without its byte range"))),
    ]

    static let unsatisfied = [
        Row("416 at the end", 416, ["Content-Range": "bytes */1000"], at: 1000, known: tagA,
            .alreadyComplete(total: 1000)),
        Row("416 at the end, nothing known", 416, ["Content-Range": "bytes */1000"], at: 1000,
            .alreadyComplete(total: 1000)),
        Row("416 without a total, at the known end", 416, [:], at: 1000, known: tagA, .alreadyComplete(total: 1000)),
        Row("416 of an empty file", 416, ["Content-Range": "bytes */0"], .alreadyComplete(total: 0)),
        Row("416 before the end", 416, ["Content-Range": "bytes */400"], at: 500, known: tagA,
            .changed(reason: "the file on the server ends before byte 500")),
        Row("416 without Content-Range", 416, [:], at: 500,
            .changed(reason: "the file on the server ends before byte 500")),
        Row("416 corrects a declared length that was too large, same tag", 416,
            ["Content-Range": "bytes */900", "ETag": "\"a\""], at: 900, known: tagA, .alreadyComplete(total: 900)),
        Row("416 of a shorter version without proof", 416, ["Content-Range": "bytes */900"], at: 900, known: unnamed,
            .changed(reason: "the length changed from 1000 to 900 bytes")),
    ]

    static let refusals =
        [204, 300, 304, 400, 402, 403, 404, 405, 407, 410, 451].map {
            Row("\($0) is final", $0, [:], at: 500, known: tagA, .reject(.status($0)))
        }
        + [webPage, "text/html; charset=utf-8", "TEXT/HTML", "application/json", "text/xml", "application/xhtml+xml"]
        .map {
            Row("\($0) may be a sign-in page", 200, ["Content-Type": $0, "Content-Length": "5"], at: 500, known: tagA,
                .reject(.webPage(type: $0.lowercased().split(separator: ";").map(String.init)[0])))
        }
        + [
            "audio/mpeg", "application/octet-stream", "video/mp4", "text/plain", webPage, "application/json",
            "application/xml", "text/xml", "application/xhtml+xml", "",
        ].map {
            Row("\($0) may be audio", 200, ["Content-Type": $0], .append(total: nil))
        }
        + [
            Row("a part of the file is no page", 206,
                ["Content-Type": webPage, "Content-Range": "bytes 500-999/1000", "ETag": "\"a\""], at: 500, known: tagA,
                .append(total: 1000)),
            Row("a part of a file that is declared as JSON", 206,
                ["Content-Type": "application/json", "Content-Range": "bytes 500-999/1000", "ETag": "\"a\""], at: 500,
                known: tagA, .append(total: 1000)),
            Row("a file that is declared as JSON, range ignored", 200,
                ["Content-Type": "application/json", "ETag": "\"a\""], at: 500, known: tagA, .restart(total: nil)),
            Row("401 is final", 401, [:], at: 500, known: tagA, .reject(.unauthorized(.none))),
            Row("a feed may be text", 200, ["Content-Type": "text/xml"], for: .feed, .append(total: nil)),
            Row("a feed may be compressed", 200, ["Content-Encoding": "gzip"], for: .feed, .append(total: nil)),
            Row("audio may not be compressed", 200, ["Content-Encoding": "gzip"], .reject(.encoded("gzip"))),
        ]

    static let troubles = [
        Row("503 with Retry-After", 503, ["Retry-After": "7"], at: 500, known: tagA,
            .retry(
                after: .seconds(7),
                reason: MediaFailure(.unavailable, "the server answered 503 Service Unavailable"))),
        Row("429 is temporary", 429, [:],
            .retry(after: nil, reason: MediaFailure(.temporary, "the server answered 429 Too Many Requests"))),
        Row("408 is temporary", 408, [:],
            .retry(after: nil, reason: MediaFailure(.temporary, "the server answered 408 Request Timeout"))),
        Row("an unassigned status", 599, [:],
            .retry(after: nil, reason: MediaFailure(.unavailable, "the server answered 599"))),
    ]

    @Test(
        "The verdict depends only on status, Content-Range, validator and type",
        arguments: wholes + parts + unsatisfied + refusals + troubles)
    func verdict(row: Row) {
        let head = ResponseHead(status: row.status, fields: row.fields, finalURL: "http://a.example/e.mp3")
        let verdict = RangeVerdict.judge(head, requested: row.offset, known: row.known, expecting: row.content)
        #expect(verdict == row.verdict)
    }

    @Test(
        "A rejection becomes a failure with a reason for the listener",
        arguments: [
            (.status(404), MediaFailure(.missing, "the server answered 404 Not Found")),
            (.status(410), MediaFailure(.missing, "the server answered 410 Gone")),
            (
                .unauthorized(.none),
                MediaFailure(
                    .forbidden, "the server answered 401 Unauthorized: it needs a password", needsPassword: true)
            ),
            (
                .unauthorized(.sent),
                MediaFailure(.forbidden, "the server answered 401 Unauthorized: the password was refused")
            ),
            (
                .unauthorized(.withheld),
                MediaFailure(
                    .forbidden,
                    "the server answered 401 Unauthorized: it needs a password, and the given password is for the "
                        + "server that redirected here")
            ),
            (.status(451), MediaFailure(.forbidden, "the server answered 451 Unavailable For Legal Reasons")),
            (.status(304), MediaFailure(.badProtocol, "the server answered 304 Not Modified")),
            (.webPage(type: "text/html"), MediaFailure(.badData, "the server sent a web page, not audio")),
        ] as [(HTTPRejection, MediaFailure)])
    func phrases(rejection: HTTPRejection, failure: MediaFailure) {
        #expect(rejection.mediaFailure == failure)
        #expect(!rejection.mayWorkWithoutRange)
    }
}
