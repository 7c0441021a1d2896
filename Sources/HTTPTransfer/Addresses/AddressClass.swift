// SPDX-License-Identifier: GPL-3.0-or-later

/// Who can be behind a numeric address. Sources: the IANA registries of special-purpose addresses (RFC 6890).
public enum AddressClass: Sendable, Hashable, CaseIterable {
    /// Anybody on the internet.
    case `public`
    /// A neighbour: RFC 1918, shared addresses (RFC 6598), unique local ones of IPv6 (RFC 4193).
    case privateNetwork
    /// This machine.
    case loopback
    /// This cable; also where clouds put their metadata.
    case linkLocal
    /// "This host", which the system takes for loopback.
    case unspecified
    /// Groups, broadcast, and what is kept for other times.
    case reserved

    init(_ address: IPAddress) {
        if let inner = Self.embedded(in: address) {
            self = AddressClass(inner)
        } else {
            self = Self.networks.first { $0.network.contains(address) }?.kind ?? .public
        }
    }

    /// The class of a host by its name alone; `nil` for a name that can belong to anybody.
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

    /// Nobody can register a name below these: RFC 6762 with its appendix G, and the names of common routers.
    private static let privateSuffixes: Set<String> = [
        "local", "localdomain", "lan", "home", "internal", "intranet", "private", "corp",
    ]

    /// IPv4 in IPv6: whoever connects to the one reaches the other.
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
        // Behind the two above: the few addresses of ::/112 are nobody's.
        (.v6(bits: 112), .reserved),
        // NAT64 of a local network (RFC 8215).
        (.v6(0, 0x64, 0xFF, 0x9B, 0, 1, bits: 48), .privateNetwork),
        (.v6(0xFC, bits: 7), .privateNetwork), (.v6(0xFE, 0x80, bits: 10), .linkLocal),
        // Site-local, given up by RFC 3879.
        (.v6(0xFE, 0xC0, bits: 10), .privateNetwork), (.v6(0xFF, bits: 8), .reserved),
    ]
}
