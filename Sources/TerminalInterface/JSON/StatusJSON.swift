// SPDX-License-Identifier: GPL-3.0-or-later
import AudioProcessing
public import Media
public import Playback

/// The state of the player as JSON: docs/protocol.md, `player.status` and the event `position`.
public struct StatusJSON: Sendable, Equatable {
    private let status: PlayerStatus
    /// The monotonic time of the position.
    private let at: Duration

    public init(_ status: PlayerStatus, at: Duration) { (self.status, self.at) = (status, at) }

    /// The state apart from its owner.
    /// - Parameter episode: the episode of the item in the library.
    public func members(episode: Int64?) -> [JSONValue.Member] {
        [
            .init("state", .string(ActivityText(status.activity).name)),
            .init("item", .optional(status.item) { Self.item($0, episode) }),
        ] + place + progress + settings
    }

    private var progress: [JSONValue.Member] {
        [
            .init("at", .seconds(at)),
            .init("buffered", .array(status.buffered.map(EventJSON.timeRange))),
            .init("download", status.item == nil ? .null : EventJSON.download(status.downloadProgress)),
            .init("reason", .optional(reason, JSONValue.string)),
            .init("wait", .optional(status.wait?.expected, JSONValue.seconds)),
            .init("stallRisk", .optional(status.stallRisk, EventJSON.risk)),
        ]
    }

    private var reason: String? {
        switch status.activity {
        case .connectionLost(let reason), .noDevice(let reason): reason
        case .idle, .ended: nil
        case .loading, .buffering, .seeking, .playing, .paused: status.downloadProgress?.condition.reason
        }
    }

    private var settings: [JSONValue.Member] {
        [
            .init("volume", .integer(volume)),
            .init("repeat", .string(status.repeatMode.rawValue)),
            trimSilence, loudness,
            .init("gain", .optional(status.loudnessGain) { .decimal($0) }),
            voiceBoost, sleep,
            .init("chapter", chapter),
            .init("canNext", .bool(status.canNext)),
            .init("canPrevious", .bool(status.item != nil)),
        ]
    }

    /// The event `position`; `nil` without an item.
    public var position: [JSONValue.Member]? {
        guard let item = status.item else { return nil }
        return place + [
            EventJSON.number(item),
            .init("buffered", .array(status.buffered.map(EventJSON.timeRange))),
            .init("wait", .optional(status.wait?.expected, JSONValue.seconds)),
        ]
    }

    /// The event `sound`.
    public var sound: [JSONValue.Member] { [speed, trimSilence, loudness, voiceBoost] }

    /// The event `sleepTimer`.
    public var sleepTimer: [JSONValue.Member] { [sleep] }

    /// The volume in percent.
    public var volume: Int64 { Int64((min(max(0, status.volume), 10) * 100).rounded()) }

    private var place: [JSONValue.Member] {
        [
            EventJSON.position(status.position ?? start),
            .init("positionQuality", .string(positionQuality)),
            .init("rate", .decimal(status.rate)),
            speed,
            .init("duration", .optional(status.duration.value, JSONValue.seconds)),
            .init("durationQuality", .string(status.duration.quality)),
            .init("end", .optional(status.end, JSONValue.seconds)),
            .init("skipped", ChapterJSON.spans(status.skipped)),
        ]
    }

    private var speed: JSONValue.Member { .init("speed", .decimal(status.sound.speed)) }

    private var trimSilence: JSONValue.Member {
        .init("trimSilence", .string(status.sound.silenceTrimming.rawValue))
    }

    private var loudness: JSONValue.Member {
        .init("loudness", .optional(status.sound.loudness?.target) { .decimal($0) })
    }

    private var voiceBoost: JSONValue.Member { .init("voiceBoost", .bool(status.sound.boostsVoice)) }

    private var sleep: JSONValue.Member { .init("sleep", Self.sleep(status.sleep)) }

    private var chapter: JSONValue {
        guard let chapters = status.chapters, let place = status.chapter else { return .null }
        return .object(ChapterJSON.numbered(place) + [.init("approximate", .bool(chapters.isApproximate))])
    }

    /// The place from which the sound of the item will be played, if it is not the beginning.
    private var start: Duration? { status.item?.start.flatMap { _ in status.positionOrStart } }

    private var positionQuality: String {
        guard status.position == nil, start != nil else { return EventJSON.positionQuality(status) }
        if case .time = status.item?.start { return "exact" }
        return "estimated"
    }

    /// Returns the seconds or the items that are left.
    static func sleep(_ timer: SleepTimer?) -> JSONValue {
        switch timer {
        case nil: .null
        case .after(let time): .object([.init("seconds", .seconds(time))])
        case .endOfItem(let count): .object([.init("episodes", .integer(Int64(count)))])
        case .endOfChapter(let count): .object([.init("chapters", .integer(Int64(count)))])
        }
    }

    /// The item; `episode` is its number in the library.
    public static func item(_ item: PlaybackItem, _ episode: Int64?) -> JSONValue {
        .object([
            .init("id", .integer(Int64(item.id) + 1)),
            .init("episode", .optional(episode, JSONValue.integer)),
            .init("title", .string(item.title)),
            .init("podcast", .optional(item.podcast, JSONValue.string)),
            .init("location", .string(item.location)),
        ])
    }
}

extension SleepTimer {
    /// - Parameter json: the value of `sleep`.
    package init?(_ json: JSONValue?) {
        if let time = json?["seconds"]?.duration {
            self = .after(time)
        } else if let count = json?["episodes"]?.integer {
            self = .endOfItem(count: Int(clamping: count))
        } else if let count = json?["chapters"]?.integer {
            self = .endOfChapter(count: Int(clamping: count))
        } else {
            return nil
        }
    }
}
