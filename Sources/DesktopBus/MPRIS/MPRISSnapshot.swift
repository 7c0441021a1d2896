// SPDX-License-Identifier: GPL-3.0-or-later

/// The state of the player that the desktop shows.
public struct MPRISSnapshot: Sendable, Equatable {
    /// Source: MPRIS 2.2, Playback_Status. Buffering is playing; an empty player is stopped.
    public enum Status: String, Sendable {
        case playing = "Playing"
        case paused = "Paused"
        case stopped = "Stopped"
    }

    /// Source: MPRIS 2.2, Loop_Status.
    public enum Loop: String, Sendable {
        case off = "None"
        case one = "Track"
        case all = "Playlist"
    }

    public var item: MPRISItem?
    public var status = Status.stopped
    public var position = MPRISPosition()
    /// False while the position is not audible: before the first sound, during a seek and during a stall.
    public var isSettled = true
    /// Rises with each completed seek and each repetition of an item.
    public var jumps = 0
    /// The speed at which items play, also while paused.
    public var speed = 1.0
    /// 0 ... 1.5
    public var volume = 1.0
    public var loop = Loop.off
    public var canNext = false
    public var canPrevious = false
    /// True if there is something to resume: without an item, the last episode.
    public var canPlay = false

    public init() {}
}

/// A position that clients extrapolate.
public struct MPRISPosition: Sendable, Equatable {
    public var value: Duration
    /// The monotonic time at which the value was true.
    public var time: Duration
    /// Seconds of the item per second: 0 while the position does not advance.
    public var rate: Double

    public init(_ value: Duration = .zero, at time: Duration = .zero, rate: Double = 0) {
        (self.value, self.time, self.rate) = (value, time, rate)
    }

    /// Returns the position at another time.
    public func value(at now: Duration) -> Duration { max(.zero, value + (now - time) * rate) }
}

/// An item as the desktop shows it.
public struct MPRISItem: Sendable, Equatable {
    /// A number that differs for each player of the process, and the number of this playing in the player.
    public var player: UInt32
    public var number: UInt32
    public var title: String
    public var podcast: String?
    public var author: String?
    /// The publication date as in ISO 8601.
    public var published: String?
    /// The address without credentials, or the absolute path of a file.
    public var address: String?
    /// The absolute path of the cover.
    public var cover: String?
    public var duration: Duration?
    /// True if the duration is an estimate, which changes.
    public var isDurationEstimated = false

    public init(player: UInt32, number: UInt32, title: String) {
        (self.player, self.number, self.title) = (player, number, title)
    }

    /// The identity of this playing. Source: MPRIS 2.2, Track_Id.
    public var trackID: String { "/org/earshot/item/\(player)_\(number)" }

    /// Source: MPRIS 2.2, Metadata_Map, and the MPRIS v2 metadata guidelines.
    var metadata: [DBusValue.Entry] {
        var entries = [DBusValue.Entry("mpris:trackid", .objectPath(trackID)), .init("xesam:title", .text(title))]
        if let duration { entries.append(.init("mpris:length", .integer(duration.microseconds))) }
        if let artist = author ?? podcast { entries.append(.init("xesam:artist", .texts([artist]))) }
        if let podcast { entries.append(.init("xesam:album", .text(podcast))) }
        entries.append(.init("xesam:genre", .texts(["Podcast"])))
        if let published { entries.append(.init("xesam:contentCreated", .text(published))) }
        if let address { entries.append(.init("xesam:url", .text(Self.url(address)))) }
        if let cover { entries.append(.init("mpris:artUrl", .text(Self.fileURL(cover)))) }
        return entries
    }

    private static func url(_ address: String) -> String { address.hasPrefix("/") ? fileURL(address) : address }

    private static func fileURL(_ path: String) -> String {
        "file://" + PercentEncoding.encoded(path, keeping: "/-._~")
    }
}

extension Duration {
    /// The whole microseconds, limited to the range of the type.
    var microseconds: Int64 {
        let (seconds, attoseconds) = components
        let (whole, overflow) = seconds.multipliedReportingOverflow(by: 1_000_000)
        if overflow { return seconds < 0 ? .min : .max }
        return whole.addingReportingOverflow(attoseconds / 1_000_000_000_000).partialValue
    }
}
