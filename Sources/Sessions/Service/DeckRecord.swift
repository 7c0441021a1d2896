// SPDX-License-Identifier: GPL-3.0-or-later
import AudioProcessing
import EpisodeLibrary
import EpisodeSources
import Media
import Playback
import TerminalInterface

/// What a service plays, for the time after a restart or a crash. Pure.
struct DeckRecord: Sendable, Equatable {
    /// The targets to play, the current one first: episodes by their numbers, paths and addresses.
    var targets: [String] = []
    /// The scope and the choice of the targets that are not resolved yet, and the indices of the others. The text has
    /// none of these.
    var scope = LibraryTargets.Scope.everything
    var episode: EpisodeChoice?
    var resolved: Set<Int> = []
    /// The ends that the listener chose, by the indices of the targets.
    var ends: [Int: TimeTarget] = [:]
    /// The list with which playback continues after the targets.
    var nextList: LibraryTargets.List?
    /// The episodes that were played or skipped: the list does not add them again.
    var passed: Set<Int64> = []
    /// The position in the first target.
    var position: Duration?
    /// The packet from which an estimated position counts; `nil` for an exact one.
    var anchor: TimeAnchor?
    var isPlaying = false
    /// The volume of the player, or one that was chosen without a player and is not remembered; `nil` for the
    /// remembered one.
    var volume: Double?
    var repeatMode = RepeatMode.off
    /// The processing that the listener chose instead of the settings of the podcast.
    var sound = SoundChanges()
    var sleep: SleepTimer?
    var output: OutputOption?
    /// True for a chosen output until an item sounds on it.
    var isOutputSilent = false
    /// True until playback is stopped or ends, or the service quits: it continues here. Such a record of a past process
    /// means a crash.
    var isOpen = false
    /// The wall clock of the record, in seconds since 1970.
    var time: Int64 = 0
    /// The identity of the running system.
    var boot = ""
    /// The time of the last restart that continued with the current target.
    var restarted: Int64?
}

extension DeckRecord {
    /// The longest time between the last record and a restart that continues.
    private static let longestAbsence: Int64 = 60
    /// The time in which a second crash with the same item leaves it paused.
    private static let crashInterval: Int64 = 300

    /// What a restarted service does.
    enum Recovery: Sendable, Equatable {
        /// Nothing, and playback does not continue here.
        case none
        /// Nothing until the listener wants sound. Playback then continues here.
        case wait
        case play
        /// Opens the player without sound, for this reason.
        case pause(String)
    }

    /// Returns what to do after a start at a time.
    func recovery(at now: Int64, boot: String) -> Recovery {
        guard isOpen, boot == self.boot, !targets.isEmpty else { return .none }
        guard isPlaying, (0...Self.longestAbsence).contains(now - time) else { return .wait }
        if let restarted, (0...Self.crashInterval).contains(now - restarted) {
            return .pause("earshot ended unexpectedly twice while playing this item, so it is paused")
        }
        return .play
    }

    /// Creates a record with the processing of the sound and the sleep timer of a player.
    init(processingLike status: PlayerStatus) { (sound, sleep) = (status.soundChanges, status.sleep) }

    /// The volume of the next player, which has the volume of a playback that continues; `nil` for the remembered one.
    var nextVolume: Double? { isOpen ? volume : nil }

    /// Notes that the player has stopped.
    /// - Parameters:
    ///   - isOver: true if playback was stopped or has ended, so that it does not continue here.
    ///   - isReleased: true after a long pause, after which the settings of the sound apply again.
    mutating func close(isOver: Bool, isReleased: Bool) {
        isPlaying = false
        if isOver { (isOpen, passed) = (false, []) }
        if isReleased { (sound, sleep) = (SoundChanges(), nil) }
    }

    /// Follows the queue while no player does: an episode that has left it may be added again.
    mutating func follow(queue: [Int64]) { if nextList == .queue { passed.formIntersection(queue) } }

    /// Sets the position in the first target: that of a player. While it has none, that is the place before the pending
    /// seek or, before the first sound, the start of the item if it has a fixed one.
    mutating func setPosition(_ status: PlayerStatus) {
        let start = status.position == nil ? status.seekOrigin ?? status.item?.fixedStart : nil
        position = status.position ?? start?.position(within: status.duration)
        anchor = start?.anchor ?? status.anchor
    }

    /// The request that continues.
    var request: PlayRequest {
        var request = PlayRequest()
        (request.targets, request.ends, request.nextList, request.passed) = (targets, ends, nextList, passed)
        (request.scope, request.episode, request.resolved) = (scope, episode, resolved)
        let start = position.map { TimeTarget($0, from: anchor) }
        if isInLibrary { request.lastPosition = start } else { request.from = start.map { .time($0) } }
        return request
    }

    /// True if the text says what the targets name.
    var isWritable: Bool { scope == .everything && episode == nil }

    /// True if the first target is an episode of the library, which keeps the position as well, unless the episode was
    /// played before and has just been started again.
    var isInLibrary: Bool { targets.first?.allSatisfy(\.isNumber) ?? true }
}

// MARK: Text
extension DeckRecord {
    /// Parses lines such as `target 41`. Unknown lines are ignored, because a later version may write them.
    init(parsing text: String) {
        for line in text.split(separator: "\n") {
            let parts = line.split(separator: " ", maxSplits: 1).map(String.init)
            guard parts.count == 2 else { continue }
            read(parts[0], parts[1])
        }
    }

    private mutating func read(_ name: String, _ value: String) {
        switch name {
        case "target": targets.append(value)
        // The end in the target before this line.
        case "until": if let last = targets.indices.last { ends[last] = try? TimeTarget(parsing: value) }
        case "queue": if value == "yes" { nextList = .queue }
        case "smart": nextList = .smartQueue(named: value)
        case "passed": if let episode = Int64(value) { passed.insert(episode) }
        case "position": position = Int64(value).flatMap { (0...1 << 40).contains($0) ? .milliseconds($0) : nil }
        case "anchor": anchor = TimeAnchor(text: value)
        case "playing": isPlaying = value == "yes"
        case "volume": volume = Int(value).flatMap { (0...150).contains($0) ? Double($0) / 100 : nil }
        case "repeat": repeatMode = RepeatMode(rawValue: value) ?? .off
        case "speed", "trim-silence", "loudness", "voice-boost", "sleep":
            choose(try? PlayerCommand(parsing: "\(name) \(value)"))
        case "output": output = try? OutputOption.device(value)
        case "silent": isOutputSilent = value == "yes"
        case "open": isOpen = value == "yes"
        case "time": time = Self.time(value) ?? 0
        case "boot": boot = value
        case "restarted": restarted = Self.time(value)
        default: break
        }
    }

    private mutating func choose(_ command: PlayerCommand?) {
        switch command {
        case .setSpeed(let speed): sound.speed = speed
        case .changeSound(let changes): sound.formUnion(changes)
        case .setSleep(let timer): sleep = timer
        default: break
        }
    }

    /// Parses a time whose differences cannot overflow: a damaged file must not end the service.
    private static func time(_ value: String) -> Int64? { Int64(value).flatMap { 0...1 << 40 ~= $0 ? $0 : nil } }

    var text: String {
        func word(_ value: Bool) -> String { value ? "yes" : "no" }
        var lines = [
            "queue \(word(nextList == .queue))", "playing \(word(isPlaying))", "open \(word(isOpen))",
            "repeat \(repeatMode.rawValue)", "time \(time)",
        ]
        if case .smartQueue(let name)? = nextList, !name.contains("\n") { lines.append("smart \(name)") }
        if let volume { lines.append("volume \(Int((volume * 100).rounded()))") }
        if !boot.isEmpty { lines.append("boot \(boot)") }
        if let position { lines.append("position \(position.components.seconds * 1000 + position.milliseconds)") }
        if let anchor { lines.append("anchor \(anchor.text)") }
        if let output { lines.append("output \(output)") }
        if isOutputSilent { lines.append("silent yes") }
        if let restarted { lines.append("restarted \(restarted)") }
        lines += sound.commandLines + [sleep?.commandLine].compactMap { $0 }
        // A line end inside a path would end the target.
        for (index, target) in targets.enumerated() where !target.contains("\n") {
            lines += ["target \(target)"] + [ends[index].map { "until \($0.text)" }].compactMap { $0 }
        }
        lines += passed.sorted().map { "passed \($0)" }
        return lines.joined(separator: "\n") + "\n"
    }
}

extension Duration {
    /// The milliseconds of the part below a second.
    fileprivate var milliseconds: Int64 { components.attoseconds / 1_000_000_000_000_000 }
}
