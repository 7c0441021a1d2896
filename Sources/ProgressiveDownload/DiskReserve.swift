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

    /// Says that a disk is full, which it is, and how much room a download needs there.
    /// - Parameter count: bytes that are still to be stored; `nil` where nobody knows.
    func complaint(_ space: DiskSpace?, at directory: String, needs count: Int64?) -> String {
        guard let space else { return "the disk is full: \(directory)" }
        let needed = count.flatMap { $0 > 0 ? "\(Self.size($0)) and " : nil } ?? ""
        return "the disk is full: \(directory) has \(Self.size(space.free)) free, and \(needed)"
            + "a reserve of \(Self.size(bytes(of: space))) \(needed.isEmpty ? "is" : "are") needed"
    }

    private static func size(_ count: Int64) -> String {
        count < 1_000_000 ? "\(count / 1000) kB" : "\(count / 1_000_000).\(count / 100_000 % 10) MB"
    }

    /// So many bytes at most are stored between two looks at the disk.
    static let checkEvery: Int64 = 1 << 20

    /// How many bytes may be stored before the next look.
    func allowance(in space: DiskSpace) -> Int64 { min(Self.checkEvery, max(0, space.free - bytes(of: space))) }

    /// Bytes that are missing before a download of `count` bytes that was held goes on; zero for none.
    func shortage(for count: Int64, in space: DiskSpace) -> Int64 {
        let reserve = bytes(of: space)
        // A length is only a claim: more than the whole disk is never there.
        return max(0, min(max(0, count), space.size) + reserve + reserve / 8 - space.free)
    }

    func allows(_ count: Int64, in space: DiskSpace) -> Bool { space.free - bytes(of: space) >= count }

    /// Whether a download that was held goes on: a little later than it was held, or it would sway between the two.
    func allowsAgain(_ count: Int64, in space: DiskSpace) -> Bool {
        let reserve = bytes(of: space)
        return space.free - reserve - reserve / 8 >= count
    }
}

extension KeepDirectory {
    /// Bytes that have to be freed on its disk before `count` more are stored; zero for none, or where the system does
    /// not say.
    public func shortage(for count: Int64 = 0) -> Int64 {
        DiskSpace.of(path).map { DiskReserve(bytes: nil).shortage(for: count, in: $0) } ?? 0
    }
}
