// SPDX-License-Identifier: GPL-3.0-or-later
import AudioEngine
import EarshotTestSupport
import Glibc
import Media
import Testing

/// Under the watchdog the tests of all targets that render run once more, those of this suite left out.
@Suite("Nothing in render locks, allocates or waits", .enabled(if: !RenderWatchdog.isWatching), .serialized)
struct RenderWatchdogTests {
    @Test("in none of the tests that render, edits while rendering included", arguments: WatchedTests.all)
    func everything(tests: WatchedTests) throws {
        let report = try RenderWatchdog().watch(tests: tests.names, skipping: tests.skipped)
        #expect(report.marked > tests.fewest, "\(report)")
        #expect(report.violations == 0, "\(report)")
    }

    @Test("and what does is seen", arguments: WatchedCrime.allCases)
    func crimes(crime: WatchedCrime) throws {
        let report = try RenderWatchdog().watch(
            tests: ["WatchedCrimeTests"], environment: ["EARSHOT_WATCHED_CRIME": crime.rawValue])
        #expect(report.marked == 1, "\(report)")
        #expect(report.violations > 0, "\(report)")
    }
}

/// What a render callback must not do.
enum WatchedCrime: String, CaseIterable, Sendable {
    case allocate, lock, sleep, write

    func commit() {
        switch self {
        case .allocate: free(malloc(100))
        case .lock:
            var lock = pthread_mutex_t()
            pthread_mutex_init(&lock, nil)
            pthread_mutex_lock(&lock)
            pthread_mutex_unlock(&lock)
        case .sleep: usleep(1)
        case .write: Glibc.write(-1, nil, 0)
        }
    }
}

@Suite("Watched crimes", .enabled(if: getenv("EARSHOT_WATCHED_CRIME") != nil)) struct WatchedCrimeTests {
    @Test("a callback does it")
    func commit() throws {
        let name = try #require(getenv("EARSHOT_WATCHED_CRIME"))
        let crime = try #require(WatchedCrime(rawValue: String(cString: name)))
        let source = RenderCallbackSource { _, frames, _ in
            crime.commit()
            return frames
        }
        var samples: [Float] = [0, 0, 0, 0]
        samples.withUnsafeMutableBufferPointer { buffer in
            if let start = buffer.baseAddress { _ = source.pull(into: start, frames: 4, at: 0) }
        }
    }
}
