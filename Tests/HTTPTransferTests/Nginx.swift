// SPDX-License-Identifier: GPL-3.0-or-later
import EarshotTestSupport
import Glibc
import Testing

/// A private nginx instance on loopback with its own directory, killed on deinitialization.
final class Nginx {
    static let path = "/usr/sbin/nginx"
    static var isInstalled: Bool { access(path, X_OK) == 0 }

    let port: UInt16
    let tlsPort: UInt16?
    private let directory: String
    private let process: pid_t

    /// The path of the server's self-signed certificate for 127.0.0.1.
    var certificates: String { directory + "/cert.pem" }

    /// - Parameters:
    ///   - files: The files that the server serves by name from its root.
    ///   - redirects: Redirects from paths; "HTTP" and "HTTPS" in a target stand for the two servers.
    init(_ files: [String: [UInt8]], redirects: [String: String] = [:]) throws {
        var template = Array("/tmp/earshot-nginx-XXXXXX".utf8CString)
        directory = String(cString: try #require(mkdtemp(&template)))
        mkdir(directory + "/www", 0o755)
        for (name, bytes) in files { try Self.write(bytes, to: directory + "/www/" + name) }
        port = try Self.freePort()
        let certificate = try Self.makeCertificate(in: directory)
        tlsPort = certificate ? try Self.freePort() : nil
        let configuration = Self.configuration(directory: directory, port: port, tlsPort: tlsPort, redirects)
        try Self.write(Array(configuration.utf8), to: directory + "/nginx.conf")
        process = try Self.spawn([
            Self.path, "-p", directory, "-e", directory + "/error.log", "-c", directory + "/nginx.conf",
        ])
    }

    deinit {
        // SIGKILL, since a child inherits the signal mask of the test thread, which blocks every signal that can be
        // blocked.
        kill(process, SIGKILL)
        waitpid(process, nil, 0)
        if let remover = try? Self.spawn(["/bin/rm", "-rf", directory]) { waitpid(remover, nil, 0) }
    }

    func url(_ path: String) -> String { "http://127.0.0.1:\(port)\(path)" }

    private static func configuration(
        directory: String, port: UInt16, tlsPort: UInt16?, _ redirects: [String: String]
    ) -> String {
        let hops = redirects.map { path, target in
            let url = target.replacing("HTTPS:", with: "https://127.0.0.1:\(tlsPort ?? 0)")
                .replacing("HTTP:", with: "http://127.0.0.1:\(port)")
            return "location = \(path) { return 302 \(url); }"
        }.joined(separator: " ")
        let temporary = ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"].map {
            "\($0)_temp_path \(directory)/\($0);"
        }
        let tls = tlsPort.map {
            """
            server { listen 127.0.0.1:\($0) ssl http2; root \(directory)/www; \(hops)
                ssl_certificate \(directory)/cert.pem; ssl_certificate_key \(directory)/key.pem; }
            """
        }
        return """
            daemon off; master_process off; pid \(directory)/pid;
            events { worker_connections 64; }
            http {
                access_log off; \(temporary.joined(separator: " "))
                types { audio/mpeg mp3; application/rss+xml xml; }
                gzip on; gzip_types application/rss+xml audio/mpeg; gzip_min_length 1;
                server { listen 127.0.0.1:\(port); root \(directory)/www; \(hops) }
                \(tls ?? "")
            }
            """
    }

    private static func makeCertificate(in directory: String) throws -> Bool {
        guard access("/usr/bin/openssl", X_OK) == 0 else { return false }
        let process = try spawn([
            "/usr/bin/openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2", "-subj",
            "/CN=localhost", "-addext", "subjectAltName=IP:127.0.0.1", "-keyout",
            directory + "/key.pem", "-out", directory + "/cert.pem",
        ])
        var status: CInt = 0
        waitpid(process, &status, 0)
        return status == 0
    }

    /// Returns a port that was free a moment ago.
    private static func freePort() throws -> UInt16 {
        let server = try FaultServer()
        server.stop()
        return server.port
    }

    private static func write(_ bytes: [UInt8], to path: String) throws {
        let descriptor = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o644)
        try #require(descriptor >= 0)
        defer { close(descriptor) }
        try #require(Glibc.write(descriptor, bytes, bytes.count) == bytes.count)
    }

    private static func spawn(_ words: [String]) throws -> pid_t {
        var arguments = words.map { strdup($0) } + [nil]
        defer { for argument in arguments { free(argument) } }
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        for stream in [STDOUT_FILENO, STDERR_FILENO] {
            posix_spawn_file_actions_addopen(&actions, stream, "/dev/null", O_WRONLY, 0)
        }
        var process: pid_t = 0
        try #require(posix_spawn(&process, words[0], &actions, nil, &arguments, environ) == 0)
        return process
    }
}
