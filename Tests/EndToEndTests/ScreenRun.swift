// SPDX-License-Identifier: GPL-3.0-or-later
import EarshotTestSupport
import EpisodeLibrary
import Feeds
import Glibc
import Media

/// The full-screen interface in tmux, with a library of difficult titles.
struct ScreenRun {
    static let titles = [
        "The storm", "日本語のとても長い題名の番組です", "العربية: مرحبا بكم", "हिन्दी में क्षितिज की कहानी", "ที่นี่ประเทศไทย ก็ดีนะ",
        "❤️ 1️⃣ 👍🏽 👨‍👩‍👧‍👦 🏳️‍🌈 🇫🇷 end", String(repeating: "long ", count: 60), "\u{1B}[2J\u{1B}]0;owned\u{7}escape",
    ]

    let earshot: Earshot
    let stage: LibraryStage
    let environment: [String: String]

    init() throws {
        earshot = try Earshot()
        stage = try LibraryStage(folder: "earshot")
        let tales = try stage.subscribe("https://host.example/tales.xml")
        try stage.merge(
            Self.titles.enumerated().map { .numbered(20 - $0.offset, title: $0.element) }, into: tales)
        let news = try stage.subscribe("https://host.example/news.xml")
        try stage.merge([.numbered(9, title: "Whales seen")], into: news, feed: .titled("Sea News"))
        let folder = stage.directory.path
        environment = [
            "XDG_DATA_HOME": folder, "XDG_RUNTIME_DIR": folder, "XDG_STATE_HOME": folder, "XDG_CONFIG_HOME": folder,
            "XDG_CACHE_HOME": folder,
        ]
    }

    /// Opens a window and starts the interface in it.
    func start(
        columns: Int = 80, rows: Int = 24, _ more: [String: String] = [:], command: String = "tui"
    ) throws -> TmuxScreen {
        let screen = try TmuxScreen(columns: columns, rows: rows, environment: environment.merging(more) { $1 })
        try screen.type("\(Earshot.program) \(command)")
        return screen
    }

    /// Starts playback in another process, which owns the control socket.
    func startPlaying(_ target: String = DemoEpisodes.path(1)) throws -> ProgramRun {
        let play = try earshot.start(
            ["play", target, "--output", "null", "--commands", "-", "--keep-dir", earshot.keepPath],
            environment: environment, keepsInput: true, limit: TimeLimit.event * 2)
        // The episode is shorter than a test on a busy machine.
        play.write("repeat one\n")
        return play
    }

    /// The process that owns playback; `nil` if there is none.
    var owner: pid_t? {
        let text = ScratchDirectory.procFile(stage.directory.path + "/earshot/control.lock")
        return pid_t(text.filter { $0 != "\n" })
    }

    func status(_ format: String = "{state}") -> String {
        earshot.status(format, environment: environment)
    }
}

extension String {
    /// The columns of each border in a row of the screen.
    var borderColumns: [Int] {
        var columns: [Int] = []
        var column = 0
        for scalar in unicodeScalars {
            if "│├┬┴┼┤┌┐└┘".unicodeScalars.contains(scalar) { columns.append(column) }
            column += scalar.terminalColumns
        }
        return columns
    }
}
