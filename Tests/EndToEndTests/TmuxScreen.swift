// SPDX-License-Identifier: GPL-3.0-or-later
import EarshotTestSupport
import Glibc
import Media
import Testing

/// A shell in a window of a tmux server of its own, in which a test runs the program.
final class TmuxScreen {
    /// The time after which a missing reaction counts as a failure. A busy machine needs seconds for a start.
    private static let limit = TimeLimit.event

    private struct NoShell: Error {
        let rows: [String]
    }

    private let scratch = ScratchDirectory()
    private let environment: [String: String]

    /// - Parameter environment: the environment of the shell, besides the usual one.
    init(columns: Int, rows: Int, environment: [String: String]) throws {
        self.environment = ProgramRun.plainEnvironment.merging(
            ["TERM": "xterm-256color", "SHELL": "/bin/sh", "SWIFT_BACKTRACE": "enable=no"]
        ) { $1 }.merging(environment) { $1 }
        let size = ["-x", "\(columns)", "-y", "\(rows)"]
        _ = try tmux(
            ["-f", "/dev/null", "new-session", "-d"] + size + ["exec bash --norc --noprofile -i"])
        // The window keeps its size without a client.
        _ = try tmux(["set-option", "-g", "window-size", "manual"])
        guard wait(until: { $0.contains("bash") }) else { throw NoShell(rows: self.rows) }
    }

    deinit { _ = try? tmux(["kill-server"]) }

    @discardableResult
    func tmux(_ words: [String]) throws -> String {
        try ProgramRun.run(["tmux", "-u", "-S", scratch.path("tmux")] + words, environment: environment).outputText
    }

    /// Types keys by the names of tmux.
    func press(_ keys: String...) throws { try tmux(["send-keys"] + keys) }

    /// Presses a key, and expects that its effect is a value of `read`.
    func press(
        _ key: String, expecting value: String, _ location: SourceLocation = #_sourceLocation, _ read: () -> String
    ) throws {
        try press(key)
        #expect(wait { read() == value }, "\(key): \(read()); \(rows)", sourceLocation: location)
    }

    /// Types a line and Enter.
    func type(_ line: String) throws {
        try tmux(["send-keys", "-l", line])
        try press("Enter")
    }

    /// Asks the shell for a mode of the terminal (stty(1)), such as `echo`.
    /// - Returns: true if it is on.
    func terminal(has mode: String, _ location: SourceLocation = #_sourceLocation) throws -> Bool {
        try type("stty -a | tr ' ' '\\n' | grep -c '^-\(mode);*$'; echo checked")
        let isAnswered = wait { $0.contains("0\nchecked") || $0.contains("1\nchecked") }
        #expect(isAnswered, "\(rows)", sourceLocation: location)
        return rows.joined(separator: "\n").contains("0\nchecked")
    }

    func resize(columns: Int, rows: Int) throws {
        try tmux(["resize-window", "-x", "\(columns)", "-y", "\(rows)"])
    }

    /// The rows of the window as text.
    var rows: [String] {
        let text = (try? tmux(["capture-pane", "-p"])) ?? ""
        return text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
    }

    /// The rows with their colours and attributes.
    var styledText: String { (try? tmux(["capture-pane", "-p", "-e"])) ?? "" }

    /// True while a program uses the alternate screen.
    var isFullScreen: Bool { format("#{alternate_on}") == "1" }

    func format(_ text: String) -> String {
        ((try? tmux(["display-message", "-p", text])) ?? "").filter { $0 != "\n" }
    }

    /// Waits until the text of the window fulfils a condition.
    func wait(until condition: (String) -> Bool) -> Bool {
        wait { condition(rows.joined(separator: "\n")) }
    }

    /// Waits until a condition holds.
    func wait(_ condition: () -> Bool) -> Bool {
        let end = ContinuousClock.now + Self.limit
        while !condition() {
            guard ContinuousClock.now < end else { return condition() }
            usleep(20_000)
        }
        return true
    }

    /// The process that the shell runs; `nil` if there is none.
    var child: pid_t? {
        let shell = format("#{pane_pid}")
        let children = ScratchDirectory.procFile("/proc/\(shell)/task/\(shell)/children")
        return children.split(separator: " ").first.flatMap { pid_t($0) }
    }
}

extension ScratchDirectory {
    /// Returns the text of a file of /proc, whose size is unknown; empty if it does not exist.
    static func procFile(_ path: String) -> String {
        let file = open(path, O_RDONLY | O_CLOEXEC)
        guard file >= 0 else { return "" }
        defer { close(file) }
        var bytes = [UInt8](repeating: 0, count: 16 * 1024)
        let count = Glibc.read(file, &bytes, bytes.count)
        return String(decoding: bytes[..<max(0, count)], as: UTF8.self)
    }
}
