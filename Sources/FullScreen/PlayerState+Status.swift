// SPDX-License-Identifier: GPL-3.0-or-later
public import Media
import Playback
public import Screens
import TerminalInterface

extension PlayerState {
    /// Creates the state from a result of `player.status` (docs/protocol.md).
    public init(status: JSONValue) {
        self.init(
            Activity(status["state"]?.string), item: status["item"].flatMap(Item.init),
            position: status["position"]?.duration, duration: MediaDuration(status))
        track = status["item"]?["id"]?.integer
        update(place: status)
        buffered = Self.ranges(status["buffered"])
        volumePercent = Int(clamping: status["volume"]?.integer ?? 100)
        repeatMode = status["repeat"]?.string ?? "off"
        canNext = status["canNext"]?.bool ?? false
        next = status["next"].flatMap(Item.init)
        switch SleepTimer(status["sleep"]) {
        case .after(let time): sleepsAt = at + time
        case let timer: sleep = timer.map { ClockText.sleep($0) }
        }
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
        position = place["position"]?.duration
        positionIsEstimated = place["positionQuality"]?.string == "estimated"
        rate = place["rate"]?.double ?? 0
        speed = place["speed"]?.double ?? 1
        at = place["at"]?.duration ?? .zero
        duration = MediaDuration(place)
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
            guard let from = pair.elements?.first?.duration, let to = pair.elements?.last?.duration, from < to else {
                return nil
            }
            return from..<to
        }
    }

    /// Returns the chapters of the event `chapters`.
    public static func chapters(_ event: JSONValue) -> [Chapter] {
        (event["chapters"]?.elements ?? []).compactMap { value in
            guard let start = value["start"]?.duration else { return nil }
            return Chapter(
                start: start, end: value["end"]?.duration, title: value["title"]?.string, url: value["url"]?.string,
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
