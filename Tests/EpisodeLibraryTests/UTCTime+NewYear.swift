// SPDX-License-Identifier: GPL-3.0-or-later
import EarshotTestSupport
import Podcasts

extension UTCTime {
    /// The wall clock of tests in which no time passes.
    static let newYear = UTCTime(secondsSince1970: LibraryStage.newYear)
}
