// SPDX-License-Identifier: GPL-3.0-or-later
import EarshotTestSupport
import Testing

/// Keeps the tests of a suite, which await, from being held up by those of others, which wait.
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
    /// For what must be taken down as it happens.
    static let events = ThreadLane("integration, events")
}
