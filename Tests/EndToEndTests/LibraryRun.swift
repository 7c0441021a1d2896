// SPDX-License-Identifier: GPL-3.0-or-later
import EarshotTestSupport
import EpisodeLibrary
import Feeds

/// The program with a temporary library that the test fills.
struct LibraryRun {
    private struct Refusal: Error {
        let status: CInt
        let errors: String
    }

    let earshot: Earshot
    let stage: LibraryStage

    /// Creates two podcasts: Harbour Tales with the episodes 1 to 3, the third being the newest, and Sea News with
    /// the fourth.
    init() throws {
        earshot = try Earshot()
        stage = try LibraryStage(folder: "earshot")
        let tales = try stage.subscribe("https://host.example/tales.xml")
        try stage.merge(
            [
                .numbered(3, title: "The storm", notes: "<p>A gull on a rope.</p>"), .numbered(2, title: "Fog"),
                .numbered(1, title: "Tide"),
            ], into: tales)
        let news = try stage.subscribe("https://host.example/news.xml")
        try stage.merge([.numbered(9, title: "Whales seen")], into: news, feed: .titled("Sea News"))
    }

    func run(_ arguments: String...) throws -> ProgramRun.Outcome {
        try earshot.run(arguments, environment: ["XDG_DATA_HOME": stage.directory.path])
    }

    /// Runs a command with `--json`, requires success, and returns its lines.
    func json(_ arguments: String...) throws -> [JSONDocument] {
        let outcome = try earshot.run(
            arguments + ["--json"], environment: ["XDG_DATA_HOME": stage.directory.path])
        guard outcome.status == 0, outcome.errors.isEmpty else {
            throw Refusal(status: outcome.status, errors: outcome.errors)
        }
        return try outcome.outputText.split(separator: "\n").map { try JSONDocument(parsing: $0) }
    }
}

extension [JSONDocument] {
    func numbers(_ key: String) -> [Int] { compactMap { $0[key]?.number.map { Int($0) } } }
}
