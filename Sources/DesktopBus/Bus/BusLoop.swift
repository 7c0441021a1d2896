// SPDX-License-Identifier: GPL-3.0-or-later
import Glibc
import Media
import Synchronization

/// The thread of the desktop connection.
final class BusLoop {
    /// The age from which a connection that the bus has not accepted is replaced when there is a new state to show.
    private static let connectTimeout = Duration.seconds(5)
    /// The pause before the first attempt to connect again, doubled after each, and the number of attempts.
    private static let firstPause = Duration.milliseconds(25)
    private static let mostRetries = 10

    private let address: String
    private let mailbox: BusMailbox
    private let receive: (MPRISRequest) -> Void
    private var object = MPRISObject()
    private var connection: BusConnection?
    private var connectedAt = Duration.zero
    /// The number of connections in a row that the bus did not accept, and the time of the next attempt.
    private var failures = 0
    private var retryAt: Duration?

    init(_ address: String, _ mailbox: BusMailbox, _ receive: @escaping (MPRISRequest) -> Void) {
        (self.address, self.mailbox, self.receive) = (address, mailbox, receive)
    }

    /// Runs until the order to stop.
    func run() {
        connect()
        while !mailbox.isStopped {
            if let snapshot = mailbox.take() { show(snapshot) }
            if let retryAt, retryAt <= now { connect() }
            do throws(BusFailure) {
                try connection?.process()
                noteReadiness()
                try wait()
            } catch {
                reconnect()
            }
        }
        connection = nil
    }

    private func show(_ snapshot: MPRISSnapshot) {
        let signals = object.show(snapshot)
        if let connection, connection.isReady {
            do throws(BusFailure) { for signal in signals { try connection.send(signal) } } catch { reconnect() }
        } else if connection == nil || now - connectedAt > Self.connectTimeout {
            connect()
        }
    }

    /// Prepares to connect again. The first attempt may still reach the bus that is ending; a later one waits for the
    /// socket of the next bus. After some failures, such as that of an invalid address, only a new state to show is a
    /// reason to try again, so that the thread does not use the processor.
    private func reconnect() {
        connection = nil
        noteReadiness()
        failures += 1
        retryAt = failures <= Self.mostRetries ? now + Self.firstPause * (1 << failures) : nil
    }

    private func connect() {
        connection = nil
        (connectedAt, retryAt) = (now, nil)
        do throws(BusFailure) {
            connection = try BusConnection(address: address, name: MPRISObject.name) {
                [unowned self] call throws(DBusError) in try answer(call)
            }
        } catch {
            reconnect()
        }
    }

    private func answer(_ call: MPRISObject.Call) throws(DBusError) -> [DBusValue] {
        let outcome = try object.handle(call, at: now)
        if let request = outcome.request { receive(request) }
        return outcome.reply
    }

    private func noteReadiness() {
        let isReady = connection?.isReady ?? false
        if isReady { failures = 0 }
        mailbox.isConnected.store(isReady, ordering: .relaxed)
    }

    private func wait() throws(BusFailure) {
        var entries = [pollfd(fd: mailbox.wake.descriptor, events: Int16(POLLIN), revents: 0)]
        if let entry = try connection?.entry { entries.append(entry) }
        var timeout: CInt = -1
        if let deadline = try connection?.deadline ?? retryAt {
            let left = max(deadline - now, .zero)
            timeout = CInt(clamping: Int64(left / .milliseconds(1)) + (left > .zero ? 1 : 0))
        }
        guard poll(&entries, nfds_t(entries.count), timeout) > 0 else { return }
        if entries[0].revents != 0 { mailbox.wake.clear() }
    }

    /// The clock of sd-bus and of the snapshots.
    private var now: Duration {
        var time = timespec()
        clock_gettime(CLOCK_MONOTONIC, &time)
        return .seconds(time.tv_sec) + .nanoseconds(time.tv_nsec)
    }
}
