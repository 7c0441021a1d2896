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
        Row("a whole item", .complete, nil, opens: true),
        Row("one that will not come", .failed(.init(.missing, "")), .seconds(9000), opens: true),
        Row("20 s before the end", .receiving, .seconds(20), opens: true),
        Row("then, but its own bytes may come late", .receiving, .seconds(20), isSafe: false, opens: false),
        Row("all of its own are there", .complete, .seconds(20), isSafe: false, opens: true),
        Row("not before", .receiving, .milliseconds(20001), opens: false),
        Row("of unknown end", .receiving, nil, opens: false),
        Row("beyond a wrong end", .receiving, .seconds(-5), opens: true),
        Row("broken off near the end", .backingOff(.init(reason: "")), .seconds(3), opens: true),
        Row("not yet there", .connecting, nil, opens: false),
        Row("a whole one, the next is open", .complete, .seconds(9000), ahead: [nil], opens: false),
        Row("near the end, the next of unknown length", .complete, .seconds(3), ahead: [nil], opens: true),
        Row("near the end, the next is short", .complete, .seconds(3), ahead: [.seconds(5)], opens: true),
        Row("near the end, the next is long enough", .complete, .seconds(3), ahead: [.seconds(17)], opens: false),
        Row(
            "several that are long enough together", .complete, .seconds(3),
            ahead: [.seconds(8), nil, .seconds(9)], opens: false),
        Row("several that are not", .complete, .seconds(3), ahead: [.seconds(8), nil, .seconds(8)], opens: true),
        Row("of unknown end, the next is short", .receiving, nil, ahead: [.seconds(5)], opens: true),
        Row(
            "as many as there may be", .complete, .seconds(1),
            ahead: Array(repeating: .milliseconds(26), count: GaplessHandover.mostAhead), opens: false),
        Row(
            "one fewer", .complete, .seconds(1),
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
