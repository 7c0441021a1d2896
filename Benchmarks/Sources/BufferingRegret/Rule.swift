// SPDX-License-Identifier: GPL-3.0-or-later

/// When sound starts and goes on, as one player decides it. When everything has arrived it always does.
protocol Rule: Sendable {
    var name: String { get }
    /// Before each episode: what depends on nothing but the past of each tick may be worked out at once.
    mutating func begin(_ delivery: Delivery)
    /// Asked at each tick of a silence.
    mutating func plays(_ moment: Moment) -> Bool
    /// Asked at each tick of sound: whether to stop before it runs dry.
    func pauses(_ moment: Moment) -> Bool
}

extension Rule {
    mutating func begin(_ delivery: Delivery) {}
    func pauses(_ moment: Moment) -> Bool { false }
}

enum Rules {
    static let own = OwnRule()
    static let reference = ReferenceRule()
    static let readiest = Thresholds(name: "mpv", start: 0.2, resume: 1)

    /// Models of other players: their documented defaults, or what their sources do. AVPlayer's numbers are guesses.
    static let all: [any Rule] = [
        own,
        reference,
        RuinBound(),
        AVPlayerRule(),
        Thresholds(name: "best fixed pair 15/30", start: 15, resume: 30),
        ChromiumRule(),
        GStreamerDownload(),
        FirefoxRule(),
        Thresholds(name: "StreamingKit", start: 1, resume: 7.5),
        FreeStreamerRule(),
        Thresholds(name: "ExoPlayer 2", start: 2.5, resume: 5),
        VLCRule(),
        Thresholds(name: "GStreamer, stream", start: 3, resume: 3),
        Thresholds(name: "Media3", start: 1, resume: 2),
        Rule2009(),
        readiest,
        Thresholds(name: "MPD", start: 1, resume: 0),
    ]
}
