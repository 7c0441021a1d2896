// SPDX-License-Identifier: GPL-3.0-or-later
import EarshotTestSupport
import Media
import Testing

@Suite("JSON parser")
struct JSONParserTests {
    @Test(
        "A valid document has its value",
        arguments: [
            ("null", .null), (" true ", .bool(true)), ("-0", .integer(0)), ("12", .integer(12)),
            ("9223372036854775807", .integer(.max)), ("9223372036854775808", .number("9223372036854775808")),
            ("1.5e3", .number("1.5e3")), ("\"\"", .string("")), ("\"a\\n\\u00e9\\ud83d\\ude00\"", .string("a\né😀")),
            ("[]", .array([])), ("[1,[null]]", .array([.integer(1), .array([.null])])), ("{}", .object([])),
            ("{\"a\":1,\"a\":2}", .object([.init("a", .integer(1)), .init("a", .integer(2))])),
        ] as [(String, JSONValue)])
    func valid(text: String, value: JSONValue) throws {
        #expect(try JSONValue(parsing: text) == value)
    }

    @Test(
        "A malformed document is rejected",
        arguments: [
            "", " ", "tru", "nulll", "1 2", "01", "1.", ".5", "1e", "+1", "-", "[1,]", "[1 2]", "[", "{\"a\"}",
            "{\"a\":1,}", "{a:1}", "{\"a\":}", "\"a", "\"\\x\"", "\"\\u12g4\"", "\"\\ud800\"", "\"\\udc00\"",
            "\"\\ud800\\u0041\"", "\"a\u{1}\"", "\"\n\"", "]", "}", "\u{FEFF}1", "'a'", "NaN", "0x10",
        ])
    func malformed(text: String) {
        #expect(throws: JSONError.self) { try JSONValue(parsing: text) }
    }

    @Test("Nesting is accepted up to the limit")
    func nesting() throws {
        func nested(_ depth: Int) -> String {
            String(repeating: "[", count: depth) + String(repeating: "]", count: depth)
        }
        #expect(throws: Never.self) { try JSONValue(parsing: nested(JSONValue.deepest)) }
        #expect(throws: JSONError.tooDeep) { try JSONValue(parsing: nested(JSONValue.deepest + 1)) }
        #expect(throws: JSONError.tooDeep) { try JSONValue(parsing: String(repeating: "{\"a\":[", count: 1 << 16)) }
    }

    @Test("A number beyond the range of Double has no value")
    func hugeNumber() throws {
        let digits = String(repeating: "9", count: 60_000)
        #expect(try JSONValue(parsing: digits).double == nil)
        #expect(try JSONValue(parsing: "1e999999999").double == nil)
        #expect(try JSONValue(parsing: "-1e-999999999").double == 0)
    }

    @Test(
        "A number of seconds is a duration unless it is negative or beyond a billion",
        arguments: [
            ("12.5", .milliseconds(12_500)), ("0", .zero), ("1e9", .seconds(1_000_000_000)), ("-0.5", nil),
            ("1000000001", nil), ("\"12\"", nil), ("null", nil),
        ] as [(String, Duration?)])
    func duration(text: String, duration: Duration?) throws {
        #expect(try JSONValue(parsing: text).duration == duration)
    }

    @Test("A duration without a known quality is an estimate")
    func quality() throws {
        let exact = try JSONValue(parsing: #"{"duration":60,"durationQuality":"exact"}"#)
        #expect(MediaDuration(exact) == .exact(.seconds(60)))
        #expect(MediaDuration(try JSONValue(parsing: #"{"duration":60}"#)) == .estimated(.seconds(60)))
        #expect(MediaDuration(try JSONValue(parsing: #"{"duration":null}"#)) == .unknown)
    }

    @Test("Every written document is parsed back to the same document", arguments: 0..<50)
    func roundTrip(seed: UInt64) throws {
        var generator = SeededGenerator(seed: seed)
        let document = JSONValue.random(&generator, depth: 5)
        #expect(try JSONValue(parsing: document.description) == document)
    }
}

extension JSONValue {
    /// Returns a random document.
    static func random(_ generator: inout SeededGenerator, depth: Int) -> JSONValue {
        switch Int.random(in: 0..<(depth > 0 ? 7 : 5), using: &generator) {
        case 0: .null
        case 1: .bool(Bool.random(using: &generator))
        case 2: .integer(Int64.random(in: .min ... .max, using: &generator))
        case 3: .number("\(Int.random(in: -9...9, using: &generator)).\(Int.random(in: 1...99, using: &generator))e7")
        case 4: .string(text(&generator))
        case 5: .array((0..<Int.random(in: 0..<4, using: &generator)).map { _ in random(&generator, depth: depth - 1) })
        default:
            .object(
                (0..<Int.random(in: 0..<4, using: &generator)).map { _ in
                    Member(text(&generator), random(&generator, depth: depth - 1))
                })
        }
    }

    private static func text(_ generator: inout SeededGenerator) -> String {
        let scalars: [Unicode.Scalar] = ["a", "\"", "\\", "\n", "\u{0}", "\u{7F}", "\u{85}", "é", "\u{2028}", "😀"]
        var text = ""
        for _ in 0..<Int.random(in: 0..<12, using: &generator) {
            text.unicodeScalars.append(scalars[Int.random(in: 0..<scalars.count, using: &generator)])
        }
        return text
    }
}
