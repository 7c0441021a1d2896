// SPDX-License-Identifier: GPL-3.0-or-later
public import Media
public import Playback

/// The object of an event in `--json` and on the control socket: docs/json-events.md.
public struct EventJSON: Sendable, Equatable {
    public let name: String
    /// Its members besides `event`.
    public let members: [JSONValue.Member]

    private init(_ name: String, _ members: [JSONValue.Member]) { (self.name, self.members) = (name, members) }

    /// Creates the object; `nil` if the event has none.
    /// - Parameter status: from the same moment.
    public init?(_ event: PlayerEvent, _ status: PlayerStatus) {
        switch event {
        case .activityChanged(let activity): self.init("state", Self.state(activity, status.wait))
        case .itemStarted(let item): self.init("track", Self.track("begin", item, status))
        case .itemEnded(let item): self.init("track", Self.track("end", item, status))
        case .connectionLost(let item, let position, let failure): self = Self.loss(item, position, failure)
        case .versionChanged(let item, let position, let mapping, _):
            self.init(
                "version",
                [
                    Self.number(item), Self.position(position),
                    .init("mapping", .string(mapping.rawValue)),
                ])
        case .alternativePlayed(let item, let failure):
            self.init("alternative", [Self.number(item), .init("reason", .string(failure.reason))])
        case .damageSkipped(let item, let failure):
            self.init("damage", [Self.number(item), .init("reason", .string(failure.reason))])
        case .stallBegan(let item, let position): self = Self.stall("begin", item, position, lasted: nil)
        case .stallEnded(let item, let lasted): self = Self.stall("end", item, status.position, lasted: lasted)
        case .seekLanded(let item, let position, let isEstimated, let waited):
            self = Self.seek("landed", item, position, Self.positionQuality(isEstimated: isEstimated), waited: waited)
        case .mustWait(let item, _):
            let quality = JSONValue.Member("positionQuality", .string(Self.positionQuality(status)))
            self = Self.seek("waits", item, status.position, quality, waited: nil)
        case .startRetried, .timesCorrected, .noEffect: return nil
        case .chaptersFound(let item, let chapters): self.init("chapters", ChapterJSON.list(item, chapters))
        case .chapterChanged(let item, let place): self.init("chapter", ChapterJSON.place(item, place))
        case .ended: self.init("ended", [])
        case .outputInterrupted(let failure): self = Self.output("interrupted", failure)
        case .outputRestored: self = Self.output("restored", nil)
        case .pausedByItself(let failure): self = Self.output("paused", failure)
        case .marked(let item, let position, let isEstimated, _, let note):
            self.init(
                "bookmark",
                [
                    Self.number(item), Self.position(position), Self.positionQuality(isEstimated: isEstimated),
                    .init("title", .optional(note, JSONValue.string)),
                ])
        case .sleepTimerEnded(let item):
            self.init("sleep", [.init("track", .optional(item) { .integer(Int64($0.id) + 1) })])
        case .itemFailed, .seekFailed, .outputLost, .beyondEnd: self.init(failed: event)
        }
    }

    /// Creates the event `track` of the current item, of which no sound plays, or of none.
    public init(current item: PlaybackItem?, _ status: PlayerStatus) {
        self.init("track", Self.track("current", item, status))
    }

    private init?(failed event: PlayerEvent) {
        switch event {
        case .itemFailed(let item, let failure): self.init(failure, of: item, continues: false)
        case .seekFailed(let item, let failure): self.init(failure, of: item, continues: true)
        case .outputLost(let failure): self.init(failure, about: "sound output", number: nil)
        case .beyondEnd(let item, let place, let end, let outcome) where outcome != .startedOver:
            self.init(MediaFailure(beyond: place, end, outcome), of: item, continues: outcome == .stayed)
        default: return nil
        }
    }

    /// - Parameter continues: true if only a seek failed, and the item continues to play.
    private init(_ failure: MediaFailure, of item: PlaybackItem, continues: Bool) {
        let object = EventJSON(failure, about: item.location, number: Int64(item.id) + 1)
        self.init(object.name, object.members + (continues ? [.init("continues", .bool(true))] : []))
    }

    /// Creates the object of a failure.
    /// - Parameter number: the number of the item, from 1; `nil` if it concerns no item.
    public init(_ failure: MediaFailure, about subject: String, number: Int64?) {
        self.init(
            "error",
            [
                .init("kind", .string(failure.kind.name)),
                .init("status", .integer(Int64(ExitStatus(failure.kind).rawValue))),
                .init("subject", .string(subject)),
                .init("reason", .string(([failure.reason] + failure.choices).joined(separator: "; "))),
                .init("track", .optional(number, JSONValue.integer)),
            ])
    }
}

// MARK: Members
extension EventJSON {
    static func number(_ item: PlaybackItem) -> JSONValue.Member { .init("track", .integer(Int64(item.id) + 1)) }

    static func position(_ position: Duration?) -> JSONValue.Member {
        .init("position", .optional(position, JSONValue.seconds))
    }

    private static func positionQuality(isEstimated: Bool) -> JSONValue.Member {
        .init("positionQuality", .string(isEstimated ? "estimated" : "exact"))
    }

    static func positionQuality(_ status: PlayerStatus) -> String {
        status.position == nil ? "unknown" : status.positionIsEstimated ? "estimated" : "exact"
    }

    static func risk(_ risk: StallRisk) -> JSONValue {
        .object([
            .init("chance", .decimal(risk.probability)),
            .init("in", .optional(risk.time, JSONValue.seconds)),
        ])
    }

    private static func state(_ activity: PlayerStatus.Activity, _ wait: PlayerStatus.Wait?) -> [JSONValue.Member] {
        var (waiting, reason): (Bool, String?) = (false, nil)
        switch activity {
        case .loading, .seeking, .buffering: waiting = true
        case .paused(let isWaiting): waiting = isWaiting
        case .connectionLost(let why), .noDevice(let why): reason = why
        case .idle, .playing, .ended: break
        }
        return [
            .init("state", .string(ActivityText(activity).name)),
            .init("percent", .optional(activity == .buffering ? wait?.percent : nil, JSONValue.integer)),
            .init("wait", .optional(waiting ? wait?.expected : nil, JSONValue.seconds)),
            .init("waiting", .bool(waiting)),
            .init("reason", .optional(reason, JSONValue.string)),
        ]
    }

    private static func track(_ phase: String, _ item: PlaybackItem?, _ status: PlayerStatus) -> [JSONValue.Member] {
        let number = item.map { Int64($0.id) + 1 }
        return [
            .init("phase", .string(phase)),
            .init("track", .optional(number, JSONValue.integer)),
            .init("count", .integer(max(Int64(status.itemCount), number ?? 0))),
            .init("title", .optional(item?.title, JSONValue.string)),
            .init("podcast", .optional(item?.podcast, JSONValue.string)),
            .init("location", .optional(item?.location, JSONValue.string)),
        ]
    }

    private static func output(_ phase: String, _ failure: MediaFailure?) -> EventJSON {
        let reason = JSONValue.optional(failure?.reason, JSONValue.string)
        return EventJSON("output", [.init("phase", .string(phase)), .init("reason", reason)])
    }

    /// Returns a range of times as `[from, to]` in seconds.
    static func timeRange(_ range: Range<Duration>) -> JSONValue {
        .array([.seconds(range.lowerBound), .seconds(range.upperBound)])
    }

    private static func stall(
        _ phase: String, _ item: PlaybackItem, _ position: Duration?, lasted: Duration?
    ) -> EventJSON {
        EventJSON(
            "stall",
            [
                .init("phase", .string(phase)), number(item), Self.position(position),
                .init("lasted", .optional(lasted, JSONValue.seconds)),
            ])
    }

    private static func loss(_ item: PlaybackItem, _ position: Duration?, _ failure: MediaFailure) -> EventJSON {
        EventJSON(
            "lost",
            [
                number(item), Self.position(position),
                .init("kind", .string(failure.kind.name)),
                .init("status", .integer(Int64(ExitStatus(failure.kind).rawValue))),
                .init("reason", .string(failure.reason)),
            ])
    }

    private static func seek(
        _ phase: String, _ item: PlaybackItem, _ position: Duration?, _ quality: JSONValue.Member, waited: Duration?
    ) -> EventJSON {
        EventJSON(
            "seek",
            [
                .init("phase", .string(phase)), number(item), Self.position(position), quality,
                .init("waited", .optional(waited, JSONValue.seconds)),
            ])
    }

    static func download(_ downloadProgress: DownloadProgress?) -> JSONValue {
        .object([
            .init("state", .string(downloadProgress?.condition.name ?? "idle")),
            .init("bytes", .integer(downloadProgress?.extents.count ?? 0)),
            .init("total", .optional(downloadProgress?.total, JSONValue.integer)),
            .init("rate", .optional(downloadProgress?.bytesPerSecond) { .integer(Int64(min(max(0, $0), 1e15))) }),
        ])
    }
}

extension PlayerStatus.Wait {
    /// The percentage of the expected wait that is over; `nil` if it is unknown.
    fileprivate var percent: Int64? {
        if waited == .zero { return 0 }
        guard let expected, expected + waited > .zero else { return nil }
        return Int64(100 * (waited / (waited + expected)))
    }
}

extension DownloadProgress.Condition {
    /// The word used in `--json`.
    var name: String {
        switch self {
        case .connecting: "connecting"
        case .receiving: "receiving"
        case .backingOff: "backingOff"
        case .held: "held"
        case .complete: "complete"
        case .failed: "failed"
        }
    }
}
