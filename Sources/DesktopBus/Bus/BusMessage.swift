// SPDX-License-Identifier: GPL-3.0-or-later
import CSystemd
import Glibc

/// A failed function of sd-bus; the code is that of `errno`.
struct BusFailure: Error, Sendable, Equatable {
    let code: CInt

    /// Throws if the result of a function is negative.
    @discardableResult
    static func check(_ result: CInt) throws(BusFailure) -> CInt {
        guard result >= 0 else { throw BusFailure(code: -result) }
        return result
    }
}

/// A message of sd-bus, released with the value.
struct BusMessage: ~Copyable {
    let pointer: OpaquePointer

    /// - Parameter make: creates the message with a reference for the caller.
    init(_ make: (UnsafeMutablePointer<OpaquePointer?>) -> CInt) throws(BusFailure) {
        var made: OpaquePointer?
        try BusFailure.check(make(&made))
        guard let made else { throw BusFailure(code: ENOMEM) }
        pointer = made
    }

    /// Keeps a received message.
    init(keeping pointer: OpaquePointer) { self.pointer = sd_bus_message_ref(pointer) }

    deinit { sd_bus_message_unref(pointer) }
}

// MARK: Writing
extension BusMessage {
    func append(_ value: DBusValue) throws(BusFailure) {
        switch value {
        case .text(let text): try append("s", text)
        case .objectPath(let path): try append("o", path)
        case .integer(var number): try appendBasic("x", &number)
        case .natural(var number): try appendBasic("u", &number)
        case .signed(var number): try appendBasic("i", &number)
        case .double(var number): try appendBasic("d", &number)
        case .bool(let value):
            var number: CInt = value ? 1 : 0
            try appendBasic("b", &number)
        case .texts(let texts):
            try container("a", "s") { () throws(BusFailure) in for text in texts { try append("s", text) } }
        case .dictionary(let entries): try append(entries)
        case .variant(let value): try appendVariant(value)
        }
    }

    private func append(_ entries: [DBusValue.Entry]) throws(BusFailure) {
        try container("a", "{sv}") { () throws(BusFailure) in
            for entry in entries {
                try container("e", "sv") { () throws(BusFailure) in
                    try append("s", entry.key)
                    try appendVariant(entry.value)
                }
            }
        }
    }

    private func appendVariant(_ value: DBusValue) throws(BusFailure) {
        try container("v", value.signature) { () throws(BusFailure) in try append(value) }
    }

    /// D-Bus has no NUL in texts.
    private func append(_ type: Unicode.Scalar, _ text: String) throws(BusFailure) {
        let text =
            text.utf8.contains(0) ? String(text.unicodeScalars.filter { $0.value != 0 }.map(Character.init)) : text
        try BusFailure.check(text.withCString { sd_bus_message_append_basic(pointer, Self.code(type), $0) })
    }

    private func appendBasic(_ type: Unicode.Scalar, _ value: UnsafeRawPointer) throws(BusFailure) {
        try BusFailure.check(sd_bus_message_append_basic(pointer, Self.code(type), value))
    }

    private func container(
        _ type: Unicode.Scalar, _ contents: String, _ body: () throws(BusFailure) -> Void
    ) throws(BusFailure) {
        try BusFailure.check(sd_bus_message_open_container(pointer, Self.code(type), contents))
        try body()
        try BusFailure.check(sd_bus_message_close_container(pointer))
    }

    private static func code(_ type: Unicode.Scalar) -> CChar { CChar(bitPattern: UInt8(ascii: type)) }
}

// MARK: Reading
extension BusMessage {
    /// The most arguments that are read; no method has more.
    private static let mostArguments = 4

    /// The method call of the message; `nil` if an argument has a type that no method uses.
    var call: MPRISObject.Call? {
        guard let member = sd_bus_message_get_member(pointer) else { return nil }
        var arguments: [DBusValue] = []
        while sd_bus_message_at_end(pointer, 0) == 0 {
            guard arguments.count < Self.mostArguments, let argument = argument(variants: true) else { return nil }
            arguments.append(argument)
        }
        let interface = sd_bus_message_get_interface(pointer).map { String(cString: $0) }
        return MPRISObject.Call(interface, String(cString: member), arguments)
    }

    private func argument(variants: Bool) -> DBusValue? {
        var (type, contents): (CChar, UnsafePointer<CChar>?) = (0, nil)
        guard sd_bus_message_peek_type(pointer, &type, &contents) > 0 else { return nil }
        switch UInt8(bitPattern: type) {
        case UInt8(ascii: "s"): return text(type).map { .text($0) }
        case UInt8(ascii: "o"): return text(type).map { .objectPath($0) }
        case UInt8(ascii: "x"): return number(type, 0 as Int64).map { .integer($0) }
        case UInt8(ascii: "d"): return number(type, 0.0).map { .double($0) }
        case UInt8(ascii: "b"): return number(type, 0 as CInt).map { .bool($0 != 0) }
        case UInt8(ascii: "v") where variants:
            guard sd_bus_message_enter_container(pointer, type, contents) > 0,
                let value = argument(variants: false), sd_bus_message_exit_container(pointer) > 0
            else { return nil }
            return .variant(value)
        default: return nil
        }
    }

    /// The integer of a message that has one.
    var natural: UInt32? { number(Self.code("u"), 0 as UInt32) }

    /// The texts of a message that has an array of them.
    var texts: [String] {
        guard sd_bus_message_enter_container(pointer, Self.code("a"), "s") > 0 else { return [] }
        var texts: [String] = []
        while let next = text(Self.code("s")) { texts.append(next) }
        return texts
    }

    private func number<Number: BitwiseCopyable>(_ type: CChar, _ initial: Number) -> Number? {
        var value = initial
        return sd_bus_message_read_basic(pointer, type, &value) > 0 ? value : nil
    }

    private func text(_ type: CChar) -> String? {
        var value: UnsafePointer<CChar>?
        guard sd_bus_message_read_basic(pointer, type, &value) > 0 else { return nil }
        return value.map { String(cString: $0) }
    }
}
