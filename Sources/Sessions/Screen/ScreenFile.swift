// SPDX-License-Identifier: GPL-3.0-or-later
import Media
import Screens

/// The options of the screen, which it changes itself: a file with lines such as `mouse off`.
struct ScreenFile: Sendable {
    private let file: StateFile
    private(set) var hasMouse = true
    private(set) var hasClock = true

    init(_ file: StateFile) {
        self.file = file
        let lines = Set(file.read().split(separator: "\n").map(String.init))
        hasMouse = !lines.contains("mouse off")
        hasClock = !lines.contains("clock off")
    }

    mutating func set(_ option: ScreenOption) {
        switch option {
        case .mouse(let isOn): hasMouse = isOn
        case .clock(let isOn): hasClock = isOn
        }
    }

    func save() throws(MediaFailure) {
        try file.write("mouse \(hasMouse ? "on" : "off")\nclock \(hasClock ? "on" : "off")\n")
    }
}

/// A command of the listener in the screen.
enum ScreenCommand: Equatable {
    /// The owner of playback plays as `earshot play` with these arguments; without any, it resumes.
    case play([String])
    case background
    /// The command cannot run in the screen, with the reason as a sentence.
    case refused(String)

    init(_ arguments: [String]) {
        let rest = arguments.dropFirst()
        switch arguments.first {
        case "play":
            let names = rest.compactMap { $0.split(separator: "=").first.map(String.init) }
            let reason = names.lazy.compactMap { Self.refusal(ofOption: $0) }.first
            self = reason.map { .refused($0) } ?? .play(Array(rest))
        case "tui": self = .refused("the screen is open")
        case "loop", "serve", "events": self = .refused("earshot \(arguments[0]) needs a terminal of its own")
        case "status" where rest.contains("--follow"): self = .refused("status --follow needs a terminal of its own")
        default: self = .background
        }
    }

    /// Returns the reason why the screen refuses an option of `play`; `nil` if it accepts the option.
    private static func refusal(ofOption name: String) -> String? {
        switch name {
        case "--output", "--keep-dir", "--here":
            "play \(name) plays in its own process, which the screen does not control; use another terminal"
        case "--json", "--show": "play \(name) needs standard output, which the screen uses; use another terminal"
        case "--commands": "play --commands needs standard input, which the screen uses; use another terminal"
        default: nil
        }
    }
}
