// SPDX-License-Identifier: GPL-3.0-or-later
import Glibc

/// Where a seek of libsndfile's leads in a file, counted as `lseek` does.
/// - Returns: `nil` in front of the first byte, or beyond what can be counted.
func placeOfSeek(_ distance: Int64, from whence: CInt, at offset: Int64, length: Int64) -> Int64? {
    let base =
        switch whence {
        case SEEK_CUR: offset
        case SEEK_END: length
        default: 0 as Int64
        }
    let (place, overflow) = base.addingReportingOverflow(distance)
    return overflow || place < 0 ? nil : place
}
