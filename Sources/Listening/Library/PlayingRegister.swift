// SPDX-License-Identifier: GPL-3.0-or-later
import Glibc

/// Tells the players of one library apart: which episodes others are playing, and whose positions count.
///
/// Each player holds a shared lock for the episode that it plays; the kernel releases it with the process, however that
/// ends. Beside it stands the mark of the player that the listener used last. Where the file system has no locks, every
/// player counts itself as the only one.
public final class PlayingRegister: Sendable {
    private let file: Int32
    /// Not that of any other player.
    private let mark = UInt64.random(in: 1 ... .max)

    /// - Parameter path: of a file that all players share; it is made where there is none.
    /// - Returns: `nil` where it cannot be opened.
    public init?(path: String) {
        file = open(path, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0o600)
        guard file >= 0 else { return nil }
    }

    deinit { close(file) }

    /// Begins to play the episode: from now on the positions of this player count.
    /// - Returns: whether another player is playing it.
    public func begin(_ episode: Int64) -> Bool {
        lock(F_RDLCK, episode)
        claim(episode)
        return isPlayedElsewhere(episode)
    }

    /// Ends playing the episode.
    public func end(_ episode: Int64) { lock(F_UNLCK, episode) }

    /// Notes that the listener used this player.
    public func claim(_ episode: Int64) {
        guard let place = Self.place(of: episode) else { return }
        // A mark that cannot be written leaves all players equal, as they were without it.
        _ = withUnsafeBytes(of: mark) { pwrite(file, $0.baseAddress, $0.count, place) }
    }

    /// Whether the listener used no other player of the episode since this one, or none is left.
    public func counts(_ episode: Int64) -> Bool {
        guard let place = Self.place(of: episode) else { return true }
        var last: UInt64 = 0
        let count = withUnsafeMutableBytes(of: &last) { pread(file, $0.baseAddress, $0.count, place) }
        guard count == MemoryLayout<UInt64>.size, last != mark else { return true }
        return !isPlayedElsewhere(episode)
    }

    private func isPlayedElsewhere(_ episode: Int64) -> Bool {
        var range = Self.range(F_WRLCK, episode)
        return fcntl(file, Self.getLock, &range) == 0 && Int32(range.l_type) != F_UNLCK
    }

    private func lock(_ type: Int32, _ episode: Int64) {
        var range = Self.range(type, episode)
        _ = fcntl(file, Self.setLock, &range)
    }

    /// A byte for each episode, behind all the marks.
    private static func range(_ type: Int32, _ episode: Int64) -> Glibc.flock {
        var range = Glibc.flock()
        range.l_type = Int16(type)
        range.l_whence = Int16(SEEK_SET)
        range.l_start = off_t(1 << 40 + (episode & 0xFFFF_FFFF))
        range.l_len = 1
        return range
    }

    private static func place(of episode: Int64) -> off_t? {
        (0..<1 << 32).contains(episode) ? off_t(8 * episode) : nil
    }

    /// Locks of the open file, not of the process (`F_OFD_GETLK`, `F_OFD_SETLK`).
    private static let getLock: Int32 = 36
    private static let setLock: Int32 = 37
}
