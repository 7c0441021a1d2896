// SPDX-License-Identifier: GPL-3.0-or-later
import Glibc

/// A private PulseAudio server with one null sink (32-bit float, `rate`, stereo) on a socket in a temporary
/// directory.
///
/// A silent stream keeps the latency of the sink low: an idle null sink would render several seconds in one call. The
/// object ends only the processes that it started. The tools use a separate socket, so that all of them are connected
/// before the server accepts a player.
public final class PulseServer {
    public struct Failure: Error {
        public let reason: String

        public init(reason: String) { self.reason = reason }
    }

    public static let sinkName = "cap"

    public let rate: Int
    private let scratch = ScratchDirectory()
    /// The temporary directory with the sockets and the recordings.
    public var directory: String { scratch.path }
    private var children: [String: pid_t] = [:]
    private var captures = 0

    /// Starts the server and returns when it answers.
    public init(rate: Int = 44_100) throws {
        self.rate = rate
        try start(["-L", Self.door(directory, "native")])
    }

    private func start(_ more: [String]) throws {
        for socket in ["tools", "native"] { unlink("\(directory)/\(socket)") }
        children["server"] = try spawn(
            [
                "pulseaudio", "-n", "--daemonize=no", "--exit-idle-time=-1", "--use-pid-file=no", "--log-level=0",
                "-L", "module-null-sink \(parameters(ofSink: Self.sinkName))", "-L", Self.door(directory, "tools"),
            ] + more)
        // A socket file exists a moment before the server listens on it.
        try waitUntil("the server accepts connections") {
            (more.isEmpty ? ["tools"] : ["tools", "native"]).allSatisfy { Self.accepts("\(directory)/\($0)") }
        }
        try silence(Self.sinkName)
    }

    private static func accepts(_ path: String) -> Bool {
        let descriptor = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
        defer { close(descriptor) }
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path.utf8.prefix($0.count - 1)) }
        return withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_un>.size)) == 0
            }
        }
    }

    private static func door(_ directory: String, _ socket: String) -> String {
        "module-native-protocol-unix auth-anonymous=1 socket=\(directory)/\(socket)"
    }

    private func parameters(ofSink name: String) -> String {
        "sink_name=\(name) rate=\(rate) channels=2 format=float32le norewinds=1"
    }

    private func silence(_ sink: String) throws {
        children["silence \(sink)"] = try spawn(["pacat", "--playback", "--device=\(sink)"] + sample + ["/dev/zero"])
    }

    deinit { kill() }

    /// The address for clients (`PULSE_SERVER`).
    public var address: String { "unix:\(directory)/native" }

    /// Starts to record the output of a sink. Returns when the recording runs.
    public func capture(_ sink: String = sinkName) throws -> PulseCapture {
        captures += 1
        let path = "\(directory)/capture\(captures).f32"
        children["capture \(captures)"] = try spawn(
            ["parec", "--device=\(sink).monitor"] + sample + ["--raw"], output: path)
        try waitUntil("the recording has started") { PulseCapture(path: path).byteCount > 0 }
        return PulseCapture(path: path)
    }

    /// Kills the server, as a crash would. The recordings remain.
    public func kill() {
        end("server", SIGKILL)
        for name in children.keys {
            awaitEnd(name)
            end(name, SIGKILL)
        }
    }

    /// Restarts the server on the same socket, which opens when the recording runs.
    public func restart() throws -> PulseCapture {
        try start([])
        let capture = try capture()
        let words = ["load-module"] + Self.door(directory, "native").split(separator: " ").map(String.init)
        try control(words)
        return capture
    }

    /// Runs a `pactl` command.
    /// - Returns: the lines that it printed.
    @discardableResult
    public func control(_ words: [String]) throws -> [String] {
        let outcome = try ProgramRun.run(["pactl"] + words, environment: environment)
        guard outcome.status == 0 else { throw Failure(reason: "\(words): \(outcome.errors)") }
        return outcome.outputText.split(separator: "\n").map(String.init)
    }

    @discardableResult
    public func control(_ words: String...) throws -> [String] { try control(words) }

    /// Adds a null sink.
    /// - Returns: the module index for unloading it.
    public func addSink(_ name: String) throws -> String {
        let words = parameters(ofSink: name).split(separator: " ").map(String.init)
        let module = try control(["load-module", "module-null-sink"] + words)
        try silence(name)
        return module.first ?? ""
    }

    /// Moves the streams of a program to another sink, as a user does with a mixer.
    public func moveStreams(of program: String, to sink: String) throws {
        var stream = ""
        for line in try control("list", "sink-inputs") {
            if line.hasPrefix("Sink Input #") { stream = String(line.dropFirst("Sink Input #".count)) }
            if line.contains("application.name = \"\(program)\"") { try control("move-sink-input", stream, sink) }
        }
    }

    /// Ends the silent streams and the recordings, so that the sinks can become idle.
    public func endListeners() {
        for name in children.keys where name != "server" { end(name, SIGKILL) }
    }

    /// Sends a signal to the server process.
    public func signal(_ number: CInt) {
        if let server = children["server"] { Glibc.kill(server, number) }
    }

    private var sample: [String] {
        ["--format=float32le", "--rate=\(rate)", "--channels=2", "--latency-msec=10"]
    }
}

extension PulseServer {
    /// Waits for the end of a client, which first writes the data that it received before its server disappeared.
    private func awaitEnd(_ name: String) {
        guard let child = children[name] else { return }
        for _ in 0..<2500 * TimeLimit.factor {
            if waitpid(child, nil, WNOHANG) == child {
                children[name] = nil
                return
            }
            usleep(2000)
        }
    }

    private func end(_ name: String, _ signal: CInt) {
        guard let child = children.removeValue(forKey: name) else { return }
        Glibc.kill(child, signal)
        waitpid(child, nil, 0)
    }

    private var environment: [String: String] {
        [
            "PATH": getenv("PATH").map { String(cString: $0) } ?? "/usr/bin:/bin", "HOME": directory,
            "XDG_RUNTIME_DIR": directory, "PULSE_SERVER": "unix:\(directory)/tools",
        ]
    }

    private func waitUntil(_ what: String, _ condition: () -> Bool) throws {
        for _ in 0..<1000 * TimeLimit.factor {
            if condition() { return }
            usleep(10_000)
        }
        throw Failure(reason: "\(10 * TimeLimit.factor) s passed before \(what)")
    }

    private func spawn(_ arguments: [String], output: String = "/dev/null") throws -> pid_t {
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0)
        posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, output, O_WRONLY | O_CREAT | O_TRUNC, 0o600)
        posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, "/dev/null", O_WRONLY, 0)
        let environment = environment.map { "\($0.key)=\($0.value)" }
        let argumentPointers = arguments.map { strdup($0) } + [nil]
        let environmentPointers = environment.map { strdup($0) } + [nil]
        defer { for pointer in argumentPointers + environmentPointers { free(pointer) } }
        var child: pid_t = 0
        let code = posix_spawnp(&child, arguments[0], &actions, nil, argumentPointers, environmentPointers)
        guard code == 0 else { throw Failure(reason: "\(arguments[0]): \(String(cString: strerror(code)))") }
        return child
    }
}

/// The samples that a null sink has played so far.
public struct PulseCapture: Sendable {
    let path: String

    /// Returns all interleaved stereo samples so far, including silence.
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

    /// The number of frames so far, including silence.
    public var frameCount: Int { byteCount / 8 }

    /// Waits until the samples fulfil a condition; checks it when the recording has grown by about 10 ms.
    /// - Returns: the samples, also if the recording ended before.
    public func wait(until condition: ([Float]) -> Bool) -> [Float] {
        var (samples, tries) = (samples(), 0)
        while !condition(samples), tries < 1000 * TimeLimit.factor {
            usleep(10_000)
            tries += 1
            samples = self.samples()
        }
        return samples
    }

    var byteCount: Int {
        var status = stat()
        return stat(path, &status) == 0 ? Int(status.st_size) : 0
    }
}
