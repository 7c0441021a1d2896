// SPDX-License-Identifier: GPL-3.0-or-later
import ControlProtocol
import ControlSocket
import Media
import Playback
import TerminalInterface

// MARK: Events of the owner
extension RemoteSession {
    /// Accepts the reply to the request to play.
    mutating func begin(_ reply: ControlLink.Reply) {
        switch reply {
        case .success(let result):
            let list = result["items"]?.elements ?? []
            for json in list { if let id = json["id"]?.integer { items[id] = PlaybackItem(item: json) } }
            requested = RequestedItems(list.compactMap { $0["id"]?.integer }, RepeatMode(status: result) ?? .off)
            for event in early { note(event) }
            early = []
            // After `quit`, the options and the later lines would change what is played next.
            guard !isOver, !isStopping else {
                return refuseWaiting(MediaFailure(.unavailable, "playback has ended"))
            }
            requestStatus()
            applyOptions()
            performWaiting()
        case .failure(.refused(let error)):
            let failure = MediaFailure(error)
            refuseWaiting(failure)
            // The reply to `quit` ends the session.
            guard !isStopping else { return }
            note(ExitStatus(failure.kind))
            if !hasReportedFailure { write(reporter.note(error.message)) }
            isOver = true
        case .failure(let failure): end(failure)
        }
    }

    /// True if events have reported the failure of the request: that of a target, or of the output.
    private var hasReportedFailure: Bool {
        early.contains { $0["event"]?.string == "error" && $0["track"]?.integer == nil && isOurs($0) }
    }

    /// True unless the event is the effect of another control.
    private func isOurs(_ event: JSONValue) -> Bool { event["by"]?.string.map { $0 == link.hello.client } ?? true }

    mutating func accept(_ json: JSONValue) {
        let name = json["event"]?.string
        switch name {
        case "position": remote.move(json)
        case "gap": if let status = json["snapshot"]?["player"] { remote.update(status) }
        case "service": hasEnded = true
        case "note": write(reporter.note(json["text"]?.string ?? ""))
        default: report(json)
        }
        // The download is in the status only.
        let hasAll = name == "note" || name == "service" || name == "position" && !remote.isDownloading
        if !hasAll { requestStatus() }
        if requested == nil { early.append(json) } else { note(json) }
    }

    private mutating func report(_ json: JSONValue) {
        let item = json["track"]?.integer.flatMap { items[$0] ?? Self.item($0, json) } ?? present.item
        if json["event"]?.string == "error" {
            guard isOurs(json) else { return }
            let failure = MediaFailure(event: json)
            let isOfItem = requested?.concern(json["track"]?.integer) ?? true
            if isOfItem, json["continues"]?.bool != true { note(ExitStatus(failure.kind)) }
            return write(reporter.report(failure, about: options.typed(json["subject"]?.string ?? "")))
        }
        guard let event = PlayerEvent(json, item) else { return }
        var status = present
        if case .activityChanged(let activity) = event { status.activity = activity }
        if case .itemStarted(let item) = event {
            items[Int64(item.id) + 1] = item
            status.item = item
        }
        write(reporter.report(event, status: shown(status, with: json), at: now))
    }

    /// Returns the status for a reporter of an event: `--json` counts all items of the player, as the event does.
    private func shown(_ status: PlayerStatus, with event: JSONValue) -> PlayerStatus {
        var shown = numbered(status)
        if options.session.json, event["event"]?.string == "track", let count = event["count"]?.integer {
            shown.itemCount = Int(clamping: count)
        }
        return shown
    }

    private static func item(_ track: Int64, _ json: JSONValue) -> PlaybackItem? {
        PlaybackItem(
            item: .object([
                .init("id", .integer(track)), .init("title", json["title"] ?? .string("")),
                .init("podcast", json["podcast"] ?? .null), .init("location", json["location"] ?? .string("")),
            ]))
    }

    private mutating func note(_ event: JSONValue) {
        requested?.note(event)
        if requested?.isOver == true {
            reportSleep(after: event)
            isOver = true
        }
        if !options.isAttended { giveUp(after: event) }
    }

    /// Says how to continue the item that the last one interrupted, if the sleep timer ended with the last one.
    private mutating func reportSleep(after event: JSONValue) {
        guard !isOver, event["event"]?.string == "track", event["phase"]?.string == "end",
            present.sleep?.endsWithItem == true, let item = requested?.interrupted.flatMap({ items[$0] })
        else { return }
        write(reporter.note("the sleep timer ended; \"earshot resume\" continues \"\(item.title)\""))
    }

    /// Ends where nobody could retry or continue, as an own player does.
    private mutating func giveUp(after event: JSONValue) {
        guard requested?.concern(event["track"]?.integer) == true else { return }
        switch (event["event"]?.string, event["phase"]?.string) {
        case ("lost", _), ("output", "paused"): note(ExitStatus(.init(name: event["kind"]?.string)))
        case ("sleep", _): break
        default: return
        }
        isOver = true
    }

    mutating func note(_ status: ExitStatus) {
        if self.status == .success { self.status = status }
    }

    /// Ends after the connection has ended.
    mutating func end(_ failure: ControlConnection.Failure) {
        isOver = true
        refuseWaiting(MediaFailure(failure))
        guard !isStopping else { return }
        let reason =
            hasEnded ? "the process that played has ended" : "the process that played ended unexpectedly"
        write(reporter.note(reason))
        note(.unavailable)
    }
}

extension SleepTimer {
    /// True if the timer ends with the item that plays.
    fileprivate var endsWithItem: Bool { self == .endOfItem(count: 1) || self == .endOfChapter(count: 1) }
}

extension MediaFailure.Kind {
    /// The kind with this name; `unavailable` for one of a later version.
    init(name: String?) { self = Self.allCases.first { $0.name == name } ?? .unavailable }
}
