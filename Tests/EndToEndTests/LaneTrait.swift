// SPDX-License-Identifier: GPL-3.0-or-later
import EarshotTestSupport
import Testing

/// Runs a suite's tests one after the other, on a thread that is not the other suites'.
struct LaneTrait: SuiteTrait, TestTrait, TestScoping {
    let lane: ThreadLane

    func provideScope(
        for test: Test, testCase: Test.Case?, performing function: @Sendable () async throws -> Void
    ) async throws {
        try await withTaskExecutorPreference(lane) { try await function() }
    }
}

extension Trait where Self == LaneTrait {
    /// For what is quick.
    static var firstLane: LaneTrait { LaneTrait(lane: .first) }
    /// For what takes real time.
    static var secondLane: LaneTrait { LaneTrait(lane: .second) }
}

extension ThreadLane {
    fileprivate static let first = ThreadLane("end to end, 1")
    fileprivate static let second = ThreadLane("end to end, 2")
}
