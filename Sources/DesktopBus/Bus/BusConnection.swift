// SPDX-License-Identifier: GPL-3.0-or-later
import CSystemd
import Glibc

/// A connection to a message bus with the MPRIS object, used by one thread.
///
/// While the socket of the bus is missing, the connection waits for it with inotify.
final class BusConnection {
    typealias Handler = (MPRISObject.Call) throws(DBusError) -> [DBusValue]

    /// The most messages that are handled before the thread looks at other things.
    private static let mostMessages = 256

    private let bus: OpaquePointer
    private let handler: Handler

    /// Starts to connect, to take the name of the player, and to answer calls.
    init(address: String, name: String, handler: @escaping Handler) throws(BusFailure) {
        var made: OpaquePointer?
        try BusFailure.check(sd_bus_new(&made))
        guard let made else { throw BusFailure(code: ENOMEM) }
        (bus, self.handler) = (made, handler)
        try BusFailure.check(sd_bus_set_address(bus, address))
        try BusFailure.check(sd_bus_set_bus_client(bus, 1))
        try BusFailure.check(sd_bus_set_watch_bind(bus, 1))
        try BusFailure.check(sd_bus_start(bus))
        // The connection owns the callback, so `self` outlives it.
        let context = Unmanaged.passUnretained(self).toOpaque()
        try BusFailure.check(sd_bus_add_object(bus, nil, MPRISObject.path, Self.receive, context))
        try BusFailure.check(sd_bus_request_name_async(bus, nil, name, UInt64(SD_BUS_NAME_QUEUE), nil, nil))
    }

    /// Closes without waiting for the bus, which may hang; the bus then releases the name.
    deinit { sd_bus_close_unref(bus) }

    /// True if the bus has accepted the connection.
    var isReady: Bool { sd_bus_is_ready(bus) > 0 }

    /// Handles what has arrived. Fails if the bus is gone; the connection is then useless.
    func process() throws(BusFailure) {
        for _ in 0..<Self.mostMessages where try BusFailure.check(sd_bus_process(bus, nil)) == 0 { return }
    }

    /// The file and the events to poll for.
    var entry: pollfd {
        get throws(BusFailure) {
            let file = try BusFailure.check(sd_bus_get_fd(bus))
            return pollfd(fd: file, events: Int16(try BusFailure.check(sd_bus_get_events(bus))), revents: 0)
        }
    }

    /// The monotonic time at which `process` is due; `nil` if only events matter.
    var deadline: Duration? {
        get throws(BusFailure) {
            var microseconds: UInt64 = 0
            try BusFailure.check(sd_bus_get_timeout(bus, &microseconds))
            return microseconds > Int64.max ? nil : .microseconds(Int64(microseconds))
        }
    }

    /// Sends a signal of the object.
    func send(_ signal: MPRISSignal) throws(BusFailure) {
        switch signal {
        case .seeked(let position): try send(MPRISInterface.player.rawValue, "Seeked", [.integer(position)])
        case .propertiesChanged(let entries):
            let arguments: [DBusValue] = [
                .text(MPRISInterface.player.rawValue), .dictionary(entries), .texts([]),
            ]
            try send(MPRISInterface.properties.rawValue, "PropertiesChanged", arguments)
        }
    }

    private func send(_ interface: String, _ member: String, _ arguments: [DBusValue]) throws(BusFailure) {
        let message = try BusMessage { sd_bus_message_new_signal(bus, $0, MPRISObject.path, interface, member) }
        for argument in arguments { try message.append(argument) }
        try BusFailure.check(sd_bus_send(bus, message.pointer, nil))
    }
}

// MARK: Calls
extension BusConnection {
    private static let receive: sd_bus_message_handler_t = { message, context, _ in
        guard let message, let context else { return 0 }
        return Unmanaged<BusConnection>.fromOpaque(context).takeUnretainedValue().answer(message)
    }

    /// - Returns: 1 if the call was answered, or the negative code of a failure.
    private func answer(_ message: OpaquePointer) -> CInt {
        let message = BusMessage(keeping: message)
        do throws(BusFailure) {
            let reply = try reply(to: message)
            try BusFailure.check(sd_bus_send(bus, reply.pointer, nil))
            return 1
        } catch {
            return -error.code
        }
    }

    private func reply(to message: borrowing BusMessage) throws(BusFailure) -> BusMessage {
        let values: [DBusValue]
        do throws(DBusError) {
            guard let call = message.call else { throw .unusableArguments }
            values = try handler(call)
        } catch {
            return try Self.reply(message.pointer, error)
        }
        return try Self.reply(message.pointer, values)
    }

    private static func reply(_ call: OpaquePointer, _ values: [DBusValue]) throws(BusFailure) -> BusMessage {
        let reply = try BusMessage { sd_bus_message_new_method_return(call, $0) }
        for value in values { try reply.append(value) }
        return reply
    }

    private static func reply(_ call: OpaquePointer, _ error: DBusError) throws(BusFailure) -> BusMessage {
        try BusMessage { made in
            error.name.withCString { name in
                error.message.withCString { text in
                    var value = sd_bus_error(name: name, message: text, _need_free: 0)
                    return sd_bus_message_new_method_error(call, made, &value)
                }
            }
        }
    }
}
