// SPDX-License-Identifier: GPL-3.0-or-later
import Dispatch
import EarshotTestSupport
import Glibc
import HTTPTransfer
import Media
import Synchronization
import Testing

@testable import ProgressiveDownload

/// Runs an action before chosen disk calls.
private final class Turnstile: Sendable {
    private struct State {
        /// The numbers of calls between the chosen ones.
        var gaps: [Int] = []
        var runs = 0
    }

    private let state = Mutex(State())
    private let action: @Sendable () -> Void

    init(_ action: @escaping @Sendable () -> Void) { self.action = action }

    func run(after gaps: [Int]) { state.withLock { $0.gaps = gaps } }

    /// True if a chosen call came.
    var hasRun: Bool { state.withLock { $0.runs > 0 } }

    private func pass() {
        let isChosen = state.withLock { state in
            guard let gap = state.gaps.first else { return false }
            state.gaps[0] = gap - 1
            guard gap == 0 else { return false }
            state.gaps.removeFirst()
            state.runs += 1
            return true
        }
        if isChosen { action() }
    }

    var calls: DiskCalls {
        var calls = DiskCalls()
        calls.open = {
            self.pass()
            return Glibc.open($0, $1, $2)
        }
        calls.lock = {
            self.pass()
            return flock($0, $1)
        }
        calls.rename = {
            self.pass()
            return Glibc.rename($0, $1)
        }
        calls.unlink = {
            self.pass()
            return Glibc.unlink($0)
        }
        return calls
    }
}

/// A process that replaces the first version of an episode by the second one and completes it. It stops before two of
/// its disk calls until it may continue.
private final class Replacing: Sendable {
    static let versions = (0...2).map { episode(100_000, seed: $0) }
    static let url = "http://a/b.mp3"

    private let (stopped, mayContinue) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
    private let ended = DispatchGroup()
    private let turnstile: Turnstile
    private let failure = Mutex<String?>(nil)

    /// - Parameter pause: the number of calls from the first stop to the second one.
    init(_ location: DownloadLocation, stopsBefore call: Int, again pause: Int) throws {
        turnstile = Turnstile { [stopped, mayContinue] in
            stopped.signal()
            mayContinue.wait()
        }
        let (old, _) = try PartialFile.open(location, url: Self.url, calls: turnstile.calls)
        try Self.fill(old, 1, 60_000)
        turnstile.run(after: [call, pause - 1])
        DispatchQueue.global().async(group: ended) { [self] in
            do {
                let new = try old.replacement()
                try Self.fill(new, 2, 100_000)
                try new.finish(total: 100_000)
            } catch {
                failure.withLock { $0 = "\(error)" }
            }
            stopped.signal()
        }
        stopped.wait()
    }

    /// True unless it ended before the chosen call.
    var hasStopped: Bool { turnstile.hasRun }

    /// Continues to the second stop or to the end.
    func resume() {
        mayContinue.signal()
        stopped.wait()
    }

    /// Continues to the end.
    /// - Returns: the failure.
    func finish() -> String? {
        for _ in 0..<2 { mayContinue.signal() }
        ended.wait()
        return failure.withLock { $0 }
    }

    private static func fill(_ file: PartialFile, _ number: Int, _ count: Int) throws {
        let version = StoredContent(entity: Representation(validator: .strongETag("\"\(number)\""), total: 100_000))
        try file.record(version)
        guard try versions[number][..<count].withUnsafeBytes({ try file.store($0, at: 0) }) else {
            throw MediaFailure(.badData, "the stored bytes differ")
        }
        try file.save(version)
    }
}

@Suite("Opening a download while another process replaces its version")
struct ReplacementRaceTests {
    /// Another process opens the download when the replacing process stops before its call `stop`. The replacing
    /// process continues for `pause` calls before the opening process's call `start`, and to its end afterwards.
    /// - Returns: the violations found; `nil` if one of the processes has no such call.
    private func faults(stop: Int, pause: Int, start: Int) throws -> [String]? {
        let directory = ScratchDirectory()
        let location = DownloadLocation(directory: directory.path, name: "e.mp3")
        let replacing = try Replacing(location, stopsBefore: stop, again: pause)
        guard replacing.hasStopped else { return nil }
        let turnstile = Turnstile { replacing.resume() }
        turnstile.run(after: [start])
        var faults: [String] = []
        do throws(MediaFailure) {
            let (file, _) = try PartialFile.open(location, url: Replacing.url, calls: turnstile.calls)
            file.release()
        } catch {
            if error != DownloadLocation.busy { faults.append("opening failed: \(error.reason)") }
        }
        if let failure = replacing.finish() { faults.append("replacing failed: \(failure)") }
        if directory.read("e.mp3") != Replacing.versions[2] { faults.append("the complete file is wrong") }
        return turnstile.hasRun ? faults : nil
    }

    /// The numbers of calls for which the replacing process continues; the last one is more than it has.
    private static let pauses = LongTests.areEnabled ? Array(1...40) : [1, 2, 4, 7, 100]

    @Test("At each moment, opening is refused or succeeds, and the new version is completed", arguments: pauses)
    func moments(pause: Int) throws {
        var (stop, moments) = (0, 0)
        while true {
            var start = 0
            while let faults = try faults(stop: stop, pause: pause, start: start) {
                #expect(faults == [], "before call \(stop) of the one, \(start) of the other")
                start += 1
            }
            guard start > 0 else { break }
            (stop, moments) = (stop + 1, moments + start)
        }
        #expect(stop > 15 && moments > 100)
    }
}
