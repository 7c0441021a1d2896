// SPDX-License-Identifier: GPL-3.0-or-later
import Glibc
import Media

/// Notices writes to the library by any process, with inotify(7) on its files; it needs no polling.
final class LibraryWatch: Sendable {
    /// The time in which further writes count as the same one.
    private static let pause: CInt = 500

    private let thread: WorkerThread

    /// Starts to watch.
    /// - Parameters:
    ///   - path: the path of the library; its folder must exist.
    ///   - receive: called after writes, on the thread of the watch.
    /// - Returns: `nil` if the system cannot watch the folder.
    static func start(_ path: String, receive: @escaping @Sendable () -> Void) -> LibraryWatch? {
        guard let slash = path.lastIndex(of: "/") else { return nil }
        let folder = String(path[..<slash])
        guard var watch = FolderWatch(), watch.add(folder) else { return nil }
        let wake = WakeSignal()
        let isEnding = StopFlag()
        let thread = WorkerThread.start { [watch] in
            run(watch, [path, path + "-wal", folder], wake, isEnding, receive)
        }
        return thread.map { LibraryWatch($0, wake, isEnding) }
    }

    private let ending: WakeSignal
    private let isEnding: StopFlag

    private init(_ thread: WorkerThread, _ ending: WakeSignal, _ isEnding: StopFlag) {
        (self.thread, self.ending, self.isEnding) = (thread, ending, isEnding)
    }

    /// Ends the thread. To be called once.
    func stop() {
        isEnding.set()
        ending.signal()
        thread.join()
    }

    /// - Parameter files: the files of the library, and their folder, which stands for lost events.
    private static func run(
        _ watch: FolderWatch, _ files: Set<String>, _ wake: WakeSignal, _ isEnding: StopFlag, _ receive: () -> Void
    ) {
        while !isEnding.isSet {
            var entries = [
                pollfd(fd: wake.descriptor, events: Int16(POLLIN), revents: 0),
                pollfd(fd: watch.descriptor, events: Int16(POLLIN), revents: 0),
            ]
            guard poll(&entries, 2, -1) > 0, !isEnding.isSet, !watch.changes().isDisjoint(with: files) else { continue }
            receive()
            poll(&entries, 1, pause)
        }
    }
}
