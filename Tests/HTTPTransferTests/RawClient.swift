// SPDX-License-Identifier: GPL-3.0-or-later
import EarshotTestSupport
import Glibc
import Testing

/// Sends bytes to a loopback port and reads until the server is done, for tests of the server itself.
struct RawClient {
    enum End: Equatable { case closed, reset, silent }

    struct Response {
        var bytes: [UInt8] = []
        var end = End.closed
        var time = Duration.zero

        private var headEnd: Int? {
            bytes.indices.first { bytes[$0...].starts(with: "\r\n\r\n".utf8) }
        }
        var head: String { String(decoding: bytes[..<(headEnd ?? bytes.count)], as: UTF8.self) }
        var body: [UInt8] { headEnd.map { Array(bytes[($0 + 4)...]) } ?? [] }
        var status: Int? { Int(head.dropFirst("HTTP/1.1 ".count).prefix(3)) }

        func field(_ name: String) -> String? {
            head.split(separator: "\r\n").first { $0.lowercased().hasPrefix(name.lowercased() + ": ") }
                .map { String($0.dropFirst(name.count + 2)) }
        }
    }

    /// - Parameters:
    ///   - patience: The time without bytes after which the response counts as silent.
    ///   - isEnough: Returns true to stop reading.
    ///   - stalls: Returns true if 200 ms without bytes suffice, because the server sends no more.
    static func get(
        _ path: String, port: UInt16, _ fields: [String] = [], patience: Duration = TimeLimit.shortRun,
        until isEnough: (Response) -> Bool = { _ in false }, stalls: (Response) -> Bool = { _ in false }
    ) throws -> Response {
        let lines = ["GET \(path) HTTP/1.1", "Host: 127.0.0.1", "Connection: close"] + fields
        return try exchange(
            lines.joined(separator: "\r\n") + "\r\n\r\n", port: port, patience: patience, until: isEnough,
            stalls: stalls)
    }

    static func exchange(
        _ text: String, port: UInt16, patience: Duration = TimeLimit.shortRun,
        until isEnough: (Response) -> Bool = { _ in false }, stalls: (Response) -> Bool = { _ in false }
    ) throws -> Response {
        let begin = ContinuousClock.now
        let descriptor = try connect(to: port)
        defer { close(descriptor) }
        let bytes = Array(text.utf8)
        try #require(send(descriptor, bytes, bytes.count, CInt(MSG_NOSIGNAL)) == bytes.count)
        var answer = Response()
        var buffer = [UInt8](repeating: 0, count: 65_536)
        while !isEnough(answer) {
            var entry = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
            let limit = stalls(answer) ? Duration.milliseconds(200) : patience
            guard poll(&entry, 1, CInt(limit / .milliseconds(1))) > 0 else {
                answer.end = .silent
                break
            }
            let count = recv(descriptor, &buffer, buffer.count, 0)
            guard count > 0 else {
                answer.end = count == 0 ? .closed : .reset
                break
            }
            answer.bytes += buffer[..<count]
        }
        answer.time = ContinuousClock.now - begin
        return answer
    }

    private static func connect(to port: UInt16) throws -> CInt {
        let descriptor = socket(AF_INET, CInt(SOCK_STREAM.rawValue) | CInt(SOCK_CLOEXEC.rawValue), 0)
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = port.bigEndian
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        let result = withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                Glibc.connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
            }
        }
        try #require(result == 0)
        return descriptor
    }
}
