// SPDX-License-Identifier: GPL-3.0-or-later
import Media

extension VirtualDevice {
    /// Waits until the device's report satisfies the condition.
    /// - Returns: The report; `nil` if the wait took longer than `limit`.
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
