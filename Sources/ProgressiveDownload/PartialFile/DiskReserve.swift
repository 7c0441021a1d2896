// SPDX-License-Identifier: GPL-3.0-or-later
import Glibc

/// The free space and the size of a file system, in bytes.
struct DiskSpace: Sendable, Equatable {
    var free: Int64
    var size: Int64

    /// Returns `nil` if the system does not report the space.
    static func of(_ directory: String) -> DiskSpace? {
        var status = statvfs()
        guard statvfs(directory, &status) == 0, status.f_blocks > 0 else { return nil }
        let unit = Int64(clamping: status.f_frsize)
        let free = Int64(clamping: status.f_bavail).multipliedReportingOverflow(by: unit)
        let size = Int64(clamping: status.f_blocks).multipliedReportingOverflow(by: unit)
        return DiskSpace(free: free.overflow ? .max : free.partialValue, size: size.overflow ? .max : size.partialValue)
    }
}

/// The disk space that downloads leave free for other programs.
struct DiskReserve: Sendable {
    /// The reserve in bytes; `nil` for 256 MiB, or a twentieth of a smaller file system.
    let bytes: Int64?

    func bytes(of space: DiskSpace) -> Int64 { bytes ?? min(256 << 20, space.size / 20) }

    /// Returns a message that the disk is full, with the space that the download needs there.
    /// - Parameter count: The number of bytes that remain to be stored; zero if unknown.
    func complaint(_ space: DiskSpace, at directory: String, needs count: Int64) -> String {
        let needed = count > 0 ? "\(Self.size(count)) and " : ""
        return "the disk is full: \(directory) has \(Self.size(space.free)) free, but \(needed)"
            + "a reserve of \(Self.size(bytes(of: space))) \(needed.isEmpty ? "is" : "are") needed"
    }

    private static func size(_ count: Int64) -> String {
        count < 1_000_000 ? "\(count / 1000) kB" : "\(count / 1_000_000).\(count / 100_000 % 10) MB"
    }

    /// The maximum number of bytes stored between two checks of the free space.
    static let checkEvery: Int64 = 1 << 20

    /// Returns the number of bytes that may be stored before the next check.
    func allowance(in space: DiskSpace) -> Int64 { min(Self.checkEvery, max(0, space.free - bytes(of: space))) }

    /// Returns the number of bytes that must be freed before a held download of `count` bytes resumes; zero for none.
    func shortage(for count: Int64, in space: DiskSpace) -> Int64 {
        let reserve = bytes(of: space)
        // The length is only declared: it is limited to the size of the disk.
        return max(0, min(max(0, count), space.size) + reserve + reserve / 8 - space.free)
    }

    func allows(_ count: Int64, in space: DiskSpace) -> Bool { space.free - bytes(of: space) >= count }

    /// True if a held download may resume: with slightly more free space than the limit for holding it, to avoid
    /// oscillation.
    func allowsAgain(_ count: Int64, in space: DiskSpace) -> Bool {
        let reserve = bytes(of: space)
        return space.free - reserve - reserve / 8 >= count
    }
}

extension KeepDirectory {
    /// Returns the number of bytes that must be freed on the disk before `count` more are stored; zero for none, or
    /// if the system does not report the space.
    public func shortage(for count: Int64 = 0) -> Int64 {
        DiskSpace.of(path).map { DiskReserve(bytes: nil).shortage(for: count, in: $0) } ?? 0
    }
}
