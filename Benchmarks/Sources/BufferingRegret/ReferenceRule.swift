// SPDX-License-Identifier: GPL-3.0-or-later
import Glibc

/// The finish-line rule with a timeout in its simplest form, from which the program's policy was developed.
struct ReferenceRule: Rule {
    let name = "finish line + timeout"

    func plays(_ moment: Moment) -> Bool {
        guard moment.age > 0 else { return false }
        let doubled = 20 * pow(2, Double(min(moment.stalls, 6)))
        guard let missing = moment.missing, let rest = moment.rest else {
            return moment.hand >= (moment.hasBegun ? min(120, doubled) : 6)
        }
        let rate = min(moment.meanRate, moment.rate(overTicks: 5 * Tick.second))
        if rate > 0, moment.hand >= 2, missing / rate + 1 <= rest { return true }
        return moment.hasBegun ? moment.hand >= 30 && moment.waited >= min(240, doubled) : moment.hand >= 15
    }
}
