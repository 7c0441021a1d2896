// SPDX-License-Identifier: GPL-3.0-or-later
import Media

extension VirtualDevice {
    /// Waits until what the device reports is as wanted.
    /// - Returns: the report; `nil` when that took longer than `limit`.
    public func wait(atMost limit: Duration, until isWanted: (Report) -> Bool) -> Report? {
        let end = ContinuousClock.now + limit
        while ContinuousClock.now < end {
            let report = report
            if isWanted(report) { return report }
            changed.wait(atMost: .milliseconds(20))
        }
        return nil
    }
}
