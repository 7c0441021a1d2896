// SPDX-License-Identifier: GPL-3.0-or-later
import Testing

@testable import Feeds

@Suite("ItunesDuration")
struct ItunesDurationTests {
    @Test(
        "a duration is read in each of its forms",
        arguments: [
            ("1:02:03", 3_723_000), ("62:03", 3_723_000), ("3723", 3_723_000), ("3723.5", 3_723_500),
            ("00:50:95", 3_095_000), (" 12 : 34 ", 754_000), ("0:00:01.25", 1_250), ("1h 2m 3s", 3_723_000),
            ("62 min", 3_720_000), ("PT1H2M3S", 3_723_000), ("120:00:00", 432_000_000),
        ])
    func reads(_ text: String, _ milliseconds: Int) {
        #expect(ItunesDuration.parse(text.utf8) == .milliseconds(milliseconds))
    }

    @Test(
        "nonsense and zero are no duration",
        arguments: [
            "", "0", "00:00:00", "-5", "1:2:3:4", "abc", "1::2", "12:", "99999999999999999999", "1e5", "1:x", ":",
            "3,723",
        ])
    func refuses(_ text: String) {
        #expect(ItunesDuration.parse(text.utf8) == nil)
    }
}
