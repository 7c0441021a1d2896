// SPDX-License-Identifier: GPL-3.0-or-later
import AudioEngine
import EarshotTestSupport
import Glibc
import Media
import Testing

/// Scripts/test runs the tests of all rendering targets under the watchdog.
@Suite("Render watchdog")
struct RenderWatchdogTests {
    @Test("The watchdog detects each kind of violation", arguments: WatchedCrime.allCases)
    func crimes(crime: WatchedCrime) throws {
        let report = try RenderWatchdog().watch(
            tests: "WatchedCrimeTests", environment: ["EARSHOT_WATCHED_CRIME": crime.rawValue])
        #expect(report.status == 0 && report.marked == 1, "\(report)")
        #expect(report.violations > 0, "\(report)")
    }
}

/// An action that a render callback must not perform.
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
    @Test("A callback commits the crime that the environment names")
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
