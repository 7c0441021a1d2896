// SPDX-License-Identifier: GPL-3.0-or-later
public import Playback

/// A command to the player, from a key or a line of `--commands`.
public enum PlayerCommand: Sendable, Equatable {
    case play
    case pause
    case togglePause
    case seek(SeekTarget)
    case next
    case previous
    /// Requests the missing bytes again.
    case retry
    /// Ends a wait for bytes and plays the buffered audio.
    case playNow
    /// Sets the gain, 0 ... 1.5; 1 leaves samples unchanged.
    case setVolume(Double)
    case changeVolume(by: Double)
    /// Removes the item at this position, counted from 0, from the playlist.
    case remove(place: Int)
    /// Moves an item between two positions, counted from 0.
    case move(place: Int, to: Int)
    case setRepeat(RepeatMode)
    case cycleRepeat
    /// Plays a short sound over the current audio.
    case chime
    case quit

    /// Parses `pause`, `play`, `toggle`, `seek +30|-10|45:00|75%`, `next`, `previous`, `retry`, `play-now` (or its
    /// older name `hurry`), `chime`, `volume N` (percent), `remove #N`, `move #N #M` (positions from 1, the `#` is
    /// optional), `repeat off|one|all`, `quit`.
    public init(parsing line: some StringProtocol) throws(ArgumentError) {
        let words = Substring(line).split { $0.isWhitespace }.map(String.init)
        switch (words.first, words.count) {
        case ("play", 1): self = .play
        case ("pause", 1): self = .pause
        case ("toggle", 1): self = .togglePause
        case ("next", 1): self = .next
        case ("previous", 1): self = .previous
        case ("retry", 1): self = .retry
        case ("play-now", 1), ("hurry", 1): self = .playNow
        case ("chime", 1): self = .chime
        case ("quit", 1): self = .quit
        case ("seek", 2): self = .seek(try SeekTarget(parsing: words[1]))
        case ("volume", 2): self = .setVolume(try Self.volume(parsing: words[1]))
        case ("remove", 2): self = .remove(place: try Self.position(parsing: words[1]))
        case ("move", 3):
            self = .move(place: try Self.position(parsing: words[1]), to: try Self.position(parsing: words[2]))
        case ("repeat", 2): self = .setRepeat(try RepeatMode(parsing: words[1]))
        default: throw Self.problem(with: words)
        }
    }

    /// Parses a percentage from 0 to 150, with or without `%`, into a gain.
    public static func volume(parsing text: some StringProtocol) throws(ArgumentError) -> Double {
        let digits = text.hasSuffix("%") ? Substring(text).dropLast() : Substring(text)
        guard let percent = DecimalNumber(digits), percent.double <= 150 else {
            throw ArgumentError("invalid volume \"\(text)\": write a percentage from 0 to 150")
        }
        return percent.double / 100
    }

    /// - Returns: the position counted from 0.
    private static func position(parsing text: String) throws(ArgumentError) -> Int {
        guard let place = Int(text.hasPrefix("#") ? text.dropFirst() : text[...]), place > 0 else {
            throw ArgumentError("invalid playlist position \"\(text)\": the first is #1")
        }
        return place - 1
    }

    private static func problem(with words: [String]) -> ArgumentError {
        let known =
            "pause, play, play-now, toggle, seek, next, previous, retry, chime, volume, remove, move, repeat, quit"
        guard let first = words.first else { return ArgumentError("the line is empty") }
        if first == "move" { return ArgumentError("\"move\" takes two positions") }
        if ["seek", "volume", "remove", "repeat"].contains(first) {
            return ArgumentError("\"\(first)\" takes one value")
        }
        if first == "hurry" || known.split(separator: ", ").contains(Substring(first)) {
            return ArgumentError("\"\(first)\" takes no value")
        }
        let word = PrintableText(first).cut(to: 40, ellipsis: "...").text
        return ArgumentError("unknown command \"\(word)\"; the commands are \(known)")
    }
}
