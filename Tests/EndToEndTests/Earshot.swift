// SPDX-License-Identifier: GPL-3.0-or-later
import EarshotTestSupport
import Glibc
import Media
import ProgressiveDownload
import Testing

/// The built program, next to the test bundle, with a temporary keep directory.
struct Earshot {
    let scratch: ScratchDirectory
    private static let keep = "keep"

    init() throws { scratch = ScratchDirectory() }

    static let program: String = {
        var path = [CChar](repeating: 0, count: 4096)
        let count = readlink("/proc/self/exe", &path, path.count - 1)
        let own = String(decoding: path[..<max(0, count)].map { UInt8(bitPattern: $0) }, as: UTF8.self)
        return own.split(separator: "/", omittingEmptySubsequences: false).dropLast().joined(separator: "/")
            + "/earshot"
    }()

    var keepPath: String { scratch.path(Self.keep) }
    /// The names of the kept audio files, in alphabetical order.
    var kept: [String] { scratch.names(in: Self.keep).filter { !$0.hasSuffix(".index") && !$0.hasSuffix(".origin") } }
    func bytes(kept name: String) -> [UInt8] { scratch.read("\(Self.keep)/\(name)") }
    /// The number of bytes with which a download resumes after a kill; the server sends more.
    var recordedBytes: Int64 {
        guard let name = kept.first(where: { $0.hasSuffix(".partial") }) else { return 0 }
        let location = DownloadLocation(directory: keepPath, name: String(name.dropLast(".partial".count)))
        return (try? location.partialRecord())?.extents.count ?? 0
    }

    /// Starts the program with exactly these arguments.
    func start(
        _ arguments: [String], environment: [String: String] = [:], keepsInput: Bool = false,
        limit: Duration = TimeLimit.shortRun
    ) throws -> ProgramRun {
        let settings = ProgramRun.plainEnvironment.merging(environment) { $1 }
        return try ProgramRun(
            [Self.program] + arguments, environment: settings, keepsInput: keepsInput, limit: limit)
    }

    func run(
        _ arguments: [String], environment: [String: String] = [:], limit: Duration = TimeLimit.shortRun
    ) throws -> ProgramRun.Outcome {
        try start(arguments, environment: environment, limit: limit).wait()
    }

    /// Returns the output of `earshot status` without its line end; empty if nothing plays.
    func status(_ format: String, environment: [String: String]) -> String {
        ((try? run(["status", "--format", format], environment: environment).outputText) ?? "").filter { $0 != "\n" }
    }

    /// Plays without sound, as fast as the bytes arrive.
    func play(
        _ targets: [String], _ options: [String] = [], output: String = "null:fast",
        limit: Duration = TimeLimit.shortRun
    ) throws -> ProgramRun.Outcome {
        try run(Self.playing(targets, options, output: output, keep: keepPath), limit: limit)
    }

    /// Plays into a file and replaces the previous recording.
    /// - Returns: the outcome and the samples.
    func record(
        _ targets: [String], _ options: [String] = [], limit: Duration = TimeLimit.shortRun
    ) throws -> (outcome: ProgramRun.Outcome, samples: [UInt8]) {
        unlink(scratch.path("out.raw"))
        let outcome = try play(targets, options, output: "raw:" + scratch.path("out.raw"), limit: limit)
        return (outcome, scratch.read("out.raw"))
    }

    /// Plays without sound, in real time.
    func startPlaying(
        _ targets: [String], _ options: [String] = [], output: String = "null", keepsInput: Bool = false,
        limit: Duration = TimeLimit.shortRun
    ) throws -> ProgramRun {
        try start(
            Self.playing(targets, options, output: output, keep: keepPath), keepsInput: keepsInput, limit: limit)
    }

    /// Downloads targets and waits for the end.
    func download(
        _ targets: [String], _ options: [String] = [], environment: [String: String] = [:],
        limit: Duration = TimeLimit.shortRun
    ) throws -> ProgramRun.Outcome {
        try run(
            ["download"] + targets + ["--keep-dir", keepPath] + options, environment: environment, limit: limit)
    }

    func startDownloading(_ targets: [String], _ options: [String] = []) throws -> ProgramRun {
        try start(["download"] + targets + ["--keep-dir", keepPath] + options)
    }

    private static func playing(
        _ targets: [String], _ options: [String], output: String, keep: String
    ) -> [String] {
        ["play"] + targets + ["--output", output, "--keep-dir", keep] + options
    }
}

extension ProgramRun.Outcome {
    /// The error messages; all other lines report progress.
    var sentences: [String] { errors.split(separator: "\n").map(String.init).filter { $0.hasPrefix("earshot: ") } }

    /// Parses the lines of `--json`.
    func events() throws -> [JSONDocument] {
        try outputText.split(separator: "\n").map { try JSONDocument(parsing: $0) }
    }
}

extension ProgramRun {
    /// True after an event with at least this position. On a busy machine, events can skip a second.
    func hasReached(_ seconds: Double) -> Bool {
        outputSoFar.split(separator: "\n").contains { line in
            guard let position = (try? JSONDocument(parsing: line))?["position"]?.number else { return false }
            return position >= seconds
        }
    }
}

/// Expects one transfer, and then one revalidation that the server answers with 304.
func expectRevalidation(
    _ requests: [FaultRequest], etag: String, location: SourceLocation = #_sourceLocation
) throws {
    try #require(requests.count == 2, "\(requests)", sourceLocation: location)
    #expect(requests[0].status == 200 && requests[0].fields["if-none-match"] == nil, sourceLocation: location)
    let second = requests[1]
    #expect(second.status == 304 && second.fields["if-none-match"] == etag, sourceLocation: location)
    #expect(second.range == nil && second.bytesSent == 0, sourceLocation: location)
}

extension [JSONDocument] {
    func named(_ event: String) -> [JSONDocument] { filter { $0["event"] == .string(event) } }
}
