// SPDX-License-Identifier: GPL-3.0-or-later
import Glibc

/// A private nginx server on the loopback interface, with its own directory and log; it ends with the object.
public final class NginxServer: Sendable {
    /// A request in the server's log.
    public struct Request: Sendable, Equatable {
        public let path: String
        public let status: Int
        /// The value of the Range field; `nil` if the request had none.
        public let range: String?
        public let ifRange: String?
    }

    public static let program = "/usr/sbin/nginx"
    public static var isInstalled: Bool { ProgramRun.isInstalled(program) }

    public let port: UInt16
    /// The port that serves the same files with a self-signed certificate; `nil` if no certificate could be created.
    public let tlsPort: UInt16?
    private let directory: ScratchDirectory
    private let run: ProgramRun

    /// - Parameters:
    ///   - files: the files to serve, by name, at the root.
    ///   - rate: bytes per second for each connection; `nil`: no limit.
    public init(_ files: [String: [UInt8]], rate: Int? = nil, withTLS: Bool = false) throws {
        directory = try ScratchDirectory()
        // The nginx worker may run as another user.
        chmod(directory.path, 0o755)
        mkdir(directory.path("www"), 0o755)
        for (name, bytes) in files { try directory.write(bytes, to: "www/" + name) }
        let hasCertificate = withTLS ? try Self.makeCertificate(in: directory) : false
        port = try Self.freePort()
        tlsPort = hasCertificate ? try Self.freePort() : nil
        let text = Self.configuration(directory.path, port, tlsPort, rate)
        try directory.write(Array(text.utf8), to: "nginx.conf")
        run = try ProgramRun(
            [Self.program, "-p", directory.path, "-e", directory.path("error.log"), "-c", directory.path("nginx.conf")],
            limit: .seconds(120))
        let isThere = run.wait { [directory] _ in !directory.read("pid").isEmpty }
        guard isThere else { throw ProgramRun.Failure(description: "nginx: \(run.errorsSoFar)") }
    }

    deinit {
        run.signal(SIGTERM)
        _ = run.wait()
    }

    /// Returns the http address of a path.
    public func url(_ path: String) -> String { "http://127.0.0.1:\(port)\(path)" }

    /// The finished requests, in the order in which they ended.
    public var requests: [Request] {
        String(decoding: directory.read("access.log"), as: UTF8.self).split(separator: "\n").compactMap { line in
            let words = line.split(separator: "|", omittingEmptySubsequences: false).map(String.init)
            guard words.count == 4, let status = Int(words[1]) else { return nil }
            return Request(
                path: words[0], status: status, range: words[2].isEmpty ? nil : words[2],
                ifRange: words[3].isEmpty ? nil : words[3])
        }
    }

    private static func configuration(_ path: String, _ port: UInt16, _ tls: UInt16?, _ rate: Int?) -> String {
        let temporary = ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"].map { "\($0)_temp_path \(path)/\($0);" }
        let secure = tls.map {
            """
            server { listen 127.0.0.1:\($0) ssl; root \(path)/www;
                ssl_certificate \(path)/cert.pem; ssl_certificate_key \(path)/key.pem; }
            """
        }
        return """
            daemon off; master_process off; pid \(path)/pid;
            events { worker_connections 64; }
            http {
                log_format terse escape=none '$uri|$status|$http_range|$http_if_range';
                access_log \(path)/access.log terse; \(temporary.joined(separator: " "))
                types { audio/mpeg mp3; application/rss+xml xml; }
                \(rate.map { "limit_rate \($0);" } ?? "")
                server { listen 127.0.0.1:\(port); root \(path)/www; }
                \(secure ?? "")
            }
            """
    }

    private static func makeCertificate(in directory: ScratchDirectory) throws -> Bool {
        guard ProgramRun.isInstalled("/usr/bin/openssl") else { return false }
        let outcome = try ProgramRun.run([
            "/usr/bin/openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes",
            "-days", "2", "-subj", "/CN=localhost", "-keyout", directory.path("key.pem"), "-out",
            directory.path("cert.pem"),
        ])
        return outcome.status == 0
    }

    /// Returns a port that was free a moment ago.
    private static func freePort() throws -> UInt16 {
        let server = try FaultServer()
        server.stop()
        return server.port
    }
}
