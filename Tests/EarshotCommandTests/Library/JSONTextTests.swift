// SPDX-License-Identifier: GPL-3.0-or-later
import EarshotTestSupport
import Testing

@testable import TerminalInterface

@Suite("A document inside a document")
struct JSONTextTests {
    @Test(
        "is copied on one line",
        arguments: [
            (#"{"a":1}"#, #"{"a":1}"#),
            ("{\n \"a\" : [ 1 , 2.5e-3, -0 ],\r\n\t\"b\":null }", #"{"a":[1,2.5e-3,-0],"b":null}"#),
            ("[]", "[]"), ("{}", "{}"), (#""a\"b\\c\u00e9""#, #""a\"b\\c\u00e9""#), (" true ", "true"),
            ("\"\u{9B}\"", #""\u009b""#),
            ("\"\u{2028}\"", #""\u2028""#), ("0", "0"),
        ])
    func copied(source: String, expected: String) throws {
        #expect(JSONText(source)?.text == expected)
        #expect(try JSONDocument(parsing: source) == JSONDocument(parsing: expected))
    }

    @Test(
        "what is no JSON is none",
        arguments: [
            "", "{", "}", "[1,]", "{\"a\"}", "{\"a\":}", "{a:1}", "[1 2]", "1 2", "01", "1.", ".5", "1e", "+1",
            "--1", "nul",
            "\"a", "\"\\x\"", "\"\\u12\"", "\"\\u12g4\"", "\"a\nb\"", "'a'", "[1}", "{\"a\":1]", "NaN", "\"\\",
        ])
    func refused(source: String) {
        #expect(JSONText(source) == nil)
    }

    @Test("what is deeper than anybody writes is none, and takes no stack")
    func deep() {
        #expect(JSONText(String(repeating: "[", count: 100_000)) == nil)
        let fine = String(repeating: "[", count: 60) + String(repeating: "]", count: 60)
        #expect(JSONText(fine)?.text == fine)
    }

    @Test("it stands in an object as it is")
    func embedded() throws {
        let document = try #require(JSONText(#"{"a":[1]}"#))
        let value = JSONValue.object([.init("details", .document(document)), .init("x", .null)])
        #expect(value.description == #"{"details":{"a":[1]},"x":null}"#)
    }
}
