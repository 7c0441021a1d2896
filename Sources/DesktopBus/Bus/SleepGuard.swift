// SPDX-License-Identifier: GPL-3.0-or-later
import Glibc
import Media
import Synchronization

/// The connection to logind: it keeps the machine awake while sound plays, and announces that the machine will sleep.
/// Source: org.freedesktop.login1(5).
///
/// One thread owns the connection. It wakes only for the bus and for its owner. Without logind, nothing happens.
public final class SleepGuard: Sendable {
    public enum Event: Sendable, Equatable {
        /// The machine is about to sleep. It waits, at most for a few seconds, until `allowSleep`.
        case sleeps
        case wakes
    }

    private let mailbox: SleepMailbox
    private let thread: WorkerThread

    /// The address of the system bus. Source: D-Bus specification, system message bus.
    public static func address(environment: [String: String]) -> String {
        if let address = environment["DBUS_SYSTEM_BUS_ADDRESS"], !address.isEmpty { return address }
        return "unix:path=/run/dbus/system_bus_socket"
    }

    /// Starts the thread.
    /// - Parameters:
    ///   - inhibits: true to keep the machine from suspending while sound plays.
    ///   - delaysSleep: true to delay sleep until `allowSleep`.
    ///   - receive: gets the events in order, on the thread; it must return quickly.
    /// - Returns: `nil` if the system cannot create another thread.
    public static func start(
        address: String, inhibits: Bool, delaysSleep: Bool, receive: @escaping @Sendable (Event) -> Void
    ) -> SleepGuard? {
        let mailbox = SleepMailbox()
        let thread = WorkerThread.start {
            let loop = SleepLoop(address, mailbox, SleepPolicy(inhibits: inhibits, delaysSleep: delaysSleep), receive)
            loop.run()
        }
        return thread.map { SleepGuard(mailbox, $0) }
    }

    private init(_ mailbox: SleepMailbox, _ thread: WorkerThread) { (self.mailbox, self.thread) = (mailbox, thread) }

    /// Reports whether sound plays.
    public func setPlaying(_ isPlaying: Bool) { mailbox.change { $0.isPlaying = isPlaying } }

    /// Lets the machine sleep after `sleeps`.
    public func allowSleep() { mailbox.change { $0.isReady = true } }

    /// Ends the thread, and with it every inhibition. To be called once.
    public func stop() {
        mailbox.change { $0.isStopped = true }
        thread.join()
    }
}

/// The orders of the owner of a guard.
final class SleepMailbox: Sendable {
    struct Contents: Equatable {
        var isPlaying = false
        /// True after `allowSleep`.
        var isReady = false
        var isStopped = false
    }

    private let contents = Mutex(Contents())
    let wake = WakeSignal()

    /// Wakes the thread if `body` changes anything: a session reports several times a second that it plays.
    func change(_ body: (inout Contents) -> Void) {
        let isChanged = contents.withLock { contents in
            let before = contents
            body(&contents)
            return contents != before
        }
        if isChanged { wake.signal() }
    }

    /// Returns the present orders; each `allowSleep` is returned once.
    func take() -> Contents {
        contents.withLock { contents in
            defer { contents.isReady = false }
            return contents
        }
    }
}

/// The locks that should be held. A pure value.
struct SleepPolicy: Sendable, Equatable {
    /// A lock of logind. Source: org.freedesktop.login1(5), Inhibit.
    enum Lock: Sendable, Hashable, CaseIterable {
        /// Keeps an idle machine from suspending.
        case idle
        /// Delays sleep until positions are stored.
        case sleep
    }

    private let inhibits: Bool
    private let delaysSleep: Bool
    var isPlaying = false
    private var isSleeping = false

    init(inhibits: Bool, delaysSleep: Bool) { (self.inhibits, self.delaysSleep) = (inhibits, delaysSleep) }

    var locks: Set<Lock> {
        var locks: Set<Lock> = []
        if inhibits, isPlaying { locks.insert(.idle) }
        if delaysSleep, !isSleeping { locks.insert(.sleep) }
        return locks
    }

    /// Accepts that the machine may sleep now.
    mutating func allowSleep() { isSleeping = true }

    /// Accepts that the machine is awake.
    mutating func wake() { isSleeping = false }
}
