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
    static var ownLane: LaneTrait { LaneTrait(lane: .integration) }
}

extension ThreadLane {
    static let integration = ThreadLane("integration")
}
