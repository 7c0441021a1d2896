// SPDX-License-Identifier: GPL-3.0-or-later
public import Playback

/// What a listener asks of the player, by a key or by a line of `--commands`.
public enum PlayerCommand: Sendable, Equatable {
    case play
    case pause
    case togglePause
    case seek(SeekTarget)
    case next
    case previous
    /// Asks anew for what is missing.
    case retry
    /// Ends a wait for bytes, with what is there.
    case hurry
    /// 0 ... 1.5; 1 leaves every sample as it is.
    case setVolume(Double)
    case changeVolume(by: Double)
    /// Takes the item at this place, counted from 0, off the playlist.
    case remove(place: Int)
    /// Puts the item at one place, counted from 0, at another.
    case move(place: Int, to: Int)
    case setRepeat(RepeatMode)
    case cycleRepeat
    /// A short sound over what is played.
    case chime
    case quit

    /// Reads `pause`, `play`, `toggle`, `seek +30|-10|45:00|75%`, `next`, `previous`, `retry`, `hurry`, `chime`,
    /// `volume N` (percent), `remove #N`, `move #N #M` (places from 1, the `#` may be left out), `repeat off|one|all`,
    /// `quit`.
    public init(parsing line: some StringProtocol) throws(ArgumentError) {
        let words = Substring(line).split { $0.isWhitespace }.map(String.init)
        switch (words.first, words.count) {
        case ("play", 1): self = .play
        case ("pause", 1): self = .pause
        case ("toggle", 1): self = .togglePause
        case ("next", 1): self = .next
        case ("previous", 1): self = .previous
        case ("retry", 1): self = .retry
        case ("hurry", 1): self = .hurry
        case ("chime", 1): self = .chime
        case ("quit", 1): self = .quit
        case ("seek", 2): self = .seek(try SeekTarget(parsing: words[1]))
        case ("volume", 2): self = .setVolume(try Self.volume(parsing: words[1]))
        case ("remove", 2): self = .remove(place: try Self.place(parsing: words[1]))
        case ("move", 3): self = .move(place: try Self.place(parsing: words[1]), to: try Self.place(parsing: words[2]))
        case ("repeat", 2): self = .setRepeat(try RepeatMode(parsing: words[1]))
        default: throw Self.problem(with: words)
        }
    }

    /// Percent, 0 to 150, with or without its sign.
    public static func volume(parsing text: some StringProtocol) throws(ArgumentError) -> Double {
        let digits = text.hasSuffix("%") ? Substring(text).dropLast() : Substring(text)
        guard let percent = DecimalNumber(digits), percent.double <= 150 else {
            throw ArgumentError("'\(text)' is no volume: write a percentage from 0 to 150")
        }
        return percent.double / 100
    }

    /// - Returns: the place counted from 0.
    private static func place(parsing text: String) throws(ArgumentError) -> Int {
        guard let place = Int(text.hasPrefix("#") ? text.dropFirst() : text[...]), place > 0 else {
            throw ArgumentError("'\(text)' is not a place on the playlist: the first is #1")
        }
        return place - 1
    }

    private static func problem(with words: [String]) -> ArgumentError {
        let known = "pause, play, toggle, seek, next, previous, retry, hurry, chime, volume, remove, move, repeat, quit"
        guard let first = words.first else { return ArgumentError("an empty line is no command") }
        if first == "move" { return ArgumentError("'move' takes two places") }
        if ["seek", "volume", "remove", "repeat"].contains(first) {
            return ArgumentError("'\(first)' takes one value")
        }
        if known.split(separator: ", ").contains(Substring(first)) {
            return ArgumentError("'\(first)' takes no value")
        }
        let word = PrintableText(first).cut(to: 40, ellipsis: "...").text
        return ArgumentError("'\(word)' is no command: there are \(known)")
    }
}
