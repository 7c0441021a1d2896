// SPDX-License-Identifier: GPL-3.0-or-later

/// A value of D-Bus, of the types that MPRIS and notifications use.
public enum DBusValue: Sendable, Equatable {
    case text(String)
    case objectPath(String)
    case integer(Int64)
    /// An integer from 0 with 32 bits.
    case natural(UInt32)
    /// An integer with 32 bits.
    case signed(Int32)
    case double(Double)
    case bool(Bool)
    case texts([String])
    /// A dictionary from texts to variants, in writing order.
    case dictionary([Entry])
    /// A variant; used for arguments only.
    indirect case variant(DBusValue)

    public struct Entry: Sendable, Equatable {
        public let key: String
        public let value: DBusValue

        init(_ key: String, _ value: DBusValue) {
            self.key = key
            self.value = value
        }
    }

    /// The signature of the type. Source: D-Bus specification, type system.
    public var signature: String {
        switch self {
        case .text: "s"
        case .objectPath: "o"
        case .integer: "x"
        case .natural: "u"
        case .signed: "i"
        case .double: "d"
        case .bool: "b"
        case .texts: "as"
        case .dictionary: "a{sv}"
        case .variant: "v"
        }
    }
}

/// An error reply.
public struct DBusError: Error, Sendable, Equatable {
    public let name: String
    public let message: String

    static func unknownMethod(_ member: String) -> DBusError {
        DBusError("UnknownMethod", "there is no method \(member)")
    }
    static func unknownInterface(_ name: String) -> DBusError {
        DBusError("UnknownInterface", "there is no interface \(name)")
    }
    static func unknownProperty(_ name: String) -> DBusError {
        DBusError("UnknownProperty", "there is no property \(name)")
    }
    static func readOnly(_ name: String) -> DBusError { DBusError("PropertyReadOnly", "\(name) cannot be set") }
    static func invalidArguments(_ expected: String) -> DBusError {
        DBusError("InvalidArgs", "the arguments must have the signature \"\(expected)\"")
    }

    static let unusableArguments = DBusError("InvalidArgs", "no method takes these arguments")

    private init(_ name: String, _ message: String) {
        self.name = "org.freedesktop.DBus.Error.\(name)"
        self.message = message
    }
}
