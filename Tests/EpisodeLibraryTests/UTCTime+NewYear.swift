// SPDX-License-Identifier: GPL-3.0-or-later
import EarshotTestSupport
import Media

extension UTCTime {
    /// The fixed time of tests in which the clock does not advance.
    static let newYear = UTCTime(secondsSince1970: LibraryStage.newYear)
}
