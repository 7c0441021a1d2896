// SPDX-License-Identifier: GPL-3.0-or-later
import Testing

@testable import Subscriptions

@Suite("Declared update frequency of a feed")
struct RecurrenceRuleTests {
    @Test(
        "The interval follows from frequency, interval and days of the rule",
        arguments: [
            ("FREQ=DAILY", 24), ("freq=weekly", 168), ("FREQ=WEEKLY;INTERVAL=2", 336), ("FREQ=WEEKLY;BYDAY=MO,TH", 84),
            ("INTERVAL=3;FREQ=DAILY", 72), ("FREQ=MONTHLY", 720), ("FREQ=WEEKLY;INTERVAL=99999999999999999999", 168),
            ("FREQ=DAILY;BYDAY=", 24),
        ])
    func rules(rule: String, hours: Int) {
        #expect(RecurrenceRule.rhythm(rule) == .seconds(hours * 3600))
    }

    @Test("An invalid rule is ignored", arguments: ["", "weekly", "FREQ=", "FREQ=SOMETIMES", ";;=;"])
    func nonsense(rule: String) {
        #expect(RecurrenceRule.rhythm(rule) == nil)
    }
}
