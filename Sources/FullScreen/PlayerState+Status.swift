// SPDX-License-Identifier: GPL-3.0-or-later
public import Media
public import Screens
import TerminalInterface

extension PlayerState {
    /// Creates the state from a result of `player.status` (docs/protocol.md).
    public init(status: JSONValue) {
        self.init(
            Activity(status["state"]?.string), item: status["item"].flatMap(Item.init),
            position: Self.time(status["position"]), duration: Self.duration(status))
        track = status["item"]?["id"]?.integer
        update(place: status)
        buffered = Self.ranges(status["buffered"])
        volumePercent = Int(clamping: status["volume"]?.integer ?? 100)
        repeatMode = status["repeat"]?.string ?? "off"
        canNext = status["canNext"]?.bool ?? false
        next = status["next"].flatMap(Item.init)
        sleepsAt = Self.time(status["sleep"]?["seconds"]).map { at + $0 }
        sleep = status["sleep"].flatMap(Self.sleep)
        update(download: status["download"] ?? .null)
    }

    /// Takes over the event `position`.
    /// - Returns: false if it is that of another item, so that this state is old.
    public mutating func move(_ event: JSONValue) -> Bool {
        guard event["track"]?.integer == track else { return false }
        update(place: event)
        return true
    }

    /// Takes over the keys that `player.status` and the event `position` share.
    mutating func update(place: JSONValue) {
        position = Self.time(place["position"])
        positionIsEstimated = place["positionQuality"]?.string == "estimated"
        rate = place["rate"]?.double ?? 0
        speed = place["speed"]?.double ?? 1
        at = Self.time(place["at"]) ?? .zero
        duration = Self.duration(place)
        if let ranges = place["buffered"]?.elements, !ranges.isEmpty { buffered = Self.ranges(place["buffered"]) }
    }

    private mutating func update(download: JSONValue) {
        isDownloaded = download["state"]?.string == "complete"
        bytesPerSecond = download["rate"]?.double
        guard let total = download["total"]?.integer, let stored = download["bytes"]?.integer, !isDownloaded else {
            return
        }
        bytesLeft = max(0, total &- stored)
    }

    private static func ranges(_ value: JSONValue?) -> [Range<Duration>] {
        (value?.elements ?? []).compactMap { pair in
            guard let from = time(pair.elements?.first), let to = time(pair.elements?.last), from < to else {
                return nil
            }
            return from..<to
        }
    }

    private static func duration(_ value: JSONValue) -> MediaDuration {
        guard let time = time(value["duration"]) else { return .unknown }
        return switch value["durationQuality"]?.string {
        case "exact": .exact(time)
        case "declared": .declared(time)
        default: .estimated(time)
        }
    }

    /// Returns a number of seconds; `nil` for a value that is not a usable time.
    static func time(_ value: JSONValue?) -> Duration? {
        guard let seconds = value?.double, (0...1e9).contains(seconds) else { return nil }
        return .microseconds(Int64(seconds * 1e6))
    }

    private static func sleep(_ value: JSONValue) -> String? {
        if let count = value["chapters"]?.integer {
            return count == 1 ? "after this chapter" : "after \(count) chapters"
        }
        if let count = value["episodes"]?.integer {
            return count == 1 ? "after this episode" : "after \(count) episodes"
        }
        return nil
    }

    /// Returns the chapters of the event `chapters`.
    public static func chapters(_ event: JSONValue) -> [Chapter] {
        (event["chapters"]?.elements ?? []).compactMap { value in
            guard let start = time(value["start"]) else { return nil }
            return Chapter(
                start: start, end: time(value["end"]), title: value["title"]?.string, url: value["url"]?.string,
                image: value["image"]?.string.map { .url($0) })
        }
    }
}

extension PlayerState.Activity {
    init(_ name: String?) {
        self =
            switch name {
            case "loading": .loading
            case "buffering": .buffering
            case "seeking": .seeking
            case "playing": .playing
            case "paused": .paused
            case "ended": .ended
            case "failedAtEdge": .connectionLost
            case "noDevice": .noDevice
            default: .idle
            }
    }
}

extension PlayerState.Item {
    init?(_ value: JSONValue) {
        guard let title = value["title"]?.string else { return nil }
        self.init(episode: value["episode"]?.integer, title: title, podcast: value["podcast"]?.string)
    }
}
