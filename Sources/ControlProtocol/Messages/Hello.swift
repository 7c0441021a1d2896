// SPDX-License-Identifier: GPL-3.0-or-later
import Media

/// The greeting that the owner sends to each client first.
public struct Hello: Sendable, Equatable {
    /// The protocol that this version speaks. It rises only if the meaning of a method or key changes.
    public static let currentProtocol: Int64 = 1

    /// The kind of process that owns playback.
    public enum Owner: String, Sendable, CaseIterable {
        case service, play
    }

    public let version: String
    public let protocolNumber: Int64
    /// A text that differs for each run of an owner, so that clients notice a restart.
    public let instance: String
    public let owner: Owner
    public let process: Int64
    /// The name of the client in `by` of events; the server fills it in.
    public let client: String

    public init(version: String, instance: String, owner: Owner, process: Int64) {
        self.init(version, Self.currentProtocol, instance, owner, process, client: "")
    }

    private init(
        _ version: String, _ protocolNumber: Int64, _ instance: String, _ owner: Owner, _ process: Int64, client: String
    ) {
        (self.version, self.protocolNumber, self.instance) = (version, protocolNumber, instance)
        (self.owner, self.process, self.client) = (owner, process, client)
    }

    func addressed(to client: String) -> Hello {
        Hello(version, protocolNumber, instance, owner, process, client: client)
    }

    var json: JSONValue {
        .object([
            .init("version", .string(version)), .init("protocol", .integer(protocolNumber)),
            .init("instance", .string(instance)), .init("owner", .string(owner.rawValue)),
            .init("pid", .integer(process)), .init("client", .string(client)),
        ])
    }

    /// Creates the greeting that a server sent; `nil` if a key is missing.
    init?(_ value: JSONValue) {
        guard let version = value["version"]?.string, let number = value["protocol"]?.integer,
            let instance = value["instance"]?.string, let owner = value["owner"]?.string.flatMap(Owner.init),
            let process = value["pid"]?.integer, let client = value["client"]?.string
        else { return nil }
        self.init(version, number, instance, owner, process, client: client)
    }
}
