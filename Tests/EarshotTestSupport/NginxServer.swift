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
        /// The serial number of the connection.
        public let connection: String
    }

    /// The latest version of HTTP that a server offers over TLS.
    public enum TLSVersion: Sendable { case http1, http2 }

    public static let program = "/usr/sbin/nginx"
    public static var isInstalled: Bool { ProgramRun.isInstalled(program) }

    public let port: UInt16
    /// The port that serves the same files with a self-signed certificate for 127.0.0.1; `nil` if no certificate could
    /// be created.
    public let tlsPort: UInt16?
    private let directory: ScratchDirectory
    private let run: ProgramRun

    /// - Parameters:
    ///   - files: the files to serve, by name, at the root.
    ///   - rate: bytes per second for each connection; `nil`: no limit.
    ///   - redirects: the targets of redirects, by path; a target begins with `HTTP:` or `HTTPS:`, which stand for the
    ///     addresses of this server.
    public init(
        _ files: [String: [UInt8]], rate: Int? = nil, tls: TLSVersion? = nil, redirects: [String: String] = [:]
    ) throws {
        let directory = ScratchDirectory()
        self.directory = directory
        // The nginx worker may run as another user.
        chmod(directory.path, 0o755)
        mkdir(directory.path("www"), 0o755)
        for (name, bytes) in files { try directory.write(bytes, to: "www/" + name) }
        let hasCertificate = tls == nil ? false : try Self.makeCertificate(in: directory)
        (run, port, tlsPort) = try Self.start(in: directory, withTLS: hasCertificate) { port, tlsPort in
            Self.configuration(directory.path, port, tlsPort, tls, rate, redirects)
        }
    }

    deinit {
        run.signal(SIGTERM)
        _ = run.wait()
    }

    /// The path of the server's own certificate.
    public var certificates: String { directory.path("cert.pem") }

    /// Returns the http address of a path.
    public func url(_ path: String) -> String { "http://127.0.0.1:\(port)\(path)" }

    /// The finished requests, in the order in which they ended.
    public var requests: [Request] {
        String(decoding: directory.read("access.log"), as: UTF8.self).split(separator: "\n").compactMap { line in
            let words = line.split(separator: "|", omittingEmptySubsequences: false).map(String.init)
            guard words.count == 5, let status = Int(words[1]) else { return nil }
            return Request(
                path: words[0], status: status, range: words[2].isEmpty ? nil : words[2],
                ifRange: words[3].isEmpty ? nil : words[3], connection: words[4])
        }
    }

    /// Starts the server on free ports. If another process takes a port before the server listens, the server ends;
    /// then it is started on other ports.
    private static func start(
        in directory: ScratchDirectory, withTLS: Bool, _ configuration: (UInt16, UInt16?) -> String
    ) throws -> (ProgramRun, UInt16, UInt16?) {
        for _ in 0..<5 {
            let (port, tlsPort) = (try freePort(), withTLS ? try freePort() : nil)
            try directory.write(configuration(port, tlsPort).utf8, to: "nginx.conf")
            let options = ["-p", directory.path, "-e", directory.path("error.log"), "-c", directory.path("nginx.conf")]
            let run = try ProgramRun([program] + options, limit: TimeLimit.event * 2)
            // nginx writes this file when it listens.
            if run.wait(until: { _ in !directory.read("pid").isEmpty }) { return (run, port, tlsPort) }
        }
        throw ProgramRun.Failure(description: "nginx: \(String(decoding: directory.read("error.log"), as: UTF8.self))")
    }

    private static func configuration(
        _ path: String, _ port: UInt16, _ tlsPort: UInt16?, _ tls: TLSVersion?, _ rate: Int?,
        _ redirects: [String: String]
    ) -> String {
        let temporary = ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"].map { "\($0)_temp_path \(path)/\($0);" }
        let places = redirects.map { place, target in
            let url = target.replacing("HTTPS:", with: "https://127.0.0.1:\(tlsPort ?? 0)")
                .replacing("HTTP:", with: "http://127.0.0.1:\(port)")
            return "location = \(place) { return 302 \(url); }"
        }.joined(separator: " ")
        let secure = tlsPort.map {
            """
            server { listen 127.0.0.1:\($0) ssl\(tls == .http2 ? " http2" : ""); root \(path)/www; \(places)
                ssl_certificate \(path)/cert.pem; ssl_certificate_key \(path)/key.pem; }
            """
        }
        return """
            daemon off; master_process off; pid \(path)/pid;
            events { worker_connections 64; }
            http {
                log_format terse escape=none '$uri|$status|$http_range|$http_if_range|$connection';
                access_log \(path)/access.log terse; \(temporary.joined(separator: " "))
                types { audio/mpeg mp3; application/rss+xml xml; }
                gzip on; gzip_types application/rss+xml audio/mpeg; gzip_min_length 1;
                \(rate.map { "limit_rate \($0);" } ?? "")
                server { listen 127.0.0.1:\(port); root \(path)/www; \(places) }
                \(secure ?? "")
            }
            """
    }

    private static func makeCertificate(in directory: ScratchDirectory) throws -> Bool {
        guard ProgramRun.isInstalled("/usr/bin/openssl") else { return false }
        let outcome = try ProgramRun.run([
            "/usr/bin/openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes",
            "-days", "2", "-subj", "/CN=localhost", "-addext", "subjectAltName=IP:127.0.0.1",
            "-keyout", directory.path("key.pem"), "-out", directory.path("cert.pem"),
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
