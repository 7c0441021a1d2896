// SPDX-License-Identifier: GPL-3.0-or-later
import Glibc
import Media
import Synchronization

/// The connection of the player to the desktop: media keys, players' widgets and `playerctl` control it through MPRIS.
///
/// One thread owns the connection. It wakes only for the bus and for `show`. Without a bus it waits until the bus
/// appears.
public final class DesktopBus: Sendable {
    private let mailbox: BusMailbox
    private let thread: WorkerThread

    /// The address of the session bus. Source: D-Bus specification, login session message bus; systemd's user bus.
    /// - Returns: `nil` if the environment names none.
    public static func address(environment: [String: String]) -> String? {
        if let address = environment["DBUS_SESSION_BUS_ADDRESS"], !address.isEmpty { return address }
        guard let folder = environment["XDG_RUNTIME_DIR"], folder.hasPrefix("/") else { return nil }
        return "unix:path=" + PercentEncoding.encoded(folder + "/bus", keeping: "/-_.\\*")
    }

    /// Starts the thread.
    /// - Parameter receive: gets the requests in order, on the thread; it must return quickly.
    /// - Returns: `nil` if the system cannot create another thread.
    public static func start(
        address: String, receive: @escaping @Sendable (MPRISRequest) -> Void
    ) -> DesktopBus? {
        let mailbox = BusMailbox()
        let thread = WorkerThread.start {
            let loop = BusLoop(address, mailbox, receive)
            loop.run()
        }
        return thread.map { DesktopBus(mailbox, $0) }
    }

    private init(_ mailbox: BusMailbox, _ thread: WorkerThread) { (self.mailbox, self.thread) = (mailbox, thread) }

    /// Shows a state; of several states in a short time, only the last one is announced. To be called when anything but
    /// the regular course of the position changes.
    public func show(_ snapshot: MPRISSnapshot) { mailbox.show(snapshot) }

    /// True if the bus has accepted the connection, for `doctor`.
    public var isConnected: Bool { mailbox.isConnected.load(ordering: .relaxed) }

    /// Leaves the bus and ends the thread. To be called once.
    public func stop() {
        mailbox.stop()
        thread.join()
    }
}

/// The newest unread state.
final class BusMailbox: Sendable {
    private struct Contents {
        var snapshot: MPRISSnapshot?
        var isStopped = false
    }

    private let contents = Mutex(Contents())
    let wake = WakeSignal()
    let isConnected = Atomic<Bool>(false)

    func show(_ snapshot: MPRISSnapshot) {
        contents.withLock { $0.snapshot = snapshot }
        wake.signal()
    }

    func stop() {
        contents.withLock { $0.isStopped = true }
        wake.signal()
    }

    var isStopped: Bool { contents.withLock { $0.isStopped } }

    func take() -> MPRISSnapshot? { contents.withLock { $0.snapshot.take() } }
}
