// SPDX-License-Identifier: GPL-3.0-or-later
import CSystemd
import Glibc
import Media

/// The thread of a `SleepGuard`.
final class SleepLoop {
    private let address: String
    private let mailbox: SleepMailbox
    private let receive: (SleepGuard.Event) -> Void
    private var policy: SleepPolicy
    private var held: [SleepPolicy.Lock: FileDescriptor] = [:]
    /// The locks that were requested and not answered yet.
    private var requested: Set<SleepPolicy.Lock> = []
    private var bus: OpaquePointer?

    init(
        _ address: String, _ mailbox: SleepMailbox, _ policy: SleepPolicy,
        _ receive: @escaping (SleepGuard.Event) -> Void
    ) {
        (self.address, self.mailbox, self.receive) = (address, mailbox, receive)
        self.policy = policy
    }

    /// Runs until the order to stop. Without a bus it waits for the order only.
    func run() {
        do throws(BusFailure) { try connect() } catch { close() }
        while true {
            let orders = mailbox.take()
            guard !orders.isStopped else { break }
            policy.isPlaying = orders.isPlaying
            if orders.isReady { policy.allowSleep() }
            do throws(BusFailure) {
                try process()
                try updateLocks()
                try wait()
            } catch {
                close()
            }
        }
        close()
    }

    private func connect() throws(BusFailure) {
        var made: OpaquePointer?
        try BusFailure.check(sd_bus_new(&made))
        bus = made
        try BusFailure.check(sd_bus_set_address(bus, address))
        try BusFailure.check(sd_bus_set_bus_client(bus, 1))
        try BusFailure.check(sd_bus_negotiate_fds(bus, 1))
        try BusFailure.check(sd_bus_set_watch_bind(bus, 1))
        try BusFailure.check(sd_bus_start(bus))
        // The bus calls back on this thread only, while `self` exists.
        let context = Unmanaged.passUnretained(self).toOpaque()
        try BusFailure.check(
            sd_bus_match_signal_async(
                bus, nil, Login.service, Login.path, Login.interface, "PrepareForSleep", Self.prepare, nil, context))
    }

    private func close() {
        if let bus { sd_bus_close_unref(bus) }
        bus = nil
        (held, requested) = ([:], [])
    }

    private func process() throws(BusFailure) {
        guard let bus else { return }
        while try BusFailure.check(sd_bus_process(bus, nil)) > 0 {}
    }

    private func wait() throws(BusFailure) {
        var entries = [pollfd(fd: mailbox.wake.descriptor, events: Int16(POLLIN), revents: 0)]
        if let bus {
            let file = try BusFailure.check(sd_bus_get_fd(bus))
            let events = Int16(try BusFailure.check(sd_bus_get_events(bus)))
            entries.append(pollfd(fd: file, events: events, revents: 0))
        }
        guard poll(&entries, nfds_t(entries.count), -1) > 0 else { return }
        if entries[0].revents != 0 { mailbox.wake.clear() }
    }
}

// MARK: Locks
extension SleepLoop {
    private enum Login {
        static let service = "org.freedesktop.login1"
        static let path = "/org/freedesktop/login1"
        static let interface = "org.freedesktop.login1.Manager"
    }

    private func updateLocks() throws(BusFailure) {
        let wanted = policy.locks
        held = held.filter { lock, _ in wanted.contains(lock) }
        for lock in wanted where held[lock] == nil && !requested.contains(lock) { try request(lock) }
    }

    private func request(_ lock: SleepPolicy.Lock) throws(BusFailure) {
        guard let bus, sd_bus_is_ready(bus) > 0 else { return }
        let message = try BusMessage {
            sd_bus_message_new_method_call(bus, $0, Login.service, Login.path, Login.interface, "Inhibit")
        }
        for text in lock.arguments { try message.append(.text(text)) }
        let context = Unmanaged.passUnretained(self).toOpaque()
        let answer = lock == .idle ? Self.idleAnswer : Self.sleepAnswer
        try BusFailure.check(sd_bus_call_async(bus, nil, message.pointer, answer, context, 0))
        requested.insert(lock)
    }

    private static let idleAnswer: sd_bus_message_handler_t = { message, context, _ in
        accept(message, .idle, context)
    }

    private static let sleepAnswer: sd_bus_message_handler_t = { message, context, _ in
        accept(message, .sleep, context)
    }

    private static func accept(
        _ message: OpaquePointer?, _ lock: SleepPolicy.Lock, _ context: UnsafeMutableRawPointer?
    ) -> CInt {
        guard let message, let context else { return 0 }
        let loop = Unmanaged<SleepLoop>.fromOpaque(context).takeUnretainedValue()
        // An error means that logind is missing or refuses: the lock is not requested again on this connection.
        guard sd_bus_message_is_method_error(message, nil) == 0 else { return 0 }
        var number: CInt = -1
        guard sd_bus_message_read_basic(message, CChar(bitPattern: UInt8(ascii: "h")), &number) > 0 else { return 0 }
        // The message closes its own descriptor.
        let copy = fcntl(number, F_DUPFD_CLOEXEC, 3)
        loop.requested.remove(lock)
        if copy >= 0, let file = try? FileDescriptor(owning: copy) { loop.held[lock] = file }
        return 0
    }

    private static let prepare: sd_bus_message_handler_t = { message, context, _ in
        guard let message, let context else { return 0 }
        var starts: CInt = 0
        guard sd_bus_message_read_basic(message, CChar(bitPattern: UInt8(ascii: "b")), &starts) > 0 else { return 0 }
        let loop = Unmanaged<SleepLoop>.fromOpaque(context).takeUnretainedValue()
        if starts == 0 { loop.policy.wake() }
        loop.receive(starts == 0 ? .wakes : .sleeps)
        return 0
    }
}

extension SleepPolicy.Lock {
    /// The arguments of Inhibit: what, who, why, mode.
    fileprivate var arguments: [String] {
        switch self {
        case .idle: ["idle", "Earshot", "A podcast is playing", "block"]
        case .sleep: ["sleep", "Earshot", "Playback pauses before sleep", "delay"]
        }
    }
}
