// SPDX-License-Identifier: GPL-3.0-or-later
import ArgumentParser
import Playback
import Sessions
import TerminalInterface

struct PauseCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "pause", abstract: "Pause the playback of another terminal.",
        discussion: """
            Controls the "earshot play" that started first, from any terminal or script. So do resume, toggle, stop, \
            next, previous, seek, chapter, volume, speed and sleep.

            For example:
              earshot pause
              earshot toggle
            """)

    func run() async throws { try await ControlSession.send(.pause).check() }
}

struct ResumeCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "resume", abstract: "Resume playback after a pause.",
        discussion: """
            For example:
              earshot resume
            """)

    func run() async throws { try await ControlSession.send(.resume).check() }
}

struct ToggleCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "toggle", abstract: "Pause or resume playback.",
        discussion: """
            For example:
              earshot toggle
            """)

    func run() async throws { try await ControlSession.send(.toggle).check() }
}

struct StopCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "stop", abstract: "End playback and keep the position.",
        discussion: """
            For example:
              earshot stop
            """)

    func run() async throws { try await ControlSession.send(.stop).check() }
}

struct NextCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "next", abstract: "Play the next episode.",
        discussion: """
            For example:
              earshot next
            """)

    func run() async throws { try await ControlSession.send(.next).check() }
}

struct PreviousCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "previous", abstract: "Return to the start of the episode, or to the previous one.",
        discussion: """
            For example:
              earshot previous
            """)

    func run() async throws { try await ControlSession.send(.previous).check() }
}

/// A single value that may begin with `-`.
private func single(_ values: [String], _ meaning: String) throws -> String {
    let values = values.withoutTerminator
    guard let value = values.first, values.count == 1 else { throw ValidationError("Specify \(meaning).") }
    return value
}

struct SeekCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "seek", abstract: "Go to another place in the episode.", usage: "earshot seek TIME",
        discussion: """
            For example:
              earshot seek 45:00
              earshot seek +30
              earshot seek 75%
            """)

    @Argument(
        parsing: .allUnrecognized,
        help: ArgumentHelp("45:00, 1:02:03, 2700, 75%, or +30 and -10 seconds.", valueName: "time"))
    var time: [String] = []

    func validate() throws {
        let time = try single(time, "one time")
        _ = try validated { () throws(ArgumentError) in try PlayerCommand(parsing: "seek \(time)") }
    }

    func run() async throws { try await ControlSession.send(.seek(single(time, "one time"))).check() }
}

struct VolumeCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "volume", abstract: "Set the volume, or change it.", usage: "earshot volume PERCENT",
        discussion: """
            For example:
              earshot volume 80
              earshot volume +5
              earshot volume -5
            """)

    @Argument(
        parsing: .allUnrecognized,
        help: ArgumentHelp("A percentage from 0 to 150, or a change like +5.", valueName: "percent"))
    var percent: [String] = []

    func validate() throws { _ = try order() }

    func run() async throws { try await ControlSession.send(try order()).check() }

    private func order() throws -> ControlSession.Order {
        let text = try single(percent, "one percentage")
        guard text.hasPrefix("+") || text.hasPrefix("-") else {
            let volume = try validated { () throws(ArgumentError) in try PlayerCommand.volume(parsing: text) }
            return .setVolume(percent: Int64((volume * 100).rounded()))
        }
        let digits = text.hasSuffix("%") ? text.dropLast() : text[...]
        guard let change = Int64(digits), (-150...150).contains(change) else {
            throw ValidationError("Invalid change of the volume \"\(text)\": write it like +5.")
        }
        return .changeVolume(by: change)
    }
}

struct SpeedCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "speed", abstract: "Set the speed, or change it.", usage: "earshot speed SPEED",
        discussion: """
            For example:
              earshot speed 1.5
              earshot speed +0.1
            """)

    @Argument(
        parsing: .allUnrecognized,
        help: ArgumentHelp("A speed from 0.5 to 3.5, or a change like +0.1.", valueName: "speed"))
    var speed: [String] = []

    func validate() throws {
        let speed = try single(speed, "one speed")
        _ = try validated { () throws(ArgumentError) in try PlayerCommand(parsing: "speed \(speed)") }
    }

    func run() async throws { try await ControlSession.send(.speed(single(speed, "one speed"))).check() }
}

struct ChapterCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "chapter", abstract: "Go to a chapter of the episode.",
        usage: "earshot chapter next|previous|NUMBER|TITLE",
        discussion: """
            For example:
              earshot chapter next
              earshot chapter 3
              earshot chapter news
            """)

    @Argument(
        help: ArgumentHelp("next, previous, the number of a chapter, or words of its title.", valueName: "chapter"))
    var chapter: [String]

    func validate() throws {
        _ = try validated { () throws(ArgumentError) in try PlayerCommand(parsing: line) }
    }

    private var line: String {
        let words = chapter.joined(separator: " ")
        return words == "next" || words == "previous" ? "\(words)-chapter" : "chapter \(words)"
    }

    func run() async throws { try await ControlSession.send(.line(line)).check() }
}

struct SleepCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "sleep", abstract: "Set the sleep timer, or turn it off.", usage: "earshot sleep TIME",
        discussion: """
            Playback pauses after a time, or at the end of a chapter or an episode. An episode without chapters \
            counts as one chapter.

            For example:
              earshot sleep 30m
              earshot sleep episode
              earshot sleep chapter 2
              earshot sleep off
            """)

    @Argument(
        help: ArgumentHelp("30m, chapter, chapter 2, episode, episode 3 or off.", valueName: "time"))
    var time: [String]

    func validate() throws {
        _ = try validated { () throws(ArgumentError) in try SleepTimer.parse(words) }
    }

    /// Accepts `"chapter 2"` as one argument, too, as `play --sleep` requires it.
    private var words: [String] { time.flatMap { $0.split(separator: " ").map(String.init) } }

    func run() async throws { try await ControlSession.send(.sleep(words.joined(separator: " "))).check() }
}

struct StatusCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "status", abstract: "Show what is playing.",
        discussion: """
            Exits with status 69 if nothing is playing.

            For example:
              earshot status
              earshot status --follow --format "{state} {title} {position}"
              earshot status --json

            Names in a format: \(RemoteStatusText.names.joined(separator: ", ")).
            {{ and }} stand for braces.
            """)

    @Flag(help: "Write a line after each change, until the player ends (with earshot serve, until the service ends).")
    var follow = false

    @Flag(help: "Write the state as JSON (docs/protocol.md, player.status).")
    var json = false

    @Option(help: ArgumentHelp("The text to write, with names in braces.", valueName: "text"))
    var format: String?

    func validate() throws {
        guard format == nil || !json else { throw ValidationError("Specify --format or --json, not both.") }
        if let name = format.flatMap(RemoteStatusText.unknownName) {
            let names = RemoteStatusText.names.joined(separator: ", ")
            throw ValidationError("Unknown name {\(name)}: write \(names). {{ and }} stand for braces.")
        }
    }

    func run() async throws {
        let report = json ? ControlSession.Report.json : format.map { .format($0) } ?? .line
        try await ControlSession.status(report, follows: follow).check()
    }
}

struct EventsCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "events", abstract: "Write the events of playback as JSON, one per line.",
        discussion: """
            The events are those of docs/protocol.md, until the player ends (with earshot serve, until the service \
            ends).

            For example:
              earshot events
            """)

    func run() async throws { try await ControlSession.events().check() }
}
