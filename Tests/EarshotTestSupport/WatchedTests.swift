// SPDX-License-Identifier: GPL-3.0-or-later

/// The tests of one target, which run once more under the watchdog.
public struct WatchedTests: Sendable, CustomStringConvertible {
    public let target: String
    /// The suites that run, where it is not all of them.
    private let chosen: [String]
    /// Suites that take long, and render as others do or not at all.
    private let slow: [String]
    /// More renders than that are watched: about half of what was counted.
    public let fewest: Int

    private init(_ target: String, only chosen: String..., without slow: String..., moreThan fewest: Int) {
        (self.target, self.chosen, self.slow, self.fewest) = (target, chosen, slow, fewest)
    }

    /// Every target whose tests know a source or a sink.
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

    /// Patterns of the names of tests.
    public var names: [String] { chosen.isEmpty ? ["^\(target)\\."] : chosen.map(pattern) }
    public var skipped: [String] { slow.map(pattern) }

    private func pattern(_ suite: String) -> String { "^\(target)\\.\(suite)/" }

    public var description: String { target }
}
