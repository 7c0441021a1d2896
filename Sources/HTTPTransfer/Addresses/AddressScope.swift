// SPDX-License-Identifier: GPL-3.0-or-later

/// The addresses that a request may connect to. A URL from the listener may lead to any address; a URL from a public
/// server, in a feed or a redirect, must not give access to this machine and its local network.
public struct AddressScope: Sendable, Equatable {
    /// True if every class of address is permitted.
    public let mayBePrivate: Bool
    /// Hosts that the listener has allowed in any network, in lower case and without a port.
    public let allowedHosts: Set<String>

    private init(mayBePrivate: Bool, allowing hosts: Set<String>) {
        self.mayBePrivate = mayBePrivate
        allowedHosts = Set(hosts.map { $0.lowercased() })
    }

    /// The reach of a URL that the listener typed.
    public static let any = AddressScope(mayBePrivate: true, allowing: [])

    /// Returns the reach of a typed URL, with hosts that remain permitted after a redirect.
    public static func any(allowing hosts: Set<String>) -> AddressScope {
        AddressScope(mayBePrivate: true, allowing: hosts)
    }

    /// Returns the reach of a URL in one of the listener's lists. If the host in the URL is visibly on the local
    /// network, the URL may lead there; a name that DNS resolves to a private address may not.
    public static func listed(_ url: String) -> AddressScope {
        guard let host = (try? WebAddress.parse(url))?.0.origin.bareHost else { return .publicOnly() }
        let kind = IPAddress(text: host).map { AddressClass($0) } ?? AddressClass(hostName: host)
        return kind ?? .public == .public ? .publicOnly() : .any
    }

    /// Returns the reach of a URL from a public server.
    public static func publicOnly(allowing hosts: Set<String> = []) -> AddressScope {
        AddressScope(mayBePrivate: false, allowing: hosts)
    }

    /// Returns the reach of a URL that a response contains, in a redirect or a feed.
    ///
    /// - Parameter source: `ResponseHead.source` of that response; `nil` if unknown, which counts as public.
    public func named(by source: AddressClass?) -> AddressScope {
        (source ?? .public) == .public ? .publicOnly(allowing: allowedHosts) : self
    }

    func permits(_ kind: AddressClass, host: String) -> Bool {
        kind == .public || mayBePrivate || allowedHosts.contains(host.lowercased())
    }
}
