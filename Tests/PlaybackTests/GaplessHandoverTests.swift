// SPDX-License-Identifier: GPL-3.0-or-later
import Media
import Playback
import Testing

@Suite("GaplessHandover")
struct GaplessHandoverTests {
    struct Row: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let condition: DownloadProgress.Condition
        let remaining: Duration?
        let ahead: [Duration?]
        let isSafe: Bool
        let opens: Bool

        init(
            _ description: String, _ condition: DownloadProgress.Condition, _ remaining: Duration?,
            ahead: [Duration?] = [],
            isSafe: Bool = true, opens: Bool
        ) {
            testDescription = description
            self.isSafe = isSafe
            (self.condition, self.remaining, self.ahead, self.opens) = (condition, remaining, ahead, opens)
        }
    }

    static let table: [Row] = [
        Row("a complete item", .complete, nil, opens: true),
        Row("an item whose download failed", .failed(.init(.missing, "")), .seconds(9000), opens: true),
        Row("20 s before the end", .receiving, .seconds(20), opens: true),
        Row(
            "20 s before the end, but its remaining bytes may be late", .receiving, .seconds(20), isSafe: false,
            opens: false),
        Row("20 s before the end, all its bytes stored", .complete, .seconds(20), isSafe: false, opens: true),
        Row("more than 20 s before the end", .receiving, .milliseconds(20001), opens: false),
        Row("unknown duration", .receiving, nil, opens: false),
        Row("past a wrong end", .receiving, .seconds(-5), opens: true),
        Row("interrupted near the end", .backingOff(.init(reason: "")), .seconds(3), opens: true),
        Row("not yet connected", .connecting, nil, opens: false),
        Row("a complete item, the next is open", .complete, .seconds(9000), ahead: [nil], opens: false),
        Row("near the end, the next has an unknown duration", .complete, .seconds(3), ahead: [nil], opens: true),
        Row("near the end, the next is short", .complete, .seconds(3), ahead: [.seconds(5)], opens: true),
        Row("near the end, the next is long enough", .complete, .seconds(3), ahead: [.seconds(17)], opens: false),
        Row(
            "near the end, several open items are long enough together", .complete, .seconds(3),
            ahead: [.seconds(8), nil, .seconds(9)], opens: false),
        Row(
            "near the end, several open items are too short together", .complete, .seconds(3),
            ahead: [.seconds(8), nil, .seconds(8)], opens: true),
        Row("unknown duration, the next is short", .receiving, nil, ahead: [.seconds(5)], opens: true),
        Row(
            "the maximum number of open items", .complete, .seconds(1),
            ahead: Array(repeating: .milliseconds(26), count: GaplessHandover.mostAhead), opens: false),
        Row(
            "one open item fewer than the maximum", .complete, .seconds(1),
            ahead: Array(repeating: .milliseconds(26), count: GaplessHandover.mostAhead - 1), opens: true),
    ]

    @Test("The next item opens in exactly the situations of the table", arguments: table)
    func opens(row: Row) {
        let downloadProgress = DownloadProgress(condition: row.condition)
        #expect(
            GaplessHandover.opensNext(
                current: downloadProgress, isSafe: row.isSafe, remaining: row.remaining, ahead: row.ahead) == row.opens)
    }
}
