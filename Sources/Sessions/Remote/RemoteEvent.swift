// SPDX-License-Identifier: GPL-3.0-or-later
import Media
import Playback
import TerminalInterface

extension PlayerEvent {
    /// Creates the event of another process's player; `nil` for an event that a reporter does not need.
    /// - Parameters:
    ///   - json: the parameters of the event.
    ///   - item: the item that the event is about.
    init?(_ json: JSONValue, _ item: PlaybackItem?) {
        switch (json["event"]?.string, json["phase"]?.string) {
        case ("state", _): self = .activityChanged(PlayerStatus.Activity(json))
        case ("ended", _): self = .ended
        case ("output", "interrupted"): self = .outputInterrupted(MediaFailure(event: json))
        case ("output", "restored"): self = .outputRestored
        case ("output", "paused"): self = .pausedByItself(MediaFailure(event: json))
        case ("sleep", _): self = .sleepTimerEnded(item)
        default:
            guard let item else { return nil }
            self.init(json, of: item)
        }
    }

    private init?(_ json: JSONValue, of item: PlaybackItem) {
        let position = json.seconds("position")
        let isEstimated = json["positionQuality"]?.string == "estimated"
        switch (json["event"]?.string, json["phase"]?.string) {
        case ("track", "begin"): self = .itemStarted(item)
        case ("track", "end"): self = .itemEnded(item)
        case ("lost", _): self = .connectionLost(item, at: position, MediaFailure(event: json))
        case ("version", _):
            let mapping = json["mapping"]?.string.flatMap(VersionMapping.init(rawValue:)) ?? .time
            self = .versionChanged(item, at: position, mapping, nil)
        case ("alternative", _): self = .alternativePlayed(item, MediaFailure(event: json))
        case ("damage", _): self = .damageSkipped(item, MediaFailure(event: json))
        case ("stall", "begin"): self = .stallBegan(item, at: position ?? .zero)
        case ("stall", "end"): self = .stallEnded(item, lasted: json.seconds("lasted") ?? .zero)
        case ("seek", "landed"):
            self = .seekLanded(
                item, at: position ?? .zero, isEstimated: isEstimated,
                waited: json.seconds("waited") ?? .zero)
        case ("chapters", _): self = .chaptersFound(item, ItemChapters(json))
        case ("chapter", _): self = .chapterChanged(item, ItemChapters.Place(json))
        case ("error", _): self = .itemFailed(item, MediaFailure(event: json))
        case ("bookmark", _):
            self = .marked(
                item, at: position ?? .zero, isEstimated: isEstimated, from: nil, note: json["title"]?.string)
        default: return nil
        }
    }
}

extension MediaFailure {
    /// Creates the failure of an event.
    /// - Parameter json: the parameters of the event; without a known kind, the failure is `unavailable`.
    init(event json: JSONValue) {
        self.init(Kind(name: json["kind"]?.string), json["reason"]?.string ?? "")
    }
}
