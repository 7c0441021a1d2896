// SPDX-License-Identifier: GPL-3.0-or-later
import Glibc
@testable import HTTPTransfer
import Testing

@Suite("AddressClass")
struct AddressClassTests {
    @Test(
        "The registered networks have their class up to their boundaries",
        arguments: [
            (.public, ["1.1.1.1", "9.255.255.255", "11.0.0.0", "100.63.255.255", "100.128.0.0", "172.15.255.255",
                "172.32.0.0", "192.167.255.255", "192.169.0.0", "169.253.255.255", "223.255.255.255",
                "2606:4700::1111", "2001:db8::1", "fbff::1"]),
            (.privateNetwork, ["10.0.0.0", "10.255.255.255", "172.16.0.1", "172.31.255.255", "192.168.0.1",
                "100.64.0.1", "fc00::1", "fdff:ffff::1", "fec0::1", "64:ff9b:1::1"]),
            (.loopback, ["127.0.0.1", "127.255.255.254", "::1"]),
            (.linkLocal, ["169.254.169.254", "fe80::1", "febf::1"]),
            (.unspecified, ["0.0.0.0", "0.1.2.3", "::"]),
            (.reserved, ["224.0.0.1", "239.255.255.255", "240.0.0.1", "255.255.255.255", "198.18.0.1", "192.0.0.8",
                "ff02::1", "::2"]),
        ] as [(AddressClass, [String])])
    func networks(kind: AddressClass, addresses: [String]) throws {
        for text in addresses {
            let address = try #require(IPAddress(text: text), "\(text)")
            #expect(AddressClass(address) == kind, "\(text)")
        }
    }

    @Test(
        "An IPv4 address within IPv6 has the class of the IPv4 address: mapped, compatible, NAT64 and 6to4",
        arguments: [
            ("127.0.0.1", .loopback), ("10.1.2.3", .privateNetwork), ("169.254.169.254", .linkLocal),
            ("8.8.8.8", .public), ("0.0.0.0", .unspecified),
        ] as [(String, AddressClass)])
    func embedded(inner: String, kind: AddressClass) throws {
        let bytes = try #require(IPAddress(text: inner)).bytes
        let sixToFour = "2002:" + stride(from: 0, to: 4, by: 2).map {
            String(Int(bytes[$0]) << 8 | Int(bytes[$0 + 1]), radix: 16)
        }.joined(separator: ":") + "::1"
        for text in ["::ffff:\(inner)", "64:ff9b::\(inner)", "::\(inner)", sixToFour] {
            #expect(AddressClass(try #require(IPAddress(text: text))) == kind, "\(text)")
        }
    }

    @Test("Translated IPv4 has its IPv4 class", arguments: [("127.0.0.1", .loopback), ("8.8.8.8", .public)]
        as [(String, AddressClass)])
    func translated(inner: String, kind: AddressClass) throws {
        #expect(AddressClass(try #require(IPAddress(text: "::ffff:0:\(inner)"))) == kind)
    }

    @Test("A host name that cannot be registered belongs to the local network", arguments: [
        ("localhost", .loopback), ("LOCALHOST.", .loopback), ("a.localhost", .loopback), ("nas", .privateNetwork),
        ("nas.local", .privateNetwork), ("nas.home.arpa", .privateNetwork), ("nas.lan.", .privateNetwork),
        ("wiki.corp", .privateNetwork), ("example.org", nil), ("local.example.org", nil), ("arpa.example", nil),
    ] as [(String, AddressClass?)])
    func names(name: String, kind: AddressClass?) {
        #expect(AddressClass(hostName: name) == kind)
    }

    @Test("The bytes of a socket address yield its address; too few bytes yield none")
    func socketAddress() {
        var four = sockaddr_in()
        four.sin_family = sa_family_t(AF_INET)
        four.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        withUnsafeBytes(of: &four) { raw in
            #expect(IPAddress(socketAddress: raw) == IPAddress(text: "127.0.0.1"))
            for count in 0..<8 {
                #expect(IPAddress(socketAddress: UnsafeRawBufferPointer(rebasing: raw[..<count])) == nil)
            }
        }
        var six = sockaddr_in6()
        six.sin6_family = sa_family_t(AF_INET6)
        six.sin6_addr = in6addr_loopback
        withUnsafeBytes(of: &six) { #expect(IPAddress(socketAddress: $0) == IPAddress(text: "[::1]")) }
        six.sin6_family = sa_family_t(AF_UNIX)
        withUnsafeBytes(of: &six) { #expect(IPAddress(socketAddress: $0) == nil) }
    }

    @Test(
        "A network contains the addresses that start with its prefix",
        arguments: [
            ("10.0.0.0/8", "10.9.9.9", true), ("10.0.0.0/8", "11.0.0.0", false),
            ("192.168.4.0/22", "192.168.7.1", true), ("192.168.4.0/22", "192.168.8.1", false),
            ("10.0.0.1", "10.0.0.1", true),
            ("10.0.0.1", "10.0.0.2", false),
            ("0.0.0.0/0", "1.2.3.4", true), ("0.0.0.0/0", "::1", false), ("fc00::/7", "fd12::1", true),
        ])
    func network(text: String, address: String, isInside: Bool) throws {
        let network = try #require(IPNetwork(text: text))
        #expect(network.contains(try #require(IPAddress(text: address))) == isInside)
    }

    @Test(
        "A malformed network is refused", arguments: ["", "/", "10.0.0.0/33", "10.0.0.0/-1", "a/8", "::/129", "1/2/3"])
    func malformed(text: String) {
        #expect(IPNetwork(text: text) == nil)
    }

    @Test("A public server may name only public addresses; the listener and private servers may name any")
    func reach() {
        for kind in AddressClass.allCases {
            #expect(AddressScope.any.permits(kind, host: "a"))
            #expect(AddressScope.publicOnly().permits(kind, host: "a") == (kind == .public))
            #expect(AddressScope.publicOnly(allowing: ["NAS.local"]).permits(kind, host: "nas.LOCAL"))
            let named = AddressScope.any(allowing: ["b"]).named(by: kind)
            #expect(named == (kind == .public ? .publicOnly(allowing: ["b"]) : .any(allowing: ["b"])))
        }
        #expect(AddressScope.any.named(by: nil) == .publicOnly())
    }

    @Test("An address in a list may be private only if the address itself is private", arguments: [
        ("http://127.0.0.1:8080/f", true), ("http://2130706433/f", true), ("http://[::1]/f", true),
        ("http://nas.local/f", true), ("http://192.168.1.5/f", true), ("https://example.org/f", false),
        ("http://8.8.8.8/f", false), ("no address", false),
    ])
    func listed(url: String, mayBePrivate: Bool) {
        #expect(AddressScope.listed(url).mayBePrivate == mayBePrivate)
    }
}
