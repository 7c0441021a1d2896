// SPDX-License-Identifier: GPL-3.0-or-later
import Playback
import Testing

@testable import TerminalInterface

@Suite("KeyDecoder")
struct KeyDecoderTests {
    static let table: [(String, [KeyDecoder.Key])] = [
        (" ", [.character(" ")]), ("\u{1B}[A", [.up]), ("\u{1B}OB", [.down]), ("\u{1B}[C", [.right]),
        ("\u{1B}OD", [.left]),
        ("\u{1B}[1;5C", [.right]), ("\u{1B}q", [.escape, .character("q")]),
        ("\u{1B}\u{1B}[D", [.escape, .left]), ("\u{3}", [.interrupt]),
        ("\u{1B}[3~q", [.delete, .character("q")]), ("\u{1B}[Aq", [.up, .character("q")]), ("é", [.character("é")]),
        ("日", [.character("日")]), ("\u{1F600}", [.character("\u{1F600}")]), ("jl", [.character("j"), .character("l")]),
        ("\u{1B}[200~a\n\u{1B}[Ab\u{1B}[201~q", [.paste("a\n\u{1B}[Ab"), .character("q")]),
        ("\r\n\t\u{7F}\u{C}", [.enter, .enter, .tab, .backspace, .control("l")]),
        ("\u{1B}[Z\u{1B}[5~\u{1B}[H\u{1B}OF\u{1B}[24~", [.backTab, .pageUp, .home, .end, .function(12)]),
        ("\u{1B}[<0;3;4M", [.mouse(KeyDecoder.Mouse(action: .press, row: 3, column: 2))]),
        ("\u{1B}_G;OK\u{1B}\\", "\u{1B}_G;OK\u{1B}\\".unicodeScalars.map { $0 == "\u{1B}" ? .escape : .character($0) }),
    ]

    @Test(
        "A sequence without its end becomes keys after a short time",
        arguments: [
            ("\u{1B}", [.escape]), ("\u{1B}[", [.escape, .character("[")]), ("\u{1B}O", [.escape, .character("O")]),
            ("\u{1B}[1", [.escape, .character("["), .character("1")]), ("a", []), ("\u{1B}[200~a", []),
        ] as [(String, [KeyDecoder.Key])])
    func flush(bytes: String, expected: [KeyDecoder.Key]) {
        var decoder = KeyDecoder()
        _ = decoder.decode(bytes.utf8)
        let isPending = decoder.isPending
        #expect(decoder.flush() == expected || !isPending && expected.isEmpty)
        #expect(isPending == !expected.isEmpty)
    }

    @Test("Reports are read only while they are expected, and the device attributes are the last one")
    func reports() {
        var decoder = KeyDecoder()
        decoder.expectsReports = true
        let answers = decoder.decode("\u{1B}[1;3R\u{1B}[?2026;2$y\u{1B}_Gi=1;OK\u{1B}\\x\u{1B}[?62;4c\u{1B}[1;3R".utf8)
        #expect(
            answers == [
                .report(.cursor(row: 1, column: 3)), .report(.mode(2026, isSupported: true)),
                .report(.graphics(isSupported: true)), .character("x"), .report(.attributes([62, 4])), .function(3),
            ])
        #expect(!decoder.expectsReports)
    }

    @Test("A pasted text keeps its first 64 KiB")
    func longPaste() {
        var decoder = KeyDecoder()
        let text = String(repeating: "a", count: 70_000)
        #expect(
            decoder.decode("\u{1B}[200~\(text)\u{1B}[201~q".utf8)
                == [.paste(String(repeating: "a", count: 64 * 1024)), .character("q")])
    }

    @Test("A paste without an end mark ends after two seconds without input")
    func unfinishedPaste() {
        var decoder = KeyDecoder()
        let start = decoder.decode("\u{1B}[200~a".utf8, at: .seconds(5))
        let inside = decoder.decode("q".utf8, at: .seconds(7))
        let after = decoder.decode("q".utf8, at: .milliseconds(9001))
        #expect(start.isEmpty && inside.isEmpty)
        #expect(after == [.character("q")])
    }

    @Test("Bytes are decoded to keys", arguments: table)
    func keys(bytes: String, expected: [KeyDecoder.Key]) {
        var decoder = KeyDecoder()
        #expect(decoder.decode(bytes.utf8) == expected)
    }

    @Test("Keys do not depend on the sizes of the reads", arguments: table)
    func splitReads(bytes: String, expected: [KeyDecoder.Key]) {
        var decoder = KeyDecoder()
        #expect(bytes.utf8.flatMap { decoder.decode(CollectionOfOne($0)) } == expected)
    }

    @Test("Arbitrary bytes do not trap, and q after them still quits")
    func anyBytes() {
        var decoder = KeyDecoder()
        var seed: UInt64 = 7
        for _ in 0..<20_000 {
            seed = seed &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            _ = decoder.decode([UInt8(truncatingIfNeeded: seed >> 33)])
        }
        #expect(decoder.decode("\u{1B}[201~\u{1B}[Aq".utf8).last == .character("q"))
    }

    @Test(
        "Keys produce the commands of README",
        arguments: [
            (KeyDecoder.Key.character(" "), PlayerCommand.togglePause), (.character("b"), .mark(note: nil)),
            (.left, .seek(.relative(.seconds(-10)))),
            (.right, .seek(.relative(.seconds(30)))), (.character("j"), .seek(.relative(.seconds(-10)))),
            (.character("l"), .seek(.relative(.seconds(30)))), (.character("<"), .previous),
            (.character(","), .previous),
            (.character(">"), .next), (.character("."), .next), (.up, .changeVolume(by: 0.05)),
            (.down, .changeVolume(by: -0.05)), (.character("+"), .changeVolume(by: 0.05)),
            (.character("-"), .changeVolume(by: -0.05)), (.character("r"), .retry), (.character("R"), .cycleRepeat),
            (.character("n"), .playNow), (.character("q"), .stop), (.interrupt, .stop),
        ])
    func commands(key: KeyDecoder.Key, expected: PlayerCommand) {
        #expect(key.command == expected)
    }

    @Test("An unassigned key produces no command")
    func noMeaning() {
        #expect(KeyDecoder.Key.character("x").command == nil)
    }
}
