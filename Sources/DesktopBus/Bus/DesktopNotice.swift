// SPDX-License-Identifier: GPL-3.0-or-later
import CSystemd
import Glibc

/// A notification on the desktop. Source: Desktop Notifications Specification 1.2.
public struct DesktopNotice: Sendable, Equatable {
    let title: String
    let text: String

    /// - Parameter text: lines without markup.
    public init(title: String, text: String) { (self.title, self.text) = (title, text) }

    /// Shows the notification. Waits a few seconds at most for a desktop that does not answer.
    /// - Parameters:
    ///   - earlier: the identity of a notification that this one replaces if it still exists.
    ///   - address: the address of the session bus.
    /// - Returns: the identity of the notification; `nil` if no desktop shows it.
    public func show(replacing earlier: String?, address: String) -> String? {
        do throws(BusFailure) {
            return try NoticeConnection(address).show(self, replacing: earlier)
        } catch {
            return nil
        }
    }

    /// Returns the text for a server that accepts markup.
    static func escaped(_ text: String) -> String {
        text.reduce(into: "") { escaped, character in
            switch character {
            case "&": escaped += "&amp;"
            case "<": escaped += "&lt;"
            case ">": escaped += "&gt;"
            default: escaped.append(character)
            }
        }
    }
}

/// A connection that shows one notification and waits for the answer.
private final class NoticeConnection {
    private static let service = "org.freedesktop.Notifications"
    private static let path = "/org/freedesktop/Notifications"
    /// The time in microseconds in which the desktop must answer a call.
    private static let callTimeout: UInt64 = 2_000_000

    private let bus: OpaquePointer

    init(_ address: String) throws(BusFailure) {
        var made: OpaquePointer?
        try BusFailure.check(sd_bus_new(&made))
        guard let made else { throw BusFailure(code: ENOMEM) }
        bus = made
        try BusFailure.check(sd_bus_set_address(bus, address))
        try BusFailure.check(sd_bus_set_bus_client(bus, 1))
        try BusFailure.check(sd_bus_set_method_call_timeout(bus, Self.callTimeout))
        try BusFailure.check(sd_bus_start(bus))
    }

    deinit { sd_bus_close_unref(bus) }

    func show(_ notice: DesktopNotice, replacing earlier: String?) throws(BusFailure) -> String {
        let abilities = try call("GetCapabilities", [])
        let place = try place(of: abilities)
        let text = abilities.texts.contains("body-markup") ? DesktopNotice.escaped(notice.text) : notice.text
        let answer = try call(
            "Notify",
            [
                .text("Earshot"), .natural(Self.number(earlier, at: place)), .text("earshot"), .text(notice.title),
                .text(text), .texts([]), .dictionary([.init("desktop-entry", .text("earshot"))]), .signed(-1),
            ])
        guard let number = answer.natural else { throw BusFailure(code: EBADMSG) }
        return "\(place) \(number)"
    }

    /// Returns the identity of the server that answered: numbers of notifications have a meaning only there.
    private func place(of answer: borrowing BusMessage) throws(BusFailure) -> String {
        var identity = sd_id128_t()
        try BusFailure.check(sd_bus_get_bus_id(bus, &identity))
        let bytes = withUnsafeBytes(of: identity) { $0.map { String($0, radix: 16) }.joined(separator: "-") }
        return "\(bytes) \(answer.sender ?? "")"
    }

    /// Returns the number of an earlier notification; 0 for a new one.
    private static func number(_ earlier: String?, at place: String) -> UInt32 {
        guard let earlier, earlier.hasPrefix(place + " ") else { return 0 }
        return UInt32(earlier.dropFirst(place.utf8.count + 1)) ?? 0
    }

    private func call(_ member: String, _ arguments: [DBusValue]) throws(BusFailure) -> BusMessage {
        let message = try BusMessage {
            sd_bus_message_new_method_call(bus, $0, Self.service, Self.path, Self.service, member)
        }
        for argument in arguments { try message.append(argument) }
        return try BusMessage { sd_bus_call(bus, message.pointer, Self.callTimeout, nil, $0) }
    }
}

extension BusMessage {
    fileprivate var sender: String? { sd_bus_message_get_sender(pointer).map { String(cString: $0) } }
}
