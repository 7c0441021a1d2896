// SPDX-License-Identifier: GPL-3.0-or-later
import Playback
import Testing

@testable import TerminalInterface

@Suite("KeyDecoder")
struct KeyDecoderTests {
    static let table: [(String, [KeyDecoder.Key])] = [
        (" ", [.character(" ")]), ("\u{1B}[A", [.up]), ("\u{1B}OB", [.down]), ("\u{1B}[C", [.right]),
        ("\u{1B}OD", [.left]),
        ("\u{1B}[1;5C", [.right]), ("\u{1B}q", [.character("q")]), ("\u{1B}\u{1B}[D", [.left]), ("\u{3}", [.interrupt]),
        ("\u{1B}[3~q", [.character("q")]), ("\u{1B}[Aq", [.up, .character("q")]), ("é", []), ("\u{1B}[200~", []),
        ("jl", [.character("j"), .character("l")]),
    ]

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
        #expect(decoder.decode("\u{1B}[Aq".utf8).last == .character("q"))
    }

    @Test(
        "Keys produce the commands of README",
        arguments: [
            (KeyDecoder.Key.character(" "), PlayerCommand.togglePause), (.left, .seek(.relative(.seconds(-10)))),
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
