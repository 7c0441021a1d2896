// SPDX-License-Identifier: GPL-3.0-or-later
import AudioProcessing
public import Media
public import Playback

/// The reporter for `--json`: one object per line on standard output (docs/json-events.md). Every key is always
/// present.
public struct JSONReporter: PlaybackReporter {
    private static let interval: Duration = .seconds(1)
    private var lastPosition: Duration?

    public init() {}

    public mutating func report(_ event: PlayerEvent, status: PlayerStatus, at now: Duration) -> [ReportText] {
        switch event {
        case .activityChanged(let activity): return [Self.line("state", Self.state(activity, status.wait))]
        case .itemStarted(let item):
            lastPosition = nil
            return [Self.line("track", [.init("phase", .string("begin"))] + Self.track(item, status))]
        case .itemEnded(let item):
            return [Self.line("track", [.init("phase", .string("end"))] + Self.track(item, status))]
        case .itemFailed(let item, let failure):
            return Self.failure(failure, about: item.location, track: item)
        case .connectionLost(let item, let position, let failure):
            return [Self.loss(item, position, failure), Sentence.loss(item, position, failure)]
        case .versionChanged(let item, let position, let isSameWord):
            return [Self.version(item, position, isSameWord), Sentence.version(item, isSameWord)]
        case .stallBegan(let item, let position):
            return [Self.stall("begin", item, position: position, lasted: nil)]
        case .stallEnded(let item, let lasted):
            return [Self.stall("end", item, position: status.position, lasted: lasted)]
        case .seekLanded(let item, let position, let isEstimated, let waited):
            return [Self.seek("landed", item, position, isEstimated ? "estimated" : "exact", waited: waited)]
        case .mustWait(let item, let reason):
            return [Self.seek("waits", item, status.position, Self.positionQuality(status), waited: nil)]
                + [Sentence.failure(reason, about: item.location)]
        case .beyondEnd(_, _, _, .startedOver): return [Sentence.event(event)].compactMap { $0 }
        case .beyondEnd(let item, let place, let end, let outcome):
            return Self.failure(MediaFailure(beyond: place, end, outcome), about: item.location, track: item)
        case .ended: return [Self.line("ended", [])]
        case .outputInterrupted(let failure): return Self.output("interrupted", failure, Sentence.event(event))
        case .outputRestored: return Self.output("restored", nil, nil)
        case .pausedByItself(let failure): return Self.output("paused", failure, Sentence.event(event))
        case .sleepTimerEnded(let item):
            return [Self.line("sleep", [.init("track", .optional(item) { .integer(Int64($0.id) + 1) })])]
        case .outputLost(let failure): return Self.failure(failure, about: "sound output", track: nil)
        }
    }

    public mutating func refresh(_ status: PlayerStatus, at now: Duration) -> [ReportText] {
        if let lastPosition, now - lastPosition < Self.interval { return [] }
        guard let item = status.item else { return [] }
        lastPosition = now
        return [
            Self.line(
                "position",
                [
                    .init("position", .optional(status.position, JSONValue.seconds)),
                    .init("positionQuality", .string(Self.positionQuality(status))),
                    .init("duration", .optional(status.duration.value, JSONValue.seconds)),
                    .init("durationQuality", .string(status.duration.quality)),
                    .init("buffered", .array(status.buffered.map(Self.timeRange))),
                    .init("download", Self.download(status.downloadProgress)),
                    .init("wait", .optional(status.wait?.expected, JSONValue.seconds)),
                    .init("stallRisk", .optional(status.stallRisk, Self.risk)),
                    .init("track", .integer(Int64(item.id) + 1)),
                    .init("volume", .integer(Int64((min(max(0, status.volume), 10) * 100).rounded()))),
                    .init("speed", .decimal(status.sound.speed)),
                    .init("trimSilence", .string(status.sound.silenceTrimming.rawValue)),
                    .init("sleep", Self.sleep(status.sleep)),
                    .init("repeat", .string(status.repeatMode.rawValue)),
                ])
        ]
    }

    public mutating func answer(_ answer: CommandAnswer) -> [ReportText] {
        [
            Self.line(
                "answer",
                [
                    .init("command", .string(answer.line)),
                    .init("ok", .bool(answer.problem == nil)),
                    .init("error", .optional(answer.problem, JSONValue.string)),
                ])
        ]
    }

    public mutating func report(_ failure: MediaFailure, about subject: String) -> [ReportText] {
        Self.failure(failure, about: subject, track: nil)
    }

    public mutating func note(_ sentence: String) -> [ReportText] { [Sentence.note(sentence)] }

    public mutating func finish() -> [ReportText] { [] }
}

extension JSONReporter {
    static func line(_ event: String, _ members: [JSONValue.Member]) -> ReportText {
        .output(JSONValue.object([.init("event", .string(event))] + members).description + "\n")
    }

    /// Returns the seconds or the items that are left.
    private static func sleep(_ timer: SleepTimer?) -> JSONValue {
        switch timer {
        case nil: .null
        case .after(let time): .object([.init("seconds", .seconds(time))])
        case .endOfItem(let count): .object([.init("episodes", .integer(Int64(count)))])
        }
    }

    private static func risk(_ risk: StallRisk) -> JSONValue {
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

    private static func track(_ item: PlaybackItem, _ status: PlayerStatus) -> [JSONValue.Member] {
        [
            .init("track", .integer(Int64(item.id) + 1)),
            .init("count", .integer(Int64(max(status.itemCount, Int(item.id) + 1)))),
            .init("title", .string(item.title)),
            .init("podcast", .optional(item.podcast, JSONValue.string)),
            .init("location", .string(item.location)),
        ]
    }

    private static func output(
        _ phase: String, _ failure: MediaFailure?, _ sentence: ReportText?
    ) -> [ReportText] {
        let reason = JSONValue.optional(failure?.reason, JSONValue.string)
        return [line("output", [.init("phase", .string(phase)), .init("reason", reason)])]
            + (sentence.map { [$0] } ?? [])
    }

    private static func timeRange(_ range: Range<Duration>) -> JSONValue {
        .array([.seconds(range.lowerBound), .seconds(range.upperBound)])
    }

    private static func stall(
        _ phase: String, _ item: PlaybackItem, position: Duration?, lasted: Duration?
    ) -> ReportText {
        line(
            "stall",
            [
                .init("phase", .string(phase)),
                .init("track", .integer(Int64(item.id) + 1)),
                .init("position", .optional(position, JSONValue.seconds)),
                .init("lasted", .optional(lasted, JSONValue.seconds)),
            ])
    }

    private static func loss(_ item: PlaybackItem, _ position: Duration?, _ failure: MediaFailure) -> ReportText {
        line(
            "lost",
            [
                .init("track", .integer(Int64(item.id) + 1)),
                .init("position", .optional(position, JSONValue.seconds)),
                .init("kind", .string(failure.kind.name)),
                .init("status", .integer(Int64(ExitStatus(failure.kind).rawValue))),
                .init("reason", .string(failure.reason)),
            ])
    }

    private static func version(_ item: PlaybackItem, _ position: Duration?, _ isSameWord: Bool) -> ReportText {
        line(
            "version",
            [
                .init("track", .integer(Int64(item.id) + 1)),
                .init("position", .optional(position, JSONValue.seconds)),
                .init("mapping", .string(isSameWord ? "word" : "time")),
            ])
    }

    private static func seek(
        _ phase: String, _ item: PlaybackItem, _ position: Duration?, _ quality: String, waited: Duration?
    ) -> ReportText {
        line(
            "seek",
            [
                .init("phase", .string(phase)),
                .init("track", .integer(Int64(item.id) + 1)),
                .init("position", .optional(position, JSONValue.seconds)),
                .init("positionQuality", .string(quality)),
                .init("waited", .optional(waited, JSONValue.seconds)),
            ])
    }

    private static func positionQuality(_ status: PlayerStatus) -> String {
        status.position == nil ? "unknown" : status.positionIsEstimated ? "estimated" : "exact"
    }

    static func download(_ downloadProgress: DownloadProgress?) -> JSONValue {
        .object([
            .init("state", .string(downloadProgress?.condition.name ?? "idle")),
            .init("bytes", .integer(downloadProgress?.extents.count ?? 0)),
            .init("total", .optional(downloadProgress?.total, JSONValue.integer)),
            .init("rate", .optional(downloadProgress?.bytesPerSecond) { .integer(Int64(min(max(0, $0), 1e15))) }),
        ])
    }

    /// Writes the failure to standard output for the program, and to standard error for the reader of its log.
    private static func failure(_ failure: MediaFailure, about subject: String, track: PlaybackItem?) -> [ReportText] {
        self.failure(failure, about: subject, number: track.map { Int64($0.id) + 1 })
    }

    static func failure(_ failure: MediaFailure, about subject: String, number: Int64?) -> [ReportText] {
        let members: [JSONValue.Member] = [
            .init("kind", .string(failure.kind.name)),
            .init("status", .integer(Int64(ExitStatus(failure.kind).rawValue))),
            .init("subject", .string(subject)),
            .init("reason", .string(([failure.reason] + failure.choices).joined(separator: "; "))),
            .init("track", .optional(number, JSONValue.integer)),
        ]
        return [line("error", members), Sentence.failure(failure, about: subject)]
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
