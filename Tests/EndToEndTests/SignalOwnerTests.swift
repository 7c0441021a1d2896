// SPDX-License-Identifier: GPL-3.0-or-later
import EarshotTestSupport
import Glibc
import Testing

@Suite("Signals of a session")
struct SignalOwnerTests {
    /// The bit of SIGINT in the mask of blocked signals in /proc/PID/task/TID/status (proc(5)).
    private static let interrupt: UInt64 = 1 << (2 - 1)

    @Test("After a refresh that downloads, only one thread accepts signals, and all others block them")
    func oneOwner() throws {
        let run = try FeedRun()
        try run.subscribe(to: [1])
        _ = try run.run("settings", "set", "auto-download", "1")
        run.server.serve("/part1.mp3", DemoEpisodes.episode(1).stalled(after: 1000))
        let environment = ["XDG_DATA_HOME": run.earshot.scratch.path]
        let session = try ProgramRun(
            ["/bin/sh", "-c", "echo $$; exec \"$0\" refresh", Earshot.program],
            environment: ProgramRun.plainEnvironment.merging(environment) { $1 })
        #expect(session.wait { $0.errorsSoFar.contains("downloading") })
        let process = session.outputSoFar.split(separator: "\n").first.map(String.init) ?? ""
        // The thread that waits in sigtimedwait(2) unblocks them in the meantime.
        #expect(session.wait { _ in Self.open(process) == 1 })
        session.signal(SIGINT)
        #expect(session.wait().status == 130)
    }

    /// Returns the number of threads that do not block SIGINT.
    private static func open(_ process: String) -> Int {
        let tasks = "/proc/\(process)/task"
        guard let folder = opendir(tasks) else { return -1 }
        defer { closedir(folder) }
        var count = 0
        while let entry = readdir(folder) {
            let name = withUnsafePointer(to: &entry.pointee.d_name) {
                $0.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
            }
            let file = Glibc.open("\(tasks)/\(name)/status", O_RDONLY | O_CLOEXEC)
            guard file >= 0 else { continue }
            defer { close(file) }
            var bytes = [UInt8](repeating: 0, count: 8192)
            let length = read(file, &bytes, bytes.count)
            let lines = String(decoding: bytes[..<max(0, length)], as: UTF8.self).split(separator: "\n")
            let mask = lines.first { $0.hasPrefix("SigBlk:") }?.split(separator: "\t").last
            if let mask = mask.flatMap({ UInt64($0, radix: 16) }), mask & interrupt == 0 { count += 1 }
        }
        return count
    }
}
