// SPDX-License-Identifier: GPL-3.0-or-later
import AudioProcessing
public import Media
public import Playback

/// The reporter for `--json`: one object per line on standard output (docs/json-events.md). Every key is always
/// present.
public struct JSONReporter: PlaybackReporter {
    private static let interval: Duration = .seconds(1)
    private var lastPosition: Duration?
    private var lastState: State?

    /// What a command changes. At rest no tick follows to show it later.
    private struct State: Equatable {
        let item: PlaybackItem.ID
        let position: Duration?
        let volume: Double
        let sound: SoundSettings
        let sleep: SleepTimer?
        let repeatMode: RepeatMode
    }

    public init() {}

    public mutating func report(_ event: PlayerEvent, status: PlayerStatus, at now: Duration) -> [ReportText] {
        if case .itemStarted = event { lastPosition = nil }
        let object = EventJSON(event, status).map { Self.line($0.name, $0.members) }
        return [object, Self.sentence(event)].compactMap { $0 }
    }

    /// Returns the message for the reader of the log. The sleep timer has an object, and is no failure.
    private static func sentence(_ event: PlayerEvent) -> ReportText? {
        if case .sleepTimerEnded = event { nil } else { Sentence.event(event) }
    }

    public mutating func refresh(_ status: PlayerStatus, at now: Duration) -> [ReportText] {
        guard let item = status.item else { return [] }
        let state = State(
            item: item.id, position: status.position, volume: Double(status.volume), sound: status.sound,
            sleep: status.sleep, repeatMode: status.repeatMode)
        let isDue = lastPosition.map { now - $0 >= Self.interval } ?? true
        guard isDue || (status.rate == 0 && state != lastState) else { return [] }
        (lastPosition, lastState) = (now, state)
        return [
            Self.line(
                "position",
                [
                    .init("position", .optional(status.position, JSONValue.seconds)),
                    .init("positionQuality", .string(EventJSON.positionQuality(status))),
                    .init("duration", .optional(status.duration.value, JSONValue.seconds)),
                    .init("durationQuality", .string(status.duration.quality)),
                    .init("buffered", .array(status.buffered.map(EventJSON.timeRange))),
                    .init("download", EventJSON.download(status.downloadProgress)),
                    .init("wait", .optional(status.wait?.expected, JSONValue.seconds)),
                    .init("stallRisk", .optional(status.stallRisk, EventJSON.risk)),
                    .init("track", .integer(Int64(item.id) + 1)),
                    .init("volume", .integer(Int64((min(max(0, status.volume), 10) * 100).rounded()))),
                    .init("speed", .decimal(status.sound.speed)),
                    .init("remaining", .optional(status.remaining, JSONValue.seconds)),
                    .init("trimSilence", .string(status.sound.silenceTrimming.rawValue)),
                    .init("loudness", .optional(status.sound.loudness?.target) { .decimal($0) }),
                    .init("gain", .optional(status.loudnessGain) { .decimal($0) }),
                    .init("voiceBoost", .bool(status.sound.boostsVoice)),
                    .init("sleep", StatusJSON.sleep(status.sleep)),
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
        Self.failure(failure, about: subject, number: nil)
    }

    public mutating func report(_ cue: HeardCue) -> [ReportText] { [Self.line("cue", cue.members)] }

    public mutating func note(_ sentence: String) -> [ReportText] { [Sentence.note(sentence)] }
}

extension JSONReporter {
    static func line(_ event: String, _ members: [JSONValue.Member]) -> ReportText {
        .output(JSONValue.object([.init("event", .string(event))] + members).description + "\n")
    }

    /// Writes the failure to standard output for the program, and to standard error for the reader of its log.
    static func failure(_ failure: MediaFailure, about subject: String, number: Int64?) -> [ReportText] {
        let object = EventJSON(failure, about: subject, number: number)
        return [line(object.name, object.members), Sentence.failure(failure, about: subject)]
    }
}
