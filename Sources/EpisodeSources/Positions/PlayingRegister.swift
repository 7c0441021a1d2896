// SPDX-License-Identifier: GPL-3.0-or-later
import Glibc

/// A register of the players of one library: it shows which episodes other players are playing, and whose positions
/// count.
///
/// Each player holds a shared lock for the episode that it plays; the kernel releases the lock when the process ends,
/// for any reason. A mark in the same file identifies the player that the listener used last. If the file system does
/// not support locks, each player treats itself as the only one.
public final class PlayingRegister: Sendable {
    private let file: Int32
    /// The mark of this player; it differs from those of all other players.
    private let mark = UInt64.random(in: 1 ... .max)

    /// Opens the file that all players share.
    /// - Parameter path: the path of the file; it is created if it does not exist.
    /// - Returns: `nil` if the file cannot be opened.
    public init?(path: String) {
        file = open(path, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0o600)
        guard file >= 0 else { return nil }
    }

    deinit { close(file) }

    /// Registers playback of the episode: from now on the positions of this player count.
    /// - Returns: true if another player is playing the episode.
    public func begin(_ episode: Int64) -> Bool {
        lock(F_RDLCK, episode)
        claim(episode)
        return isPlayedElsewhere(episode)
    }

    /// Ends the registration of the episode.
    public func end(_ episode: Int64) { lock(F_UNLCK, episode) }

    /// Records that the listener used this player.
    public func claim(_ episode: Int64) {
        guard let place = Self.place(of: episode) else { return }
        // A failed write is ignored: without a mark, all players count equally.
        _ = withUnsafeBytes(of: mark) { pwrite(file, $0.baseAddress, $0.count, place) }
    }

    /// True if no other player of the episode has been used since this one, or if no other player is left.
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

    /// Returns the lock range of an episode: one byte after all the marks.
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

    /// Commands for locks of the open file description instead of the process (`F_OFD_GETLK`, `F_OFD_SETLK`).
    private static let getLock: Int32 = 36
    private static let setLock: Int32 = 37
}
