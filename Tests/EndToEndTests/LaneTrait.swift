// SPDX-License-Identifier: GPL-3.0-or-later
import EarshotTestSupport
import Testing

/// Runs the tests of a suite one after the other, on a separate thread.
struct LaneTrait: SuiteTrait, TestTrait, TestScoping {
    let lane: ThreadLane

    func provideScope(
        for test: Test, testCase: Test.Case?, performing function: @Sendable () async throws -> Void
    ) async throws {
        try await withTaskExecutorPreference(lane) { try await function() }
    }
}

extension Trait where Self == LaneTrait {
    /// The lane for quick tests.
    static var firstLane: LaneTrait { LaneTrait(lane: .first) }
    /// The lane for tests that run in real time.
    static var secondLane: LaneTrait { LaneTrait(lane: .second) }
}

extension ThreadLane {
    fileprivate static let first = ThreadLane("end to end, 1")
    fileprivate static let second = ThreadLane("end to end, 2")
}
