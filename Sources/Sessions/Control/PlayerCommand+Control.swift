// SPDX-License-Identifier: GPL-3.0-or-later
import ControlProtocol
import DesktopBus
import Media
import Playback
import TerminalInterface

extension PlayerCommand {
    /// Returns the command of a request; `nil` for a request that does not change playback.
    /// - Throws: the error of the reply.
    static func command(of request: ControlRequest) throws(ControlError) -> PlayerCommand? {
        switch request.method {
        case .play: .play
        case .pause: .pause
        case .toggle: .togglePause
        case .stop: .stop
        case .next: .next
        case .previous: .previous
        case .retry: .retry
        case .hurry: .playNow
        case .seek: try command("seek", request.parameters.text("to"))
        case .volume: try volume(request.parameters)
        case .speed: try command("speed", request.parameters.text("to"))
        case .trimSilence: try command("trim-silence", request.parameters.text("level"))
        case .sleep: try command("sleep", request.parameters.text("to"))
        case .repeatMode: try command("repeat", request.parameters.text("mode"))
        case .ping, .describe, .subscribe, .unsubscribe, .status, .serviceStatus, .serviceQuit, .libraryChanged,
            .output, .command, .queueList, .queueAdd, .queueRemove, .queueMove, .queueClear, .libraryPodcasts,
            .libraryEpisodes, .librarySearch, .libraryMark, .downloadsList, .downloadsAdd, .downloadsRemove:
            nil
        }
    }

    private static func volume(_ parameters: ControlParameters) throws(ControlError) -> PlayerCommand {
        switch (parameters.integer("percent"), parameters.integer("by")) {
        case (let percent?, nil): return .setVolume(Double(percent) / 100)
        case (nil, let change?):
            guard parameters.bool("remember") == nil else {
                throw .invalidParameters("\"remember\" requires \"percent\"")
            }
            return .changeVolume(by: Double(change) / 100)
        default: throw .invalidParameters("exactly one of \"percent\" and \"by\" is required")
        }
    }

    /// Parses a line of `--commands`.
    private static func command(_ word: String, _ value: String?) throws(ControlError) -> PlayerCommand {
        do throws(ArgumentError) {
            return try PlayerCommand(parsing: "\(word) \(value ?? "")")
        } catch {
            throw .invalidParameters(error.description)
        }
    }

    /// Creates the command of a request of the desktop; `nil` if it has no effect.
    init?(_ request: MPRISRequest) {
        switch request {
        case .play: self = .play
        case .pause: self = .pause
        case .toggle: self = .togglePause
        case .stop, .quit: self = .stop
        case .next: self = .next
        case .previous: self = .previous
        case .seekBy(let distance): self = .seek(.relative(distance))
        case .seekTo(let position): self = .seek(.absolute(.time(position)))
        case .setVolume(let volume): self = .setVolume(volume)
        case .setLoop(.off): self = .setRepeat(.off)
        case .setLoop(.one): self = .setRepeat(.one)
        case .setLoop(.all): self = .setRepeat(.all)
        case .setSpeed(let speed): self = .setSpeed(speed)
        case .open: return nil
        }
    }
}

extension ControlInput {
    /// The ticket of a command to the player; `nil` for other inputs.
    var commandTicket: ReplyTicket? {
        switch self {
        case .command(_, let ticket): ticket
        case .request(let request): request.isCommand ? request.ticket : nil
        case .snapshotWanted, .ticksWanted, .clientCount, .ownershipLost: nil
        }
    }

    /// True for a line such as `quit`, which stops the player.
    var stopsPlayer: Bool {
        let line: String? =
            switch self {
            case .command(let line, _): line
            case .request(let request): request.method == .command ? request.parameters.text("line") : nil
            case .snapshotWanted, .ticksWanted, .clientCount, .ownershipLost: nil
            }
        return line.flatMap { try? PlayerCommand(parsing: $0) } == PlayerCommand.stop
    }
}

extension ControlRequest {
    /// True if the player executes the request.
    fileprivate var isCommand: Bool { method == .command || (try? PlayerCommand.command(of: self)) != nil }

    /// True for `service.quit` after the end of playback.
    var quitsAtRest: Bool { parameters.text("when") == "idle" }
}
