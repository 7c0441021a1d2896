// SPDX-License-Identifier: GPL-3.0-or-later
import ControlSocket
import EarshotTestSupport
import Glibc
import Testing

/// Source: sd_notify(3).
@Suite("Messages to the service manager")
struct ServiceNoticeTests {
    private let scratch = ScratchDirectory()

    /// Returns what a socket at an address receives, and nil if it receives nothing.
    private func message(_ notice: ServiceNotice, to name: String, boundTo bytes: [UInt8]) throws -> String? {
        let number = socket(AF_UNIX, CInt(SOCK_DGRAM.rawValue), 0)
        defer { close(number) }
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: bytes) }
        let length = socklen_t(MemoryLayout<sa_family_t>.size + bytes.count)
        let result = withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { bind(number, $0, length) }
        }
        try #require(result == 0)
        notice.send(environment: ["NOTIFY_SOCKET": name])
        var buffer = [UInt8](repeating: 0, count: 64)
        let count = recv(number, &buffer, buffer.count, CInt(MSG_DONTWAIT))
        return count < 0 ? nil : String(decoding: buffer.prefix(count), as: UTF8.self)
    }

    @Test("A socket with a path receives the message", arguments: [ServiceNotice.ready, .stopping])
    func path(_ notice: ServiceNotice) throws {
        let path = scratch.path("notify")
        #expect(try message(notice, to: path, boundTo: Array(path.utf8)) == notice.rawValue)
    }

    @Test("A socket with an abstract name, which begins with @, receives the message")
    func abstract() throws {
        let name = "earshot-" + scratch.path.filter { $0.isLetter || $0.isNumber }
        #expect(try message(.ready, to: "@" + name, boundTo: [0] + Array(name.utf8)) == "READY=1")
    }

    @Test(
        "Without a service manager, and with an address that none has, nothing is sent",
        arguments: [nil, "", "relative", "/nowhere/notify", "/" + String(repeating: "long", count: 40)])
    func none(_ address: String?) throws {
        let path = scratch.path("notify")
        ServiceNotice.ready.send(environment: address.map { ["NOTIFY_SOCKET": $0] } ?? [:])
        #expect(try message(.stopping, to: path, boundTo: Array(path.utf8)) == "STOPPING=1")
    }
}
