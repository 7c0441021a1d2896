// SPDX-License-Identifier: GPL-3.0-or-later
import Glibc

/// Addresses of this machine; a client sees each of them as another host.
public enum LoopbackHost: String, Sendable, CaseIterable {
    case first = "127.0.0.1"
    case second = "127.0.0.2"
    case v6 = "[::1]"

    /// The address as a `sockaddr_in` or `sockaddr_in6`, which have family and port at the same offsets; the port is
    /// 0.
    var socketAddress: sockaddr_in6 {
        var address = sockaddr_in6()
        address.sin6_family = sa_family_t(self == .v6 ? AF_INET6 : AF_INET)
        switch self {
        case .first: address.sin6_flowinfo = UInt32(0x7F00_0001).bigEndian
        case .second: address.sin6_flowinfo = UInt32(0x7F00_0002).bigEndian
        case .v6: address.sin6_addr = in6addr_loopback
        }
        return address
    }
}
