// SPDX-License-Identifier: GPL-3.0-or-later
import Media
import Testing

@Suite("JSONWriter")
struct JSONWriterTests {
    private func text(_ escaping: JSONWriter.Escaping = .required, _ write: (inout JSONWriter) -> Void) -> String {
        var json = JSONWriter(escaping)
        write(&json)
        return json.text
    }

    @Test("Commas separate the values of arrays and objects")
    func nesting() {
        let text = text { json in
            json.object { json in
                json.field("a", 1)
                json.field("left out", nil as String?)
                json.key("b")
                json.array { json in
                    json.array { _ in }
                    json.object { _ in }
                    json.null()
                    json.bool(false)
                    json.document(#"{"x":[]}"#)
                    json.string("")
                }
                json.field("c", true)
                json.field("d", "[")
                json.field("e", Int64.min)
            }
        }
        #expect(text == #"{"a":1,"b":[[],{},null,false,{"x":[]},""],"c":true,"d":"[","e":-9223372036854775808}"#)
    }

    @Test(
        "Strings are escaped as the reader requires",
        arguments: [
            (#"a"b\c/d"#, #""a\"b\\c/d""#, #""a\"b\\c/d""#),
            ("\n\r\t\u{0}\u{1B}\u{7F}", #""\n\u000d\u0009\u0000\u001b\u007f""#, #""\n\r\t\u0000\u001b\u007f""#),
            ("\u{80}\u{9F}\u{A0}", "\"\u{80}\u{9F}\u{A0}\"", "\"\\u0080\\u009f\u{A0}\""),
            (
                "\u{2027}\u{2028}\u{2029}\u{202A}", "\"\u{2027}\u{2028}\u{2029}\u{202A}\"",
                "\"\u{2027}\\u2028\\u2029\u{202A}\""
            ),
            ("é 日 🎧 ¢ ß", "\"é 日 🎧 ¢ ß\"", "\"é 日 🎧 ¢ ß\""),
        ])
    func escaping(value: String, required: String, terminal: String) {
        #expect(text { $0.string(value) } == required)
        #expect(text(.terminal) { $0.string(value) } == terminal)
        #expect(text(.terminal) { json in json.object { $0.field(value, 1) } } == "{\(terminal):1}")
    }

    @Test("A character is escaped at each place of strings of each length", arguments: ["\"", "\u{9F}", "x"])
    func places(character: String) {
        let escaped = ["\"": "\\\"", "\u{9F}": "\\u009f"][character] ?? character
        for length in 0..<100 {
            for place in [0, 7, 8, 31, 32, 33, length] where place <= length {
                let before = String(repeating: "a", count: place)
                let after = String(repeating: "b", count: length - place)
                let text = text(.terminal) { $0.string(before + character + after) }
                #expect(text == "\"\(before)\(escaped)\(after)\"")
            }
        }
    }

    @Test(
        "Seconds have the required number of decimals, and more only if they are not zero",
        arguments: [
            (.zero, 0...3, "0"), (.zero, 1...6, "0.0"), (.seconds(3_723), 0...3, "3723"),
            (.milliseconds(12_500), 0...3, "12.5"), (.milliseconds(1_050), 1...6, "1.05"),
            (.microseconds(1), 0...3, "0"), (.microseconds(1), 1...6, "0.000001"),
            (.nanoseconds(1_999), 1...6, "0.000001"),
            (.milliseconds(-250), 1...6, "-0.25"), (.milliseconds(-1_500), 0...3, "-1.5"),
            (.nanoseconds(-1), 1...6, "0.0"),
            (Duration(secondsComponent: 1, attosecondsComponent: 1), 0...18, "1.000000000000000001"),
        ] as [(Duration, ClosedRange<Int>, String)])
    func seconds(value: Duration, decimals: ClosedRange<Int>, expected: String) {
        #expect(text { $0.seconds(value, decimals: decimals) } == expected)
    }

    @Test("A list that is written in parts has the bytes of a whole list")
    func parts() {
        var first = JSONWriter()
        first.integer(1)
        first.integer(2)
        var second = JSONWriter(capacity: 100, continuesList: true)
        second.string("3")
        second.integer(4)
        #expect(first.text + second.text == #"1,2,"3",4"#)
    }
}
