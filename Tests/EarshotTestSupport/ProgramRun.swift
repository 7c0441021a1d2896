// SPDX-License-Identifier: GPL-3.0-or-later
import Dispatch
import Glibc
import Synchronization

/// One run of a program: its two output streams are read as they come, its input is fed, and it ends at a hard limit.
///
/// Signals go to the process it started and to no other. The object ends the process when nobody wants it any more.
public final class ProgramRun: Sendable {
    public struct Failure: Error, CustomStringConvertible {
        public let description: String
    }

    /// How it went.
    public struct Outcome: Sendable {
        /// As a shell says it: the exit status, or 128 + the number of the signal that ended it.
        public let status: CInt
        public let output: [UInt8]
        public let errors: String
        public let time: Duration
        /// It did not end by itself within the limit.
        public let isOverdue: Bool

        public var outputText: String { String(decoding: output, as: UTF8.self) }
    }

    private struct State {
        var output: [UInt8] = []
        var errors: [UInt8] = []
        var status: CInt?
        var isOverdue = false
        var time = Duration.zero
        /// The end to write to; -1 once closed.
        var input: CInt
    }

    private let process: pid_t
    private let state: Mutex<State>
    private let start = ContinuousClock.now
    private let limit: Duration

    /// - Parameters:
    ///   - words: the program's path, or its name to be looked up, and its arguments.
    ///   - environment: all of it.
    ///   - keepsInput: whether standard input stays open for `write`; else it is at its end at once.
    ///   - limit: after this time the program is killed.
    public init(
        _ words: [String], environment: [String: String] = ProgramRun.plainEnvironment,
        keepsInput: Bool = false, limit: Duration = .seconds(20)
    ) throws(Failure) {
        let pipes = try StandardPipes()
        process = try pipes.spawn(words, environment)
        self.limit = limit
        state = Mutex(State(input: pipes.inputEnd))
        let (outputEnd, errorEnd) = (pipes.outputEnd, pipes.errorEnd)
        DispatchQueue(label: "program run").async { self.follow(outputEnd, errorEnd) }
        if !keepsInput { closeInput() }
    }

    /// What every run has unless told otherwise: no proxy, no sound server, no colours, English.
    public static var plainEnvironment: [String: String] {
        let path = getenv("PATH").map { String(cString: $0) } ?? "/usr/bin:/bin"
        return [
            "PATH": path, "HOME": "/dev/null", "LANG": "C.UTF-8", "TERM": "dumb", "TZ": "UTC0",
            "PULSE_SERVER": "unix:/dev/null",
        ]
    }

    /// Feeds standard input; what a program that is gone would not read is lost.
    public func write(_ text: String) {
        let bytes = Array(text.utf8)
        state.withLock { state in
            guard state.input >= 0 else { return }
            _ = Glibc.send(state.input, bytes, bytes.count, CInt(MSG_NOSIGNAL))
        }
    }

    public func closeInput() {
        state.withLock { state in
            if state.input >= 0 { close(state.input) }
            state.input = -1
        }
    }

    public func signal(_ number: CInt) {
        state.withLock { state in
            // Until it was waited for, the number belongs to nobody else.
            if state.status == nil { kill(process, number) }
        }
    }

    public var isRunning: Bool { state.withLock { $0.status == nil } }
    public var outputSoFar: String { state.withLock { String(decoding: $0.output, as: UTF8.self) } }
    public var errorsSoFar: String { state.withLock { String(decoding: $0.errors, as: UTF8.self) } }

    /// Waits until `condition` holds, looking every 5 ms.
    /// - Returns: false when the program ended first, or never was so within its limit.
    public func wait(until condition: (ProgramRun) -> Bool) -> Bool {
        while !condition(self) {
            guard isRunning else { return condition(self) }
            usleep(5000)
        }
        return true
    }

    /// Waits for its end.
    public func wait() -> Outcome {
        while isRunning { usleep(2000) }
        return state.withLock { state in
            Outcome(
                status: state.status ?? -1, output: state.output, errors: String(decoding: state.errors, as: UTF8.self),
                time: state.time, isOverdue: state.isOverdue)
        }
    }

    /// Runs a program to its end.
    public static func run(
        _ words: [String], environment: [String: String] = ProgramRun.plainEnvironment,
        limit: Duration = .seconds(20)
    ) throws(Failure) -> Outcome {
        try ProgramRun(words, environment: environment, limit: limit).wait()
    }

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
            guard poll(&entries, nfds_t(entries.count), 20) > 0 else { continue }
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
    }

    /// Under the lock: no signal goes out to a number that is free again.
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
