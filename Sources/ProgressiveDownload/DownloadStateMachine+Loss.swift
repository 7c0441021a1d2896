// SPDX-License-Identifier: GPL-3.0-or-later
import HTTPTransfer
import Media

/// Fetching bytes of an earlier run again after they were found to be damaged.
extension DownloadStateMachine {
    mutating func lose(_ ranges: [ByteRange]) -> [Action] {
        switch state {
        case .connecting(let course, let ask): move(to: .connecting(course.without(ranges), ask))
        case .receiving(let course, let reception): move(to: .receiving(course.without(ranges), reception))
        case .backingOff(let course, let wait): move(to: .backingOff(course.without(ranges), wait))
        case .held(let course, let hold): move(to: .held(course.without(ranges), hold))
        case .complete(let holding):
            let course = Course(holding: holding, policy: RetryPolicy(hasReceived: true)).without(ranges)
            return connect(course, course.nextAsk())
        case .idle, .following, .unverified, .failed:
            // The next start verifies the file again.
            break
        }
        return []
    }
}

extension DownloadStateMachine.Course {
    fileprivate func without(_ ranges: [ByteRange]) -> Self {
        var course = self
        for range in ranges { course.holding.extents.subtract(range) }
        return course
    }
}
