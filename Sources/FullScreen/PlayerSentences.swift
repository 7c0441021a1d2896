// SPDX-License-Identifier: GPL-3.0-or-later
import Media
public import Screens
import TerminalInterface

/// The changes of playback as sentences, for a screen reader. A pure value; the passing of time is not a change.
public struct PlayerSentences: Sendable {
    private var last: PlayerState?
    private var isFirst = true

    public init() {}

    /// Returns the sentences about the difference from the last state.
    /// - Parameter player: the state; `nil` if nothing plays.
    public mutating func sentences(_ player: PlayerState?) -> [String] {
        defer { (last, isFirst) = (player, false) }
        guard let player else { return isFirst ? [] : ["Playback has ended."] }
        guard let last else { return [Self.state(player)] }
        if player.activity != last.activity || player.item != last.item { return [Self.state(player)] }
        var sentences: [String] = []
        if player.volumePercent != last.volumePercent { sentences.append("Volume \(player.volumePercent) percent.") }
        if player.speed != last.speed { sentences.append("Speed \(player.speed).") }
        if player.repeatMode != last.repeatMode { sentences.append("Repeat \(player.repeatMode).") }
        if Self.jumped(last, player), let place = Self.place(player) { sentences.append("At \(place).") }
        return sentences
    }

    /// True if the position is not the one that the time since the last state explains.
    private static func jumped(_ last: PlayerState, _ player: PlayerState) -> Bool {
        guard let before = last.position, let now = player.position else { return false }
        let expected = before + (player.at - last.at) * last.rate
        let error = now - expected
        return max(error, .zero - error) > .seconds(2)
    }

    /// Returns the whole state, such as: Playing "Fog" of Harbour Tales, 3:10 of 58:20.
    public static func state(_ player: PlayerState) -> String {
        guard let item = player.item else { return "Nothing is playing." }
        let podcast = item.podcast.map { " of \(PrintableText($0).text)" } ?? ""
        let place = place(player).map { ", \($0)" } ?? ""
        return "\(word(player.activity)) \"\(PrintableText(item.title).text)\"\(podcast)\(place)."
    }

    /// Returns the position and the duration, as far as they are known.
    private static func place(_ player: PlayerState) -> String? {
        let duration = player.duration.value.map { ClockText.time($0) }
        guard let position = player.position.map({ ClockText.time($0) }) else { return duration.map { "\($0) long" } }
        return duration.map { "\(position) of \($0)" } ?? position
    }

    private static func word(_ activity: PlayerState.Activity) -> String {
        switch activity {
        case .idle: "Stopped:"
        case .loading: "Loading"
        case .buffering: "Buffering"
        case .seeking: "Seeking in"
        case .playing: "Playing"
        case .paused: "Paused:"
        case .ended: "Played to the end:"
        case .connectionLost: "The connection was lost while playing"
        case .noDevice: "No sound device for"
        }
    }
}
