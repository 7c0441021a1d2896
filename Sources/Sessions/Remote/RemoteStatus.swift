// SPDX-License-Identifier: GPL-3.0-or-later
import AudioProcessing
import ControlSocket
import Media
import Playback
import TerminalInterface

/// The state of another process's player, from `player.status` and the events. A pure value.
struct RemoteStatus: Sendable {
    /// The last received state, with the position of that time.
    private var last = PlayerStatus()
    /// The monotonic time of the position.
    private var at = Duration.zero
    private var rate = 0.0

    /// Accepts the result of `player.status`.
    mutating func update(_ json: JSONValue) {
        var status = PlayerStatus(
            activity: PlayerStatus.Activity(json), item: json["item"].flatMap { PlaybackItem(item: $0) },
            volume: Double(json["volume"]?.integer ?? 100) / 100,
            repeatMode: RepeatMode(status: json) ?? .off)
        status.positionIsEstimated = json["positionQuality"]?.string == "estimated"
        status.isSeeking = status.activity == .seeking
        status.duration = MediaDuration(json)
        status.buffered = (json["buffered"]?.elements ?? []).compactMap(Self.range)
        status.downloadProgress = json["download"].flatMap {
            DownloadProgress(remote: $0, reason: status.activity.downloadReason(json))
        }
        status.wait = json.seconds("wait").map { PlayerStatus.Wait(waited: .zero, expected: $0) }
        (status.sound, status.loudnessGain) = (SoundSettings(json), json["gain"]?.double)
        status.sleep = SleepTimer(json["sleep"])
        status.chapters = json["chapter"].flatMap { ItemChapters(playing: $0) }
        status.position = json.seconds("position")
        (at, rate) = (json.seconds("at") ?? MonotonicTime.now, json["rate"]?.double ?? 0)
        last = status
        setEnd(json)
    }

    /// Accepts the event `position`.
    mutating func move(_ event: JSONValue) {
        guard event["track"]?.integer == last.item.map({ Int64($0.id) + 1 }) else { return }
        let time = event.seconds("at") ?? MonotonicTime.now
        last.sleep = sleep(at: time)
        last.position = event.seconds("position")
        last.positionIsEstimated = event["positionQuality"]?.string == "estimated"
        last.duration = MediaDuration(event)
        last.sound.speed = event["speed"]?.double ?? last.sound.speed
        setEnd(event)
        (at, rate) = (time, event["rate"]?.double ?? 0)
    }

    private mutating func setEnd(_ json: JSONValue) {
        last.item = last.item?.ending(at: json.seconds("end").map { .time($0) })
        last.skipped = (json["skipped"]?.elements ?? []).compactMap(Self.span)
    }

    /// Returns the sleep timer at a time: its time passes while the position advances.
    private func sleep(at now: Duration) -> SleepTimer? {
        guard case .after(let left) = last.sleep, rate > 0 else { return last.sleep }
        return .after(max(.zero, left - max(.zero, now - at)))
    }

    /// A span of hidden chapters; without an end it lasts to the end of the item.
    static func span(_ json: JSONValue) -> Range<Duration>? {
        guard let start = json.seconds("start") else { return nil }
        let end = json.seconds("end") ?? ItemChapters.never
        return start <= end ? start..<end : nil
    }

    /// Returns the state with the position of a time.
    func status(at now: Duration) -> PlayerStatus {
        var status = last
        status.sleep = sleep(at: now)
        if let position = last.position {
            status.position = min(position + max(.zero, now - at) * rate, last.duration.value ?? .seconds(1 << 40))
        }
        return status
    }

    /// True if the position advances, or bytes arrive.
    var isMoving: Bool {
        switch last.activity {
        case .playing, .loading, .buffering, .seeking: true
        case .idle, .paused, .ended, .connectionLost, .noDevice: last.downloadProgress?.isOver == false
        }
    }

    var isDownloading: Bool { last.downloadProgress?.isOver == false }

    private static func range(_ json: JSONValue) -> Range<Duration>? {
        guard let ends = json.elements?.compactMap(\.double), ends.count == 2, ends[0] <= ends[1], ends[1] < 1e9 else {
            return nil
        }
        return .milliseconds(Int64(max(0, ends[0]) * 1000)) ..< .milliseconds(Int64(max(0, ends[1]) * 1000))
    }
}

extension JSONValue {
    /// The duration of a member in seconds.
    func seconds(_ key: String) -> Duration? { self[key]?.duration }
}

extension PlayerStatus.Activity {
    /// - Parameter json: the event `state`, or the result of `player.status`.
    init(_ json: JSONValue) {
        let reason = json["reason"]?.string ?? ""
        self =
            switch json["state"]?.string {
            case "loading": .loading
            case "buffering": .buffering
            case "seeking": .seeking
            case "playing": .playing
            case "paused": .paused(waiting: json["waiting"]?.bool ?? false)
            case "ended": .ended
            case "failedAtEdge": .connectionLost(reason: reason)
            case "noDevice": .noDevice(reason: reason)
            default: .idle
            }
    }

    /// Returns the reason why no bytes arrive, according to a status with this activity; `nil` if it has another
    /// reason or none.
    fileprivate func downloadReason(_ json: JSONValue) -> String? {
        if case .noDevice = self { nil } else { json["reason"]?.string }
    }
}

extension SoundSettings {
    /// - Parameter json: the result of `player.status`.
    fileprivate init(_ json: JSONValue) {
        self.init(
            speed: json["speed"]?.double ?? 1,
            silenceTrimming: json["trimSilence"]?.string.flatMap { SilenceTrimming(rawValue: $0) } ?? .off,
            loudness: json["loudness"]?.double.map { LoudnessNormalization(target: $0) },
            boostsVoice: json["voiceBoost"]?.bool ?? false)
    }
}

extension PlaybackItem {
    /// - Parameter json: an item of `player.status`.
    init?(item json: JSONValue) {
        guard let id = json["id"]?.integer.flatMap({ ID(exactly: $0 - 1) }) else { return nil }
        self.init(
            id: id, title: json["title"]?.string ?? "", podcast: json["podcast"]?.string,
            location: json["location"]?.string ?? "")
    }
}

extension RepeatMode {
    /// - Parameter status: a status, or the event `repeat`.
    init?(status: JSONValue) {
        guard let mode = status["repeat"]?.string else { return nil }
        self.init(rawValue: mode)
    }
}

extension DownloadProgress {
    /// - Parameters:
    ///   - json: the object `download`.
    ///   - reason: the reason why no bytes arrive; `nil` if it is unknown.
    fileprivate init?(remote json: JSONValue, reason: String?) {
        let condition: Condition
        switch json["state"]?.string {
        case "connecting": condition = .connecting
        case "receiving": condition = .receiving
        case "backingOff": condition = reason.map { Condition.backingOff(Backoff(reason: $0)) } ?? .receiving
        case "held": condition = .held(reason: reason ?? "waiting for disk space")
        case "complete": condition = .complete
        case "failed": condition = .failed(MediaFailure(.unavailable, reason ?? "the download failed"))
        default: return nil
        }
        var extents = ByteRangeSet()
        if let bytes = json["bytes"]?.integer, bytes > 0 { extents.insert(0..<bytes) }
        self.init(
            condition: condition, total: json["total"]?.integer, extents: extents,
            bytesPerSecond: json["rate"]?.double)
    }
}
