// SPDX-License-Identifier: GPL-3.0-or-later
import Glibc
import Media

/// The listening socket, which clients find and which proves the ownership, also after another program has deleted its
/// folder: logind deletes the runtime directory at the end of a session, and a player may outlive that.
struct SocketKeeper {
    /// The interval between checks after a deletion, and how long they continue: the program that deletes the files
    /// must be able to finish.
    private static let interval = Duration.seconds(1)
    private static let checkDuration = Duration.seconds(10)
    /// The interval between checks if the system has no more watches.
    private static let intervalWithoutWatch = Duration.seconds(10)

    private(set) var listener: ControlListener
    private var watch: FolderWatch?
    /// The time of the next look without an event; `nil` while everything is in its place and watched.
    private(set) var deadline: Duration?
    private var end = Duration.zero

    /// Watches the folder of a socket. The system may have no more watches; then only the time leads to a look.
    init(_ listener: ControlListener, at now: Duration, watches: Bool = true) {
        self.listener = listener
        watch = watches ? Self.watch(listener.path) : nil
        // The files may have been deleted before the watch began.
        deadline = listener.isInPlace ? timeWithoutEvents(after: now) : now + Self.interval
    }

    private func timeWithoutEvents(after now: Duration) -> Duration? {
        watch == nil ? now + Self.intervalWithoutWatch : nil
    }

    /// Returns a watch of the deletions in a folder; `nil` if the system has no more watches.
    private static func watch(_ folder: String) -> FolderWatch? {
        let deletions = UInt32(IN_DELETE | IN_MOVED_FROM | IN_MOVED_TO | IN_DELETE_SELF | IN_MOVE_SELF)
        guard var watch = FolderWatch(), watch.add(folder, events: deletions) else { return nil }
        return watch
    }

    /// The file that `poll` reports as readable when a file has been deleted or moved; -1 if there is none.
    var descriptor: CInt { watch?.descriptor ?? -1 }

    /// Listens again if the socket is not in its place, and a deadline has passed since the first event.
    /// - Throws: `lock(held)` if another process has taken the ownership.
    mutating func look(at now: Duration) throws(ControlListener.Failure) {
        // The files themselves tell what is left.
        _ = watch?.changes()
        if listener.isInPlace {
            deadline = now < end ? now + Self.interval : timeWithoutEvents(after: now)
            return
        }
        guard let due = deadline, due <= now else { return deadline = deadline ?? now + Self.interval }
        (deadline, end) = (now + Self.interval, now + Self.checkDuration)
        do throws(ControlListener.Failure) {
            listener = try listener.renewed()
            watch = Self.watch(listener.path)
        } catch {
            guard case .lock(.held) = error else { return }
            (deadline, watch) = (nil, nil)
            throw error
        }
    }
}
