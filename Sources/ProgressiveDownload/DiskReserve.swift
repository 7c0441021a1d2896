// SPDX-License-Identifier: GPL-3.0-or-later
import Glibc

/// Room on a file system, in bytes.
struct DiskSpace: Sendable, Equatable {
    var free: Int64
    var size: Int64

    /// `nil` where the system does not say.
    static func of(_ directory: String) -> DiskSpace? {
        var status = statvfs()
        guard statvfs(directory, &status) == 0, status.f_blocks > 0 else { return nil }
        let unit = Int64(clamping: status.f_frsize)
        let free = Int64(clamping: status.f_bavail).multipliedReportingOverflow(by: unit)
        let size = Int64(clamping: status.f_blocks).multipliedReportingOverflow(by: unit)
        return DiskSpace(free: free.overflow ? .max : free.partialValue, size: size.overflow ? .max : size.partialValue)
    }
}

/// What a download leaves free for everybody else.
struct DiskReserve: Sendable {
    /// `nil`: 256 MiB, or a twentieth of a smaller file system.
    let bytes: Int64?

    func bytes(of space: DiskSpace) -> Int64 { bytes ?? min(256 << 20, space.size / 20) }

    func allows(_ count: Int64, in space: DiskSpace) -> Bool { space.free - bytes(of: space) >= count }

    /// Whether a download that was held goes on: a little later than it was held, or it would sway between the two.
    func allowsAgain(_ count: Int64, in space: DiskSpace) -> Bool {
        let reserve = bytes(of: space)
        return space.free - reserve - reserve / 8 >= count
    }
}
