// SPDX-License-Identifier: GPL-3.0-or-later

/// The rule by which a player starts and resumes playing. With the whole episode downloaded it always plays.
protocol Rule: Sendable {
    var name: String { get }
    /// Called before each episode; values that depend only on the past of each tick may be computed here for all
    /// ticks.
    mutating func begin(_ delivery: Delivery)
    /// Called at each tick of a wait; returns true to play.
    mutating func plays(_ moment: Moment) -> Bool
    /// Called at each tick of audio; returns true to pause before the buffer runs dry.
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

    /// Models of other players: their documented defaults, or the behaviour of their sources. AVPlayer's numbers are
    /// guesses.
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
