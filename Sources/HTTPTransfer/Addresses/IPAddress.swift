// SPDX-License-Identifier: GPL-3.0-or-later
import Glibc

/// A numeric address: 4 bytes of IPv4 or 16 of IPv6, in network order.
struct IPAddress: Sendable, Hashable {
    let bytes: [UInt8]

    /// - Parameter bytes: 4 or 16 bytes; any other number fails.
    init?(bytes: some Collection<UInt8>) {
        guard bytes.count == 4 || bytes.count == 16 else { return nil }
        self.bytes = Array(bytes)
    }

    /// Parses the dotted and the colon form, the latter also in brackets and with a zone.
    init?(text: some StringProtocol) {
        let bare = text.drop { $0 == "[" }.prefix { $0 != "]" && $0 != "%" }
        var storage: [UInt8] = Array(repeating: 0, count: 16)
        if inet_pton(AF_INET, String(bare), &storage) == 1 {
            bytes = Array(storage[..<4])
        } else if inet_pton(AF_INET6, String(bare), &storage) == 1 {
            bytes = storage
        } else {
            return nil
        }
    }

    /// Parses a host that libcurl takes for an address, also in the forms of inet_aton(3): `127.1`, `0x7f.0.0.1`,
    /// `2130706433`.
    init?(numericHost host: String) {
        var address = in_addr()
        if inet_aton(host, &address) == 1 {
            self.init(bytes: withUnsafeBytes(of: address.s_addr) { Array($0) })
        } else {
            self.init(text: host)
        }
    }

    /// Reads the address of a `sockaddr_in` or `sockaddr_in6`; `nil` for any other family and for too few bytes.
    init?(socketAddress raw: UnsafeRawBufferPointer) {
        guard raw.count >= MemoryLayout<sa_family_t>.size else { return nil }
        let (offset, count): (Int?, Int)
        switch CInt(raw.loadUnaligned(as: sa_family_t.self)) {
        case AF_INET: (offset, count) = (MemoryLayout<sockaddr_in>.offset(of: \.sin_addr), 4)
        case AF_INET6: (offset, count) = (MemoryLayout<sockaddr_in6>.offset(of: \.sin6_addr), 16)
        default: return nil
        }
        guard let offset, raw.count >= offset + count else { return nil }
        bytes = Array(raw[offset..<offset + count])
    }
}

/// All addresses of a family that begin with the same bits (RFC 4632 section 3.1).
struct IPNetwork: Sendable, Hashable {
    /// The address bytes, in the full length of the family.
    private let prefix: [UInt8]
    private let bits: Int

    /// Creates a network; omitted bytes are 0.
    static func v4(_ bytes: UInt8..., bits: Int) -> IPNetwork { IPNetwork(bytes, count: 4, bits: bits) }
    static func v6(_ bytes: UInt8..., bits: Int) -> IPNetwork { IPNetwork(bytes, count: 16, bits: bits) }

    private init(_ bytes: [UInt8], count: Int, bits: Int) {
        prefix = Array((bytes + Array(repeating: 0, count: count)).prefix(count))
        self.bits = min(max(bits, 0), count * 8)
    }

    /// Parses "10.0.0.0/8", "fc00::/7" and a single address.
    init?(text: some StringProtocol) {
        let halves = text.split(separator: "/", omittingEmptySubsequences: false)
        guard let first = halves.first, halves.count <= 2, let address = IPAddress(text: first) else { return nil }
        let most = address.bytes.count * 8
        guard let bits = halves.count == 1 ? most : Int(halves[1]), 0...most ~= bits else { return nil }
        (prefix, self.bits) = (address.bytes, bits)
    }

    func contains(_ address: IPAddress) -> Bool {
        guard address.bytes.count == prefix.count else { return false }
        let whole = bits / 8
        guard address.bytes[..<whole] == prefix[..<whole] else { return false }
        let rest = bits % 8
        return rest == 0 || (address.bytes[whole] ^ prefix[whole]) >> (8 - rest) == 0
    }
}
