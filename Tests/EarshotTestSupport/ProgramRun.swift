// SPDX-License-Identifier: GPL-3.0-or-later
import Dispatch
public import Glibc
import Synchronization

/// A running program: the object collects both output streams, feeds standard input, and enforces a time limit.
///
/// Signals go only to the process that it started. Releasing the object does not end the process, which then runs until
/// its time limit.
public final class ProgramRun: Sendable {
    public struct Failure: Error, CustomStringConvertible {
        public let description: String
    }

    /// The result of a run.
    public struct Outcome: Sendable {
        /// The status as in a shell: the exit status, or 128 + the number of the signal that ended the process.
        public let status: CInt
        public let output: [UInt8]
        public let errors: String
        public let time: Duration
        /// True if the program did not end within the limit.
        public let isOverdue: Bool

        public var outputText: String { String(decoding: output, as: UTF8.self) }
    }

    private struct State {
        var output: [UInt8] = []
        var errors: [UInt8] = []
        var status: CInt?
        var isOverdue = false
        var time = Duration.zero
        /// The descriptor for standard input; -1 after it is closed.
        var input: CInt
    }

    public let process: pid_t
    /// Left at the end of the program.
    private let end = DispatchGroup()
    private let state: Mutex<State>
    private let start = ContinuousClock.now
    private let limit: Duration

    /// - Parameters:
    ///   - words: the program's path, or a name to look up in `PATH`, and its arguments.
    ///   - environment: the complete environment.
    ///   - keepsInput: true if standard input stays open for `write`; otherwise it is at its end from the start.
    ///   - limit: the time after which the program is killed.
    public init(
        _ words: [String], environment: [String: String] = ProgramRun.plainEnvironment,
        keepsInput: Bool = false, limit: Duration = TimeLimit.shortRun
    ) throws(Failure) {
        let pipes = try StandardPipes()
        process = try pipes.spawn(words, environment)
        self.limit = limit
        state = Mutex(State(input: pipes.inputEnd))
        let (outputEnd, errorEnd) = (pipes.outputEnd, pipes.errorEnd)
        end.enter()
        DispatchQueue(label: "program run").async { self.follow(outputEnd, errorEnd) }
        if !keepsInput { closeInput() }
    }

    /// The default environment of every run: no proxy, no sound server, no control socket, no colours, English.
    public static var plainEnvironment: [String: String] {
        let path = getenv("PATH").map { String(cString: $0) } ?? "/usr/bin:/bin"
        return [
            "PATH": path, "HOME": "/dev/null", "LANG": "C.UTF-8", "TERM": "dumb", "TZ": "UTC0",
            "PULSE_SERVER": "unix:/dev/null", "XDG_RUNTIME_DIR": socketlessFolder.path,
        ]
    }

    /// A runtime directory in which the control socket cannot be created, because a file has the name of its folder.
    /// Without it, tests would control the player of the user who runs them.
    private static let socketlessFolder: ScratchDirectory = {
        let folder = ScratchDirectory()
        do { try folder.write([], to: "earshot") } catch { preconditionFailure("\(error)") }
        atexit { ProgramRun.socketlessFolder.remove() }
        return folder
    }()

    /// Writes to standard input; text that the program does not read is lost.
    public func write(_ text: String) {
        let bytes = Array(text.utf8)
        state.withLock { state in
            guard state.input >= 0 else { return }
            _ = Glibc.send(state.input, bytes, bytes.count, CInt(MSG_NOSIGNAL))
        }
    }

    /// Closes standard input.
    public func closeInput() {
        state.withLock { state in
            if state.input >= 0 { close(state.input) }
            state.input = -1
        }
    }

    /// Sends a signal to the process, unless it has ended.
    public func signal(_ number: CInt) {
        state.withLock { state in
            // Until `waitpid` returns, the system cannot reuse the process identifier.
            if state.status == nil { kill(process, number) }
        }
    }

    public var isRunning: Bool { state.withLock { $0.status == nil } }
    public var outputSoFar: String { state.withLock { String(decoding: $0.output, as: UTF8.self) } }
    public var errorsSoFar: String { state.withLock { String(decoding: $0.errors, as: UTF8.self) } }

    /// Waits until `condition` holds, polling every 5 ms.
    /// - Returns: false if the program ended before the condition held, which includes the time limit.
    public func wait(until condition: (ProgramRun) -> Bool) -> Bool {
        while !condition(self) {
            guard isRunning else { return condition(self) }
            usleep(5000)
        }
        return true
    }

    /// Waits for the end of the program.
    public func wait() -> Outcome {
        end.wait()
        return state.withLock { state in
            Outcome(
                status: state.status ?? -1, output: state.output, errors: String(decoding: state.errors, as: UTF8.self),
                time: state.time, isOverdue: state.isOverdue)
        }
    }

    /// Runs a program to its end.
    public static func run(
        _ words: [String], environment: [String: String] = ProgramRun.plainEnvironment,
        limit: Duration = TimeLimit.shortRun
    ) throws(Failure) -> Outcome {
        try ProgramRun(words, environment: environment, limit: limit).wait()
    }

    /// Returns true if `path` is an executable file.
    public static func isInstalled(_ path: String) -> Bool { access(path, X_OK) == 0 }
}

extension ProgramRun {
    /// Reads both streams to their ends, then waits for the process.
    private func follow(_ outputEnd: CInt, _ errorEnd: CInt) {
        var entries = [
            pollfd(fd: outputEnd, events: Int16(POLLIN), revents: 0),
            pollfd(fd: errorEnd, events: Int16(POLLIN), revents: 0),
        ]
        while entries.contains(where: { $0.fd >= 0 }) {
            endWhenOverdue()
            let left = limit - (ContinuousClock.now - start)
            // A minute at most: the time in milliseconds must fit the type.
            let pause = CInt(max(.milliseconds(1), min(left, .seconds(60))) / .milliseconds(1))
            guard poll(&entries, nfds_t(entries.count), pause) > 0 else { continue }
            for index in entries.indices where entries[index].revents != 0 {
                guard take(from: entries[index].fd, isOutput: index == 0) else {
                    close(entries[index].fd)
                    entries[index].fd = -1
                    continue
                }
            }
        }
        while !hasEnded() {
            endWhenOverdue()
            usleep(1000)
        }
        closeInput()
        end.leave()
    }

    /// Returns true if the process has ended. The lock ensures that no signal goes to a reused process identifier.
    private func hasEnded() -> Bool {
        state.withLock { state in
            var result: CInt = 0
            guard waitpid(process, &result, WNOHANG) != 0 else { return false }
            let signal = result & 0x7F
            state.time = ContinuousClock.now - start
            state.status = signal == 0 ? (result >> 8) & 0xFF : 128 + signal
            return true
        }
    }

    private func endWhenOverdue() {
        guard ContinuousClock.now - start > limit else { return }
        state.withLock { $0.isOverdue = true }
        kill(process, SIGKILL)
    }

    /// - Returns: false at the end of the stream.
    private func take(from descriptor: CInt, isOutput: Bool) -> Bool {
        var buffer = [UInt8](repeating: 0, count: 65_536)
        let count = read(descriptor, &buffer, buffer.count)
        guard count > 0 else { return count < 0 && errno == EINTR }
        state.withLock { state in
            if isOutput { state.output += buffer[..<count] } else { state.errors += buffer[..<count] }
        }
        return true
    }
}
