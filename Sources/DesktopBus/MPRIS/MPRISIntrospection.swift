// SPDX-License-Identifier: GPL-3.0-or-later

/// The description of the object. Source: D-Bus specification, introspection data format.
enum MPRISIntrospection {
    static let document = """
        <!DOCTYPE node PUBLIC "-//freedesktop//DTD D-BUS Object Introspection 1.0//EN"
         "http://www.freedesktop.org/standards/dbus/1.0/introspect.dtd">
        <node>
        \(MPRISInterface.allCases.map(interface).joined())</node>

        """

    private static func interface(_ interface: MPRISInterface) -> String {
        let methods = MPRISMethod.all.filter { $0.interface == interface }.map(method)
        let properties = MPRISProperty.all.filter { $0.interface == interface }.map(property)
        let parts = methods + signals(of: interface) + properties
        return " <interface name=\"\(interface.rawValue)\">\n\(parts.joined()) </interface>\n"
    }

    private static func method(_ method: MPRISMethod) -> String {
        let arguments =
            types(method.input).map { argument($0, "in") } + types(method.output).map { argument($0, "out") }
        return "  <method name=\"\(method.name)\">\(arguments.joined())</method>\n"
    }

    private static func argument(_ type: String, _ direction: String) -> String {
        "<arg type=\"\(type)\" direction=\"\(direction)\"/>"
    }

    /// Returns the complete types of a signature, of which only a dictionary has more than one character.
    private static func types(_ signature: String) -> [String] {
        signature == "a{sv}" ? [signature] : signature.map { String($0) }
    }

    private static func signals(of interface: MPRISInterface) -> [String] {
        switch interface {
        case .player: ["  <signal name=\"Seeked\"><arg name=\"Position\" type=\"x\"/></signal>\n"]
        case .properties:
            [
                "  <signal name=\"PropertiesChanged\"><arg type=\"s\"/><arg type=\"a{sv}\"/><arg type=\"as\"/>"
                    + "</signal>\n"
            ]
        case .root, .introspection: []
        }
    }

    private static func property(_ property: MPRISProperty) -> String {
        let access = property.isWritable ? "readwrite" : "read"
        let note = "org.freedesktop.DBus.Property.EmitsChangedSignal"
        return "  <property name=\"\(property.name)\" type=\"\(property.signature)\" access=\"\(access)\">"
            + "<annotation name=\"\(note)\" value=\"\(property.announcement.rawValue)\"/></property>\n"
    }
}
