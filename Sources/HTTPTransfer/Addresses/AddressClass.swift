// SPDX-License-Identifier: GPL-3.0-or-later

/// The kind of host that a numeric address can belong to. Sources: the IANA registries of special-purpose addresses
/// (RFC 6890).
public enum AddressClass: Sendable, Hashable, CaseIterable {
    /// Any host on the internet.
    case `public`
    /// A host on the local network: RFC 1918, shared addresses (RFC 6598), unique local addresses of IPv6 (RFC 4193).
    case privateNetwork
    /// This machine.
    case loopback
    /// A host on the same link; also the metadata services of cloud providers.
    case linkLocal
    /// "This host", which the system treats as loopback.
    case unspecified
    /// Multicast, broadcast, and addresses reserved for future use.
    case reserved

    init(_ address: IPAddress) {
        if let inner = Self.embedded(in: address) {
            self = AddressClass(inner)
        } else {
            self = Self.networks.first { $0.network.contains(address) }?.kind ?? .public
        }
    }

    /// Classifies a host by its name; `nil` for a name that may belong to any host.
    init?(hostName: String) {
        let labels = hostName.lowercased().split(separator: ".", omittingEmptySubsequences: true)
        guard let last = labels.last else { return nil }
        if last == "localhost" {
            self = .loopback
        } else if labels.count == 1 || Self.privateSuffixes.contains(String(last))
            || labels.suffix(2).elementsEqual(["home", "arpa"])
        {
            self = .privateNetwork
        } else {
            return nil
        }
    }

    /// Top-level names that cannot be registered: RFC 6762 with its appendix G, and the names that common routers
    /// use.
    private static let privateSuffixes: Set<String> = [
        "local", "localdomain", "lan", "home", "internal", "intranet", "private", "corp",
    ]

    /// Returns the IPv4 address embedded in an IPv6 address: a connection to the latter reaches the former.
    private static func embedded(in address: IPAddress) -> IPAddress? {
        guard let offset = carriers.first(where: { $0.network.contains(address) })?.offset,
            !(address.bytes.dropLast(2).allSatisfy { $0 == 0 })
        else { return nil }
        return IPAddress(bytes: address.bytes[offset..<offset + 4])
    }

    private static let carriers: [(network: IPNetwork, offset: Int)] = [
        // Mapped, compatible (RFC 4291 section 2.5.5), translated (RFC 2765), NAT64 (RFC 6052), 6to4 (RFC 3056).
        (.v6(0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xFF, 0xFF, bits: 96), 12), (.v6(bits: 96), 12),
        (.v6(0, 0, 0, 0, 0, 0, 0, 0, 0xFF, 0xFF, 0, 0, bits: 96), 12),
        (.v6(0, 0x64, 0xFF, 0x9B, bits: 96), 12), (.v6(0x20, 0x02, bits: 16), 2),
    ]

    private static let networks: [(network: IPNetwork, kind: AddressClass)] = [
        (.v4(0, bits: 8), .unspecified), (.v4(10, bits: 8), .privateNetwork),
        (.v4(100, 64, bits: 10), .privateNetwork), (.v4(127, bits: 8), .loopback),
        (.v4(169, 254, bits: 16), .linkLocal), (.v4(172, 16, bits: 12), .privateNetwork),
        (.v4(192, 0, 0, bits: 24), .reserved), (.v4(192, 168, bits: 16), .privateNetwork),
        (.v4(198, 18, bits: 15), .reserved), (.v4(224, bits: 3), .reserved),
        (.v6(bits: 128), .unspecified), (.v6(0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, bits: 128), .loopback),
        // After the two entries above: the other addresses of ::/112 are unassigned.
        (.v6(bits: 112), .reserved),
        // NAT64 of a local network (RFC 8215).
        (.v6(0, 0x64, 0xFF, 0x9B, 0, 1, bits: 48), .privateNetwork),
        (.v6(0xFC, bits: 7), .privateNetwork), (.v6(0xFE, 0x80, bits: 10), .linkLocal),
        // Site-local, deprecated by RFC 3879.
        (.v6(0xFE, 0xC0, bits: 10), .privateNetwork), (.v6(0xFF, bits: 8), .reserved),
    ]
}
