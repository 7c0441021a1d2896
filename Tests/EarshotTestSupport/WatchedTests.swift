// SPDX-License-Identifier: GPL-3.0-or-later

/// The tests of one target that run a second time under the watchdog.
public struct WatchedTests: Sendable, CustomStringConvertible {
    public let target: String
    /// The suites to run; empty for all.
    private let chosen: [String]
    /// The suites to skip because they are slow and render like the others or not at all.
    private let slow: [String]
    /// A lower bound for the number of watched renders: about half of the measured number.
    public let fewest: Int

    private init(_ target: String, only chosen: String..., without slow: String..., moreThan fewest: Int) {
        (self.target, self.chosen, self.slow, self.fewest) = (target, chosen, slow, fewest)
    }

    /// Every target whose tests use a source or a sink.
    public static let all = [
        WatchedTests("AudioEngineTests", moreThan: 150_000),
        WatchedTests("AudioOutputTests", without: "PulseFaultTests", moreThan: 300),
        WatchedTests(
            "PlaybackTests", without: "IslandTests", "PlaylistModelTests", "SupplyTests", "TraceTests",
            moreThan: 8000),
        WatchedTests("EarshotCommandTests", only: "LoopTextTests", moreThan: 2),
        WatchedTests(
            "IntegrationTests", only: "HandoverTests", "HandoverSoundTests", "LyingTagTests", "ShortFileTests",
            moreThan: 150),
    ]

    /// Patterns for the names of tests.
    public var names: [String] { chosen.isEmpty ? ["^\(target)\\."] : chosen.map(pattern) }
    public var skipped: [String] { slow.map(pattern) }

    private func pattern(_ suite: String) -> String { "^\(target)\\.\(suite)/" }

    public var description: String { target }
}
