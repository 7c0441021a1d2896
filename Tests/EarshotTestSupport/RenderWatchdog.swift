// SPDX-License-Identifier: GPL-3.0-or-later
import Glibc

/// Runs tests of this package, or another program, under the watchdog that counts calls that are forbidden during a
/// render. Scripts/test uses the same watchdog.
public struct RenderWatchdog {
    /// The result of a run under the watchdog.
    public struct Report: CustomStringConvertible {
        /// The exit status of the program.
        public let status: CInt
        /// The number of watched render calls.
        public let marked: Int
        /// The number of forbidden calls.
        public let violations: Int
        /// The output of the watchdog, and the output of the tests if they failed.
        public let description: String
    }

    struct Trouble: Error, CustomStringConvertible {
        let description: String
    }

    private let scratch: ScratchDirectory
    private let library: String

    /// Builds the watchdog with the compiler that comes with Swift, or with the system's compiler.
    public init() throws {
        scratch = ScratchDirectory()
        library = scratch.path("watchdog.so")
        let path = #filePath.split(separator: "/", omittingEmptySubsequences: false)
        let folder = path.dropLast(2).joined(separator: "/")
        var complaints = ""
        for compiler in ["clang", "cc"] {
            let words = ["-shared", "-fPIC", "-O2", "-o", library, folder + "/RenderWatchdog/watchdog.c"]
            guard let built = try? ProgramRun.run([compiler] + words, limit: TimeLimit.event) else { continue }
            if built.status == 0 { return }
            complaints += built.errors
        }
        throw Trouble(description: "cannot compile the watchdog: \(complaints)")
    }

    /// Runs only the tests whose names match a pattern.
    /// - Parameter environment: variables in addition to those of every run.
    public func watch(tests pattern: String, environment: [String: String] = [:]) throws -> Report {
        let options = ["--testing-library", "swift-testing", "--no-parallel", "--filter", pattern]
        return try watch([program()] + options, environment: environment)
    }

    /// Runs a program.
    /// - Parameter words: its path and its arguments.
    public func watch(_ words: [String], environment: [String: String] = [:]) throws -> Report {
        var settings = ProgramRun.plainEnvironment.merging(environment) { $1 }
        settings["LD_PRELOAD"] = library
        settings["EARSHOT_RENDER_WATCHDOG"] = scratch.path("report")
        if let libraries = getenv("LD_LIBRARY_PATH") { settings["LD_LIBRARY_PATH"] = String(cString: libraries) }
        let run = try ProgramRun.run(words, environment: settings, limit: TimeLimit.event * 3)
        let text = String(decoding: scratch.read("report"), as: UTF8.self)
        let failed = run.status == 0 ? "" : "\nexit status \(run.status)\n" + run.outputText + run.errors
        return Report(
            status: run.status,
            marked: number(behind: "marked ", in: text) ?? 0, violations: number(behind: "violations ", in: text) ?? -1,
            description: text + failed)
    }

    private func program() throws -> String {
        var buffer = [CChar](repeating: 0, count: 4096)
        let length = readlink("/proc/self/exe", &buffer, buffer.count - 1)
        guard length > 0 else { throw Trouble(description: "the path of this program is unknown") }
        return String(decoding: buffer.prefix(length).map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }

    private func number(behind word: String, in text: String) -> Int? {
        let line = text.split(separator: "\n").first { $0.hasPrefix(word) }
        return line.flatMap { Int($0.dropFirst(word.count)) }
    }
}
