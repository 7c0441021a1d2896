// SPDX-License-Identifier: GPL-3.0-or-later
import Glibc

/// Returns the target offset of a seek by libsndfile, with the arguments of `lseek`.
/// - Returns: `nil` for an offset before the first byte, or on overflow.
func seekTarget(_ distance: Int64, from whence: CInt, at offset: Int64, length: Int64) -> Int64? {
    let base =
        switch whence {
        case SEEK_CUR: offset
        case SEEK_END: length
        default: 0 as Int64
        }
    let (place, overflow) = base.addingReportingOverflow(distance)
    return overflow || place < 0 ? nil : place
}
