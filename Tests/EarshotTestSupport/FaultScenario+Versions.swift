// SPDX-License-Identifier: GPL-3.0-or-later

/// Content that changes between requests, and slow servers.
extension FaultScenario {
    static let versions: [FaultScenario] = [
        FaultScenario("etag-change-300k") { $0.serve($0.whole.cut(after: 300_000), $0.changed) },
        FaultScenario("lastmod-change-300k") {
            $0.serve($0.whole.with { $0.etag = nil }.cut(after: 300_000), $0.changed.with { $0.etag = nil })
        },
        FaultScenario("ifrange-ignored-change-300k") {
            $0.serve($0.whole.cut(after: 300_000), $0.changed.with { $0.honoursIfRange = false })
        },
        // Only the bytes show the change.
        FaultScenario("silent-change-300k") {
            $0.serve($0.whole.without.cut(after: 300_000), $0.changed.without)
        },
        // The episode changes while its beginning plays.
        FaultScenario("slow-change-500k") {
            $0.serve($0.whole.with { $0.rate = 300 * 1024 }.cut(after: 500_000), $0.changed)
        },
        FaultScenario("slow-change-300k-2") {
            let slow = $0.whole.with { $0.rate = 300 * 1024 }.cut(after: 300_000)
            $0.serve(slow, slow, $0.changed)
        },
        // Different advertisements for each request: three interrupted files, then a complete one.
        FaultScenario("etag-flap-300k-3") { stage in
            stage.handle { versions, _, count in versions.version(count).cut(after: count < 3 ? 300_000 : .max) }
        },
        FaultScenario("etag-flap-300k") { stage in
            stage.handle { versions, _, count in versions.version(count).cut(after: 300_000) }
        },
        FaultScenario("etag-mirror-300k-2") { stage in
            stage.handle { versions, _, count in
                versions.whole.with { ($0.etag, $0.lastModified) = ("\"mirror\(count)\"", nil) }
                    .cut(after: count < 2 ? 300_000 : .max)
            }
        },
        FaultScenario("weak-etag-300k") {
            let weak = $0.whole.with { $0.etag = "W/\"first\"" }
            $0.serve(weak.cut(after: 300_000), weak)
        },
        FaultScenario("no-validator-300k") { $0.serve($0.whole.without.cut(after: 300_000), $0.whole.without) },
    ]

    static let waits: [FaultScenario] = [
        FaultScenario("stall-300k") { $0.serve($0.whole.stalled(after: 300_000), $0.whole) },
        FaultScenario("stall-always-200k") { $0.serve($0.whole.stalled(after: 200_000)) },
        FaultScenario("hang") { $0.serve($0.hanging) },
        FaultScenario("hang-then-ok-1") { $0.serve($0.hanging, $0.whole) },
        FaultScenario("latency-ms-1500") { $0.serve($0.whole.with { $0.latency = .milliseconds(1500) }) },
        FaultScenario("slow-headers") { $0.serve($0.whole.with { $0.headRate = 80 }) },
        FaultScenario("slow-headers-always") { $0.serve($0.whole.with { $0.headRate = 2 }) },
        FaultScenario("trickle") { $0.serve($0.whole.with { $0.rate = 10 }) },
        // Half the bit rate of the episode.
        FaultScenario("rate-8k") { $0.serve($0.whole.with { $0.rate = 8 * 1024 }) },
        paced(
            "jitter-5",
            [60, 1500, 300, 90, 700, 1500, 60, 240, 1200, 300].map { .init(.milliseconds(200), rate: $0) }),
        // A train ride with stations and tunnels.
        paced(
            "trace-train",
            [(600, 900), (900, 0), (500, 200), (300, 40), (700, 0), (800, 600)].map {
                .init(.milliseconds($0.0), rate: $0.1)
            }),
        // Fast at first, then hardly faster than playback.
        paced("trace-cliff", [.init(.milliseconds(600), rate: 1200), .init(.seconds(600), rate: 60)]),
    ]

    /// - Parameter paces: rates in thousands of bytes per second.
    private static func paced(_ name: String, _ paces: [FaultScript.Pace]) -> FaultScenario {
        FaultScenario(name) { stage in
            stage.serve(
                stage.whole.with { $0.paces = paces.map { .init($0.time, rate: $0.rate * 1000) } })
        }
    }
}

extension FaultVersions {
    /// Returns another file with another validator for each request.
    fileprivate func version(_ count: Int) -> FaultScript {
        (count.isMultiple(of: 2) ? whole : changed).with {
            ($0.etag, $0.lastModified) = ("\"request\(count)\"", nil)
        }
    }
}

extension FaultStage {
    fileprivate var hanging: FaultScript { whole.with { $0.latency = .seconds(3600) } }
}

extension FaultScript {
    /// A copy of the script without validators.
    fileprivate var without: FaultScript { with { ($0.etag, $0.lastModified) = (nil, nil) } }
}
