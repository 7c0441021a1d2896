// SPDX-License-Identifier: GPL-3.0-or-later
import EarshotTestSupport
import Glibc
import Testing

@Suite("A library that cannot be written")
struct UnwritableTests {
    private let run: FeedRun
    private var library: String { run.earshot.scratch.path("earshot/library.db") }

    init() throws {
        run = try FeedRun()
        try run.subscribe(to: [3, 2, 1])
        _ = try run.run("download", "part 2")
    }

    /// Returns the last reported position, from complete lines; -1 before the first one.
    private static func position(_ session: ProgramRun) -> Double {
        let lines = session.outputSoFar.split(separator: "\n", omittingEmptySubsequences: false).dropLast()
        return lines.compactMap { try? JSONDocument(parsing: $0)["position"]?.number }.last ?? -1
    }

    /// Runs the program with a file size limit of 0, as on a full disk.
    private func runWithoutRoom(_ arguments: String...) throws -> ProgramRun.Outcome {
        let environment = ["XDG_DATA_HOME": run.earshot.scratch.path]
        return try ProgramRun.run(
            ["/bin/sh", "-c", "ulimit -f 0; exec \"$0\" \"$@\"", Earshot.program] + arguments,
            environment: ProgramRun.plainEnvironment.merging(environment) { $1 })
    }

    @Test(
        "On a full disk, queries work as usual",
        arguments: [
            ["podcasts"], ["episodes"], ["downloads"], ["show", "part 2"], ["search", "part"], ["queue"],
            ["undo", "--list"],
        ])
    func listed(arguments: [String]) throws {
        let full =
            arguments.count == 1 ? try runWithoutRoom(arguments[0]) : try runWithoutRoom(arguments[0], arguments[1])
        let usual = try run.start(arguments).wait()
        #expect(full.status == 0 && full.outputText == usual.outputText, "\(full.errors)")
        #expect(full.errors == usual.errors)
    }

    @Test("On a full disk a stored episode plays, and one message reports that positions cannot be saved")
    func played() throws {
        let outcome = try runWithoutRoom("play", "part 2", "--output", "null:fast")
        #expect(outcome.status == 0, "\(outcome.errors)")
        #expect(outcome.sentences.count == 1)
        #expect(outcome.sentences.first?.hasPrefix("earshot: positions cannot be saved: ") ?? false)
        #expect(try run.json("show", "part 2").first?["progress"]?.text != "played")
    }

    @Test("On a full disk, sound that cannot be written fails and leaves no empty file", arguments: ["wav", "raw"])
    func sound(container: String) throws {
        let path = run.earshot.scratch.path("out." + container)
        let outcome = try runWithoutRoom("play", "part 2", "--output", container + ":" + path)
        #expect(outcome.status == 74 && outcome.errors.contains("cannot write \(path): "), "\(outcome.errors)")
        #expect(!run.earshot.scratch.names.contains("out." + container))
    }

    @Test("On a full disk a removed download is erased directly, and a message reports the unsaved change")
    func removed() throws {
        let outcome = try runWithoutRoom("remove", "part 2")
        #expect(outcome.status == 74 && outcome.errors.contains("the files were deleted"), "\(outcome.errors)")
        #expect(run.kept.isEmpty && run.trash.isEmpty)
    }

    @Test("On a full disk a change is refused and has no effect")
    func refused() throws {
        let outcome = try runWithoutRoom("queue", "add", "part 1")
        #expect(outcome.status == 74 && outcome.errors.contains("the disk is full"), "\(outcome.errors)")
        #expect(try run.json("queue").isEmpty)
        let finding = try runWithoutRoom("doctor").outputText
        #expect(finding.contains("trouble: the library \(library) cannot be written: the disk is full"), "\(finding)")
    }

    @Test(
        "While another process holds the library, playback continues, ends at the first signal, and loses no position")
    func held() throws {
        let session = try run.start(["play", "part 2", "--output", "null", "--json"])
        #expect(session.wait { Self.position($0) >= 1 })
        let other = try LibraryHolder(library)
        #expect(session.wait { Self.position($0) >= 5 })
        session.signal(SIGINT)
        let outcome = session.wait()
        #expect(outcome.status == 130 && !outcome.isOverdue)
        let told = outcome.errors + outcome.outputText
        #expect(told.contains("the last position could not be saved yet"), "\(told)")
        let position = try #require(try run.json("show", "part 2").first?["position"]?.number)
        // A sound that lags on a busy machine was not heard as far as reported.
        #expect(position >= 3)
        try other.release()
        #expect(try run.json("show", "part 2").first?["position"]?.number == position)
        #expect(!run.earshot.scratch.names(in: "earshot").contains("library.db-positions"))
    }

    @Test("While another process holds the library, a bookmark waits, and playback obeys the next command")
    func bookmarked() throws {
        let session = try run.start(
            ["play", "part 2", "--output", "null", "--json", "--commands", "-"], keepsInput: true)
        #expect(session.wait { Self.position($0) >= 1 })
        let other = try LibraryHolder(library)
        session.write("bookmark the song\npause\n")
        #expect(session.wait { $0.outputSoFar.contains("\"paused\"") })
        try other.release()
        session.write("quit\n")
        let outcome = session.wait()
        #expect(outcome.status == 0, "\(outcome.errors)")
        #expect(try run.json("bookmarks", "part 2").first?["title"]?.text == "the song")
    }

    @Test(
        "A kill while another process holds the library loses at most a few seconds, also of an episode not on disk",
        arguments: [false, true])
    func killed(isHeldFromStart: Bool) throws {
        let holder = isHeldFromStart ? try LibraryHolder(library) : nil
        let session = try run.start(["play", "part 2", "--output", "null", "--json"])
        #expect(session.wait { Self.position($0) >= 1 })
        let other = try holder ?? LibraryHolder(library)
        #expect(session.wait { Self.position($0) >= 6 })
        session.signal(SIGKILL)
        _ = session.wait()
        try other.release()
        let position = try #require(try run.json("show", "part 2").first?["position"]?.number)
        #expect(position > 3)
    }
}
