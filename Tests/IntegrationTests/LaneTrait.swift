// SPDX-License-Identifier: GPL-3.0-or-later
import EarshotTestSupport
import Testing

/// Runs the asynchronous tests of a suite on a separate executor, so that blocking tests cannot delay them.
struct LaneTrait: SuiteTrait, TestTrait, TestScoping {
    let lane: ThreadLane

    func provideScope(
        for test: Test, testCase: Test.Case?, performing function: @Sendable () async throws -> Void
    ) async throws {
        try await withTaskExecutorPreference(lane) { try await function() }
    }
}

extension Trait where Self == LaneTrait {
    static var fileLane: LaneTrait { LaneTrait(lane: .files) }
    static var soundLane: LaneTrait { LaneTrait(lane: .sound) }
}

extension ThreadLane {
    fileprivate static let files = ThreadLane("integration, files")
    fileprivate static let sound = ThreadLane("integration, sound")
    /// The lane for tasks that record events as they happen.
    static let events = ThreadLane("integration, events")
}
