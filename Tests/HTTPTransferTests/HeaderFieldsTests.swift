// SPDX-License-Identifier: GPL-3.0-or-later
import HTTPTransfer
import Testing

@Suite("HeaderFields and ResponseHead")
struct HeaderFieldsTests {
    @Test("A field is found regardless of case, its value without surrounding whitespace")
    func lookup() {
        let fields: HeaderFields = ["Content-Type": " audio/mpeg\t"]
        #expect(fields["content-TYPE"] == "audio/mpeg")
        #expect(fields["accept-ranges"] == nil)
    }

    @Test("Of several fields with one name the last counts, and all are available")
    func repeated() {
        var fields = HeaderFields()
        fields.append("Via", "a")
        fields.append("VIA", "b")
        #expect(fields["via"] == "b")
        #expect(fields.all("via") == ["a", "b"])
    }

    @Test(
        "Content-Length counts only if it is one plain number without a transfer coding",
        arguments: [
            (["Content-Length": "0"], 0), (["Content-Length": "1234"], 1234),
            (["Content-Length": "-1"], nil), (["Content-Length": "+1"], nil), (["Content-Length": ""], nil),
            (["Content-Length": "12 34"], nil), (["Content-Length": "0x10"], nil),
            (["Content-Length": "18446744073709551616"], nil), (["Content-Length": "9223372036854775807"], nil),
            (["Content-Length": "5", "content-length": "5"], 5),
            (["Content-Length": "5", "content-length": "6"], nil),
            (["Content-Length": "5", "Transfer-Encoding": "chunked"], nil), ([:], nil),
        ] as [(HeaderFields, Int64?)])
    func contentLength(fields: HeaderFields, length: Int64?) {
        #expect(ResponseHead(status: 200, fields: fields, finalURL: "").contentLength == length)
    }

    @Test(
        "The validator is a strong ETag, else a Last-Modified older than the response (RFC 9110 section 8.8)",
        arguments: [
            (["ETag": "\"a\"", "Last-Modified": "Sun, 06 Nov 1994 08:49:37 GMT"], .strongETag("\"a\"")),
            (
                ["ETag": "W/\"a\"", "Last-Modified": "Sun, 06 Nov 1994 08:49:37 GMT"],
                .lastModified("Sun, 06 Nov 1994 08:49:37 GMT")
            ),
            (["ETag": "W/\"a\""], nil), (["ETag": "unquoted"], nil), (["ETag": "\"two\"\"\""], nil),
            (["ETag": "\"\""], .strongETag("\"\"")), (["Last-Modified": "yesterday"], nil), ([:], nil),
            (
                [
                    "Last-Modified": "Sun, 06 Nov 1994 08:49:37 GMT", "Date": "Sun, 06 Nov 1994 08:49:37 GMT",
                ], nil
            ),
            (
                [
                    "Last-Modified": "Sun, 06 Nov 1994 08:49:37 GMT", "Date": "Sun, 06 Nov 1994 08:49:38 GMT",
                ], .lastModified("Sun, 06 Nov 1994 08:49:37 GMT")
            ),
        ] as [(HeaderFields, EntityValidator?)])
    func validator(fields: HeaderFields, validator: EntityValidator?) {
        #expect(ResponseHead(status: 200, fields: fields, finalURL: "").validator == validator)
    }

    @Test("A validator is parsed from its own text, and a weak tag is refused")
    func validatorText() {
        for validator in [
            EntityValidator.strongETag("\"x-1\""), .lastModified("Sun, 06 Nov 1994 08:49:37 GMT"),
        ] {
            #expect(EntityValidator(headerText: validator.headerText) == validator)
        }
        #expect(EntityValidator(headerText: "W/\"x\"") == nil)
    }

    @Test("The media type has no parameters, and an identity coding counts as none")
    func derived() {
        let fields: HeaderFields = [
            "Content-Type": "Audio/MPEG ; charset=x", "Content-Encoding": "identity",
        ]
        let head = ResponseHead(status: 200, fields: fields, finalURL: "")
        #expect(head.contentType == "audio/mpeg")
        #expect(head.contentCoding == nil)
    }

    @Test(
        "Only the names of content codings count as such",
        arguments: [
            ("gzip", "gzip"), ("GZIP ,br", "gzip, br"), ("x-gzip", "x-gzip"), ("zstd", "zstd"), ("utf-8", nil),
            ("audio/mpeg", nil), ("none", nil), ("", nil),
        ] as [(String, String?)])
    func codings(value: String, coding: String?) {
        let fields: HeaderFields = ["Content-Encoding": value]
        #expect(ResponseHead(status: 200, fields: fields, finalURL: "").contentCoding == coding)
    }
}
