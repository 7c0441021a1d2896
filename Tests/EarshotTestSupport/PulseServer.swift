// SPDX-License-Identifier: GPL-3.0-or-later
import Glibc

/// A private PulseAudio server with one null sink (32-bit float, `rate`, stereo) on a socket in a temporary directory.
///
/// A stream of silence keeps the sink's latency low: without one an idle null sink renders seconds at a time. It ends
/// the processes it started, and no others.
public final class PulseServer {
    public struct Failure: Error {
        public let reason: String
    }

    public static let sinkName = "cap"

    public let rate: Int
    public let directory: String
    private var children: [String: pid_t] = [:]

    /// Returns when the server answers.
    public init(rate: Int = 44_100) throws {
        self.rate = rate
        var template = Array("/tmp/earshot-pulse-XXXXXX".utf8CString)
        guard let made = mkdtemp(&template) else { throw Failure(reason: "no temporary directory") }
        directory = String(cString: made)
        children["server"] = try spawn([
            "pulseaudio", "-n", "--daemonize=no", "--exit-idle-time=-1", "--use-pid-file=no", "--log-level=0",
            "-L", "module-native-protocol-unix auth-anonymous=1 socket=\(directory)/native",
            "-L", "module-null-sink sink_name=\(Self.sinkName) rate=\(rate) channels=2 format=float32le norewinds=1",
        ])
        try waitUntil("the server has made its socket") { access("\(directory)/native", F_OK) == 0 }
        children["silence"] = try spawn(["pacat", "--playback", "--device=\(Self.sinkName)"] + sample + ["/dev/zero"])
    }

    deinit { stop() }

    /// What a client connects to (`PULSE_SERVER`).
    public var address: String { "unix:\(directory)/native" }

    /// Starts to record what the sink plays. Returns when the recording runs.
    public func capture() throws -> PulseCapture {
        let path = "\(directory)/capture.f32"
        children["capture"] = try spawn(
            ["parec", "--device=\(Self.sinkName).monitor"] + sample + ["--raw"], output: path)
        try waitUntil("the recording runs") { PulseCapture(path: path).byteCount > 0 }
        return PulseCapture(path: path)
    }

    /// Ends the server at once, as a crash would.
    public func kill() { end("server", SIGKILL) }

    /// Ends everything; the recording is gone.
    public func stop() {
        for name in ["capture", "silence", "server"] { end(name, SIGKILL) }
        if let remover = try? spawn(["rm", "-rf", directory]) { waitpid(remover, nil, 0) }
    }

    private var sample: [String] {
        ["--format=float32le", "--rate=\(rate)", "--channels=2", "--latency-msec=10"]
    }
}

extension PulseServer {
    private func end(_ name: String, _ signal: CInt) {
        guard let child = children.removeValue(forKey: name) else { return }
        Glibc.kill(child, signal)
        waitpid(child, nil, 0)
    }

    private func waitUntil(_ what: String, _ condition: () -> Bool) throws {
        for _ in 0..<1000 {
            if condition() { return }
            usleep(10_000)
        }
        throw Failure(reason: "10 s passed before \(what)")
    }

    private func spawn(_ arguments: [String], output: String = "/dev/null") throws -> pid_t {
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0)
        posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, output, O_WRONLY | O_CREAT | O_TRUNC, 0o600)
        posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, "/dev/null", O_WRONLY, 0)
        let path = getenv("PATH").map { String(cString: $0) } ?? "/usr/bin:/bin"
        let environment = [
            "PATH=\(path)", "HOME=\(directory)", "XDG_RUNTIME_DIR=\(directory)", "PULSE_SERVER=\(address)",
        ]
        let argumentPointers = arguments.map { strdup($0) } + [nil]
        let environmentPointers = environment.map { strdup($0) } + [nil]
        defer { for pointer in argumentPointers + environmentPointers { free(pointer) } }
        var child: pid_t = 0
        let code = posix_spawnp(&child, arguments[0], &actions, nil, argumentPointers, environmentPointers)
        guard code == 0 else { throw Failure(reason: "\(arguments[0]): \(String(cString: strerror(code)))") }
        return child
    }
}

/// What a null sink has played so far.
public struct PulseCapture: Sendable {
    let path: String

    /// All samples up to now, interleaved stereo, silence included.
    public func samples() -> [Float] {
        let file = open(path, O_RDONLY | O_CLOEXEC)
        guard file >= 0 else { return [] }
        defer { close(file) }
        return [Float](unsafeUninitializedCapacity: byteCount / 4) { buffer, count in
            guard let start = UnsafeMutableRawBufferPointer(buffer).baseAddress else { return }
            var bytes = 0
            while bytes < buffer.count * 4 {
                let got = read(file, start + bytes, buffer.count * 4 - bytes)
                guard got > 0 else { break }
                bytes += got
            }
            count = bytes / 4
        }
    }

    var byteCount: Int {
        var status = stat()
        return stat(path, &status) == 0 ? Int(status.st_size) : 0
    }
}
