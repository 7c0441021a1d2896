// SPDX-License-Identifier: GPL-3.0-or-later
import Glibc

/// Runs tests of this program once more, or another program, under the watchdog that counts what must not happen in
/// render.
public struct RenderWatchdog {
    public struct Report: CustomStringConvertible {
        /// Calls that were watched.
        public let marked: Int
        /// What must not happen, and did.
        public let violations: Int
        /// What the watchdog wrote, and what the tests did where they failed.
        public let description: String
    }

    struct Trouble: Error, CustomStringConvertible {
        let description: String
    }

    private let scratch: ScratchDirectory
    private let library: String

    /// Whether this process is one that is watched.
    public static var isWatching: Bool { getenv("EARSHOT_RENDER_WATCHDOG") != nil }

    /// Builds the watchdog by the compiler that comes with Swift, or the system's.
    public init() throws {
        scratch = try ScratchDirectory()
        library = scratch.path("watchdog.so")
        let path = #filePath.split(separator: "/", omittingEmptySubsequences: false)
        let folder = path.dropLast(2).joined(separator: "/")
        var complaints = ""
        for compiler in ["clang", "cc"] {
            let words = ["-shared", "-fPIC", "-O2", "-o", library, folder + "/RenderWatchdog/watchdog.c"]
            guard let built = try? ProgramRun.run([compiler] + words, limit: .seconds(60)) else { continue }
            if built.status == 0 { return }
            complaints += built.errors
        }
        throw Trouble(description: "no compiler for the watchdog: \(complaints)")
    }

    /// Runs the tests whose names match, and those alone.
    /// - Parameter environment: what they have beside what every program has.
    public func watch(tests: [String], skipping: [String] = [], environment: [String: String] = [:]) throws -> Report {
        var words = [try program()]
        words += ["--testing-library", "swift-testing", "--no-parallel"]
        words += tests.flatMap { ["--filter", $0] } + skipping.flatMap { ["--skip", $0] }
        return try watch(words, environment: environment)
    }

    /// Runs a program.
    /// - Parameter words: its path and its arguments.
    public func watch(_ words: [String], environment: [String: String] = [:]) throws -> Report {
        var settings = ProgramRun.plainEnvironment.merging(environment) { $1 }
        settings["LD_PRELOAD"] = library
        settings["EARSHOT_RENDER_WATCHDOG"] = scratch.path("report")
        if let libraries = getenv("LD_LIBRARY_PATH") { settings["LD_LIBRARY_PATH"] = String(cString: libraries) }
        let run = try ProgramRun.run(words, environment: settings, limit: .seconds(300))
        let text = String(decoding: scratch.read("report"), as: UTF8.self)
        let failed = run.status == 0 ? "" : "\nexit status \(run.status)\n" + run.outputText + run.errors
        return Report(
            marked: number(behind: "marked ", in: text) ?? 0, violations: number(behind: "violations ", in: text) ?? -1,
            description: text + failed)
    }

    private func program() throws -> String {
        var buffer = [CChar](repeating: 0, count: 4096)
        let length = readlink("/proc/self/exe", &buffer, buffer.count - 1)
        guard length > 0 else { throw Trouble(description: "this program has no name") }
        return String(decoding: buffer.prefix(length).map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }

    private func number(behind word: String, in text: String) -> Int? {
        let line = text.split(separator: "\n").first { $0.hasPrefix(word) }
        return line.flatMap { Int($0.dropFirst(word.count)) }
    }
}
