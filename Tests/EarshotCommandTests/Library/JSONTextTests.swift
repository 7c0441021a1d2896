// SPDX-License-Identifier: GPL-3.0-or-later
import EarshotTestSupport
import Testing

@testable import TerminalInterface

@Suite("A JSON document inside another one")
struct JSONTextTests {
    @Test(
        "A document is copied as one line",
        arguments: [
            (#"{"a":1}"#, #"{"a":1}"#),
            ("{\n \"a\" : [ 1 , 2.5e-3, -0 ],\r\n\t\"b\":null }", #"{"a":[1,2.5e-3,-0],"b":null}"#),
            ("[]", "[]"), ("{}", "{}"), (#""a\"b\\c\u00e9""#, #""a\"b\\c\u00e9""#), (" true ", "true"),
            ("\"\u{9B}\"", #""\u009b""#), (#"[",]",",}"]"#, #"[",]",",}"]"#),
            ("\"\u{2028}\"", #""\u2028""#), ("0", "0"),
        ])
    func copied(source: String, expected: String) throws {
        #expect(JSONText(source)?.text == expected)
        #expect(try JSONDocument(parsing: source) == JSONDocument(parsing: expected))
    }

    @Test(
        "Invalid JSON is rejected",
        arguments: [
            "", "{", "}", "[1,]", "{\"a\"}", "{\"a\":}", "{a:1}", "[1 2]", "1 2", "01", "1.", ".5", "1e", "+1",
            "--1", "nul",
            "\"a", "\"\\x\"", "\"\\u12\"", "\"\\u12g4\"", "\"a\nb\"", "'a'", "[1}", "{\"a\":1,}", "[[1 , ] ]",
            "{\"a\":1]", "NaN", "\"\\",
        ])
    func refused(source: String) {
        #expect(JSONText(source) == nil)
    }

    @Test("Very deep nesting is rejected without deep recursion")
    func deep() {
        #expect(JSONText(String(repeating: "[", count: 100_000)) == nil)
        let fine = String(repeating: "[", count: 60) + String(repeating: "]", count: 60)
        #expect(JSONText(fine)?.text == fine)
    }

    @Test("A document is embedded in an object unchanged")
    func embedded() throws {
        let document = try #require(JSONText(#"{"a":[1]}"#))
        let value = JSONValue.object([.init("details", .document(document)), .init("x", .null)])
        #expect(value.description == #"{"details":{"a":[1]},"x":null}"#)
    }
}
