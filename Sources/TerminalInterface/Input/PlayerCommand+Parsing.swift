// SPDX-License-Identifier: GPL-3.0-or-later
public import AudioProcessing
public import Playback

/// A line of `--commands`: a word, its values, and their parser.
struct CommandSyntax: Sendable {
    let word: String
    /// The values in the help, for example `#N #M`.
    let values: String
    let help: String
    let parse: @Sendable ([String]) throws(ArgumentError) -> PlayerCommand

    init(
        _ word: String, _ values: String, _ help: String,
        _ parse: @escaping @Sendable ([String]) throws(ArgumentError) -> PlayerCommand
    ) {
        (self.word, self.values, self.help, self.parse) = (word, values, help, parse)
    }

    static let all: [CommandSyntax] = [
        CommandSyntax("play", "", "resume playback") { _ in .play },
        CommandSyntax("pause", "", "pause playback") { _ in .pause },
        CommandSyntax("toggle", "", "pause or resume playback") { _ in .togglePause },
        CommandSyntax("seek", "TIME", "go to 45:00 or 75%, or by +30 or -10 seconds") {
            (values) throws(ArgumentError) in .seek(try SeekTarget(parsing: values[0]))
        },
        CommandSyntax("next", "", "play the next episode") { _ in .next },
        CommandSyntax("previous", "", "play the previous episode") { _ in .previous },
        CommandSyntax("next-chapter", "", "go to the next chapter") { _ in .chapter(.next) },
        CommandSyntax("previous-chapter", "", "go to the start of the chapter, or to the one before") { _ in
            .chapter(.previous)
        },
        CommandSyntax("chapter", "N|TITLE...", "go to a chapter, by its number or words of its title") { values in
            .chapter(ChapterChoice(parsing: values))
        },
        CommandSyntax("retry", "", "retry after a lost connection") { _ in .retry },
        CommandSyntax("play-now", "", "play now instead of buffering more") { _ in .playNow },
        CommandSyntax("bookmark", "[NOTE...]", "bookmark the position 3 seconds ago") { values in
            .mark(note: values.isEmpty ? nil : values.joined(separator: " "))
        },
        CommandSyntax("chime", "", "play a short sound over the audio") { _ in .chime },
        CommandSyntax("volume", "PERCENT", "set the volume, 0 to 150, or change it by +5 or -5") {
            (values) throws(ArgumentError) in try PlayerCommand.changeOfVolume(values[0])
        },
        CommandSyntax("speed", "SPEED", "set the speed, 0.5 to 3.5, or change it by +0.1 or -0.1") {
            (values) throws(ArgumentError) in try PlayerCommand.changeOfSpeed(values[0])
        },
        CommandSyntax("trim-silence", "LEVEL", "shorten pauses: off, mild, medium or strong") {
            (values) throws(ArgumentError) in
            .changeSound(SoundChanges(silenceTrimming: try PlayerCommand.trimming(parsing: values[0])))
        },
        CommandSyntax("loudness", "LUFS", "bring each episode to a loudness, -23 to -14, or off") {
            (values) throws(ArgumentError) in
            .changeSound(SoundChanges(loudness: try PlayerCommand.loudness(parsing: values[0])))
        },
        CommandSyntax("voice-boost", "on|off", "make voices easier to understand in noise") {
            (values) throws(ArgumentError) in
            .changeSound(SoundChanges(boostsVoice: try PlayerCommand.switching(parsing: values[0])))
        },
        CommandSyntax("sleep", "TIME [N]", "pause after 30m, \"chapter\", \"episode\", \"episode 3\"; \"off\"") {
            (values) throws(ArgumentError) in
            values == ["next"] ? .cycleSleep : .setSleep(try SleepTimer.parse(values))
        },
        CommandSyntax("remove", "#N", "remove an item of the playlist") {
            (values) throws(ArgumentError) in .remove(.position(try PlayerCommand.position(parsing: values[0])))
        },
        CommandSyntax("move", "#N #M", "move an item to another position") { (values) throws(ArgumentError) in
            .move(
                .position(try PlayerCommand.position(parsing: values[0])),
                to: try PlayerCommand.position(parsing: values[1]))
        },
        CommandSyntax("repeat", "MODE", "repeat off, one or all") {
            (values) throws(ArgumentError) in
            values == ["next"] ? .cycleRepeat : .setRepeat(try RepeatMode(parsing: values[0]))
        },
        CommandSyntax("quit", "", "end playback") { _ in .stop },
    ]

    /// More words than a line has.
    private static let mostWords = 1 << 16

    /// The number of values that the command takes; those in brackets are optional.
    var valueCounts: ClosedRange<Int> {
        if values.hasSuffix("...") { return 1...Self.mostWords }
        let names = values.split(separator: " ")
        let most = names.last?.hasSuffix("...]") == true ? Self.mostWords : names.count
        return names.count { !$0.hasPrefix("[") }...most
    }

    /// The values that the command takes, in words.
    var arity: String {
        if valueCounts.upperBound == Self.mostWords { return "a number or a title" }
        guard valueCounts.count == 1 else { return "one or two values" }
        return ["no value", "one value", "two positions"][valueCounts.lowerBound]
    }
}

extension ChapterChoice {
    /// Parses the number of a chapter, with or without `#`, or the words of a title.
    init(parsing words: [String]) {
        let text = words.joined(separator: " ")
        let number = Int(text.hasPrefix("#") ? text.dropFirst() : text[...])
        self = number.map { .number($0) } ?? .title(text)
    }
}

extension PlayerCommand {
    /// The commands for the help, one per line.
    public static let help = CommandSyntax.all.map { syntax in
        let usage = "\(syntax.word) \(syntax.values)"
        return "  " + usage + String(repeating: " ", count: max(1, 20 - usage.count)) + syntax.help
    }.joined(separator: "\n")

    /// Parses a line of `--commands`. `hurry` is an older name of `play-now`.
    public init(parsing line: some StringProtocol) throws(ArgumentError) {
        let words = Substring(line).split { $0.isWhitespace }.map(String.init)
        guard let first = words.first else { throw ArgumentError("the line is empty") }
        let syntax = CommandSyntax.all.first { $0.word == (first == "hurry" ? "play-now" : first) }
        guard let syntax else { throw Self.unknown(first) }
        let values = Array(words.dropFirst())
        guard syntax.valueCounts.contains(values.count) else {
            throw ArgumentError("\"\(first)\" takes \(syntax.arity)")
        }
        self = try syntax.parse(values)
    }

    /// Parses a percentage from 0 to 150, with or without `%`, into a gain.
    public static func volume(parsing text: some StringProtocol) throws(ArgumentError) -> Double {
        let digits = text.hasSuffix("%") ? Substring(text).dropLast() : Substring(text)
        guard let percent = DecimalNumber(digits), percent.double <= 150 else {
            throw ArgumentError("invalid volume \"\(text)\": write a percentage from 0 to 150")
        }
        return percent.double / 100
    }

    /// Parses a speed from 0.5 to 3.5, with or without `x` after it.
    public static func speed(parsing text: some StringProtocol) throws(ArgumentError) -> Double {
        let digits = text.hasSuffix("x") || text.hasSuffix("×") ? Substring(text).dropLast() : Substring(text)
        guard let speed = DecimalNumber(digits)?.double, SoundSettings.speeds.contains(speed) else {
            throw ArgumentError("invalid speed \"\(text)\": write a number from 0.5 to 3.5")
        }
        return speed
    }

    /// Parses `off`, `mild`, `medium` or `strong`.
    public static func trimming(parsing text: String) throws(ArgumentError) -> SilenceTrimming {
        guard let level = SilenceTrimming(rawValue: text) else {
            throw ArgumentError("invalid level \"\(text)\": write off, mild, medium or strong")
        }
        return level
    }

    /// Parses a loudness in LUFS from -23 to -14, with or without the sign, or `off`.
    public static func loudness(parsing text: String) throws(ArgumentError) -> SoundChanges.Loudness {
        if text == "off" { return .off }
        let digits = text.hasPrefix("-") ? text.dropFirst() : text[...]
        guard let level = DecimalNumber(digits)?.double, LoudnessNormalization.targets.contains(-level) else {
            throw ArgumentError("invalid loudness \"\(text)\": write a number of LUFS from -23 to -14, or off")
        }
        return .target(-level)
    }

    /// Parses `on` or `off`.
    public static func switching(parsing text: String) throws(ArgumentError) -> Bool {
        guard text == "on" || text == "off" else { throw ArgumentError("invalid value \"\(text)\": write on or off") }
        return text == "on"
    }

    /// Parses a speed, or a change of it that begins with a sign.
    static func changeOfSpeed(_ text: String) throws(ArgumentError) -> PlayerCommand {
        guard let sign = text.first, sign == "+" || sign == "-" else { return .setSpeed(try speed(parsing: text)) }
        guard let step = DecimalNumber(text.dropFirst())?.double, step <= 3 else {
            throw ArgumentError("invalid change of speed \"\(text)\": write it like +0.1")
        }
        return .changeSpeed(by: sign == "-" ? -step : step)
    }

    /// Parses a volume, or a change of it that begins with a sign.
    static func changeOfVolume(_ text: String) throws(ArgumentError) -> PlayerCommand {
        guard let sign = text.first, sign == "+" || sign == "-" else { return .setVolume(try volume(parsing: text)) }
        do throws(ArgumentError) {
            let step = try volume(parsing: text.dropFirst())
            return .changeVolume(by: sign == "-" ? -step : step)
        } catch {
            throw ArgumentError("invalid change of volume \"\(text)\": write it like +5")
        }
    }

    /// Parses a position on the playlist, counted from 1, with or without `#`.
    /// - Returns: the position counted from 0.
    static func position(parsing text: String) throws(ArgumentError) -> Int {
        guard let place = Int(text.hasPrefix("#") ? text.dropFirst() : text[...]), place > 0 else {
            throw ArgumentError("invalid playlist position \"\(text)\": the first is #1")
        }
        return place - 1
    }

    private static func unknown(_ word: String) -> ArgumentError {
        let shown = PrintableText(word).cut(to: 40, ellipsis: "...").text
        let known = CommandSyntax.all.map(\.word).joined(separator: ", ")
        return ArgumentError("unknown command \"\(shown)\"; the commands are \(known)")
    }
}
