// SPDX-License-Identifier: GPL-3.0-or-later

/// How far a request may lead. What the listener names may lie anywhere; what a public server names, by a feed or a
/// redirect, must not become a key to this machine and its neighbours.
public struct AddressReach: Sendable, Equatable {
    /// Whether every class of address may be connected to.
    public let mayBePrivate: Bool
    /// Hosts that the listener has allowed, in lower case and without a port, wherever they are.
    public let allowedHosts: Set<String>

    private init(mayBePrivate: Bool, allowing hosts: Set<String>) {
        self.mayBePrivate = mayBePrivate
        allowedHosts = Set(hosts.map { $0.lowercased() })
    }

    /// For what the listener has typed.
    public static let any = AddressReach(mayBePrivate: true, allowing: [])

    /// As `any`, with hosts that a redirect may also lead to.
    public static func any(allowing hosts: Set<String>) -> AddressReach {
        AddressReach(mayBePrivate: true, allowing: hosts)
    }

    /// For what stands in a list of the listener's: an address that says itself that it is of the own network may lead
    /// there, and no name does because of what the DNS answers.
    public static func listed(_ url: String) -> AddressReach {
        guard let host = (try? WebAddress.parse(url))?.0.origin.bareHost else { return .publicOnly() }
        let kind = IPAddress(text: host).map { AddressClass($0) } ?? AddressClass(hostName: host)
        return kind ?? .public == .public ? .publicOnly() : .any
    }

    /// For what a public server names.
    public static func publicOnly(allowing hosts: Set<String> = []) -> AddressReach {
        AddressReach(mayBePrivate: false, allowing: hosts)
    }

    /// The reach of an address that an answer names, by a redirect or in a feed.
    ///
    /// - Parameter source: `ResponseHead.source` of that answer; `nil`, where it is not known, counts as public.
    public func named(by source: AddressClass?) -> AddressReach {
        (source ?? .public) == .public ? .publicOnly(allowing: allowedHosts) : self
    }

    func permits(_ kind: AddressClass, host: String) -> Bool {
        kind == .public || mayBePrivate || allowedHosts.contains(host.lowercased())
    }
}
