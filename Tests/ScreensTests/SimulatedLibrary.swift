// SPDX-License-Identifier: GPL-3.0-or-later
import Media

@testable import Screens

/// A library in memory that answers queries and performs the commands of the screen.
struct SimulatedLibrary {
    static let difficultTitles = [
        "The lighthouse keeper's log",
        "第1回：港の雨と長い長いタイトルのテスト、まだまだ続く話", "المطر على الميناء القديم",
        "पुराने बंदरगाह पर बारिश", "ฝนตกที่ท่าเรือเก่า กำลังน้ำขึ้น",
        "Family \u{1F469}\u{200D}\u{1F469}\u{200D}\u{1F467}\u{200D}\u{1F466} and \u{1F1F3}\u{1F1F4} \u{2614}\u{FE0F}",
        String(repeating: "A very long title without an end, ", count: 9).trimmedTo(300), "",
        "Bell\u{07} \u{1B}[31mred\u{1B}]0;title\u{07}\u{202E}turned", "Fog signals, part one",
    ]

    var podcasts: [PodcastRow] = []
    /// The episodes, newest first.
    var episodes: [EpisodeRow] = []
    var queue: [Int64] = []
    var details = EpisodeDetails()
    var transcript: [TranscriptRow] = []
    var undone = 0
    /// The number of rows that queries have returned.
    var returnedRows = 0

    /// A small library with difficult titles.
    static var sample: SimulatedLibrary {
        var library = SimulatedLibrary()
        library.podcasts = [
            PodcastRow(id: 1, title: "Harbour Tales", unplayed: 9, episodes: 20),
            PodcastRow(id: 2, title: "夜の列車", groups: ["Sea"], unplayed: 4, episodes: 20),
            PodcastRow(
                id: 3, title: "Radio \u{1F468}\u{200D}\u{1F373} Kitchen", groups: ["Sea", "Ports"], unplayed: 6),
            PodcastRow(id: 4, title: "Harvard Bridge", failure: "the server answered 404 Not Found"),
            PodcastRow(id: 5, title: ""),
        ]
        library.episodes = (0..<40).map { episode($0) }
        library.queue = [12, 13, 15]
        for id in library.queue { library.change(id) { $0.isQueued = true } }
        library.details = EpisodeDetails(
            notes: [
                "For three weeks it has not stopped raining. Ana and João walk the old quay with the last master.",
                "港の雨。\u{1B}[2J 長い長い説明文がここに続きます。",
            ],
            chapters: [
                Chapter(start: .zero, title: "Intro"), Chapter(start: .seconds(250), title: "The quay"),
                Chapter(start: .seconds(1295), title: "The master's book"), Chapter(start: .seconds(2400)),
            ], image: "cover.jpg", link: "https://example.org/rain", hasTranscript: true)
        library.transcript = (0..<50).map {
            TranscriptRow(
                start: .seconds($0 * 60), speaker: $0 % 2 == 0 ? "Ana" : nil, text: "Line \($0) about the harbour.")
        }
        return library
    }

    static func large(_ count: Int) -> SimulatedLibrary {
        var library = SimulatedLibrary()
        library.podcasts = (1...500).map { PodcastRow(id: Int64($0), title: "Podcast \($0)", unplayed: 500) }
        library.episodes = (0..<count).map { EpisodeRow(id: Int64($0 + 1), podcast: 1, title: "Episode \($0)") }
        return library
    }

    private static func episode(_ index: Int) -> EpisodeRow {
        EpisodeRow(
            id: Int64(index + 10), podcast: Int64(index % 5 + 1), title: difficultTitles[index % difficultTitles.count],
            podcastTitle: ["Harbour Tales", "夜の列車", "Radio Kitchen", "Harvard Bridge", ""][index % 5],
            published: LocalDay(year: index < 30 ? 2026 : 2024, month: 11 - index % 11, day: 28 - index % 28),
            duration: index % 7 == 6 ? nil : .seconds(600 + index * 431),
            progress: index % 4 == 3 ? .played : index % 4 == 2 ? .started : .unplayed,
            download: index % 5 == 0 ? .complete : index % 5 == 1 ? .partial : index % 9 == 8 ? .failed : nil,
            downloaded: index % 5 == 1 ? 0.43 : nil, failure: index % 9 == 8 ? "the server closed the connection" : nil)
    }

    mutating func change(_ id: Int64, _ change: (inout EpisodeRow) -> Void) {
        guard let index = episodes.firstIndex(where: { $0.id == id }) else { return }
        change(&episodes[index])
    }

    mutating func answer(_ query: LibraryQuery) -> LibraryAnswer {
        switch query {
        case .podcasts: return .podcasts(podcasts)
        case .episodes(let list, let start, let count): return .episodes(page(list, start, count))
        case .details: return .details(details)
        case .transcript: return .transcript(transcript)
        case .counts:
            let new = episodes.count { $0.progress != .played }
            return .counts(LibraryCounts(queued: queue.count, queueTime: .seconds(8160), new: new))
        case .settings:
            return .settings([
                SettingRow(
                    name: "auto-download", value: "2", meaning: "how many of the newest episodes are downloaded"),
                SettingRow(name: "speed", value: "1", meaning: "how fast episodes are played, with unchanged pitch"),
            ])
        }
    }

    private mutating func page(_ list: EpisodeList, _ start: PageStart, _ count: Int) -> EpisodePage {
        let all = rows(list)
        let index =
            switch start {
            case .top: 0
            case .index(let index): min(index, max(0, all.count - 1))
            case .around(let id, let otherwise):
                max(0, (all.firstIndex { $0.id == id } ?? min(otherwise, all.count)) - count / 2)
            }
        let rows = Array(all.dropFirst(index).prefix(count))
        returnedRows += rows.count
        return EpisodePage(rows, start: index, total: start == .top ? rows.count : all.count)
    }

    private func rows(_ list: EpisodeList) -> [EpisodeRow] {
        let all: [EpisodeRow] =
            switch list.source {
            case .all: episodes
            case .podcast(let id): episodes.filter { $0.podcast == id }
            case .new: episodes.filter { $0.progress != .played }
            case .queue: queue.compactMap { id in episodes.first { $0.id == id } }
            case .downloads: episodes.filter { $0.download != nil }
            case .search(let words): words.isEmpty ? [] : episodes.filter { TextMatch.contains($0.title, words) }
            }
        return list.filter.isEmpty ? all : all.filter { TextMatch.contains($0.title, list.filter) }
    }

    /// Performs a command.
    mutating func run(_ arguments: [String]) -> CommandState {
        let id = arguments.last.flatMap { Int64($0) } ?? 0
        switch (arguments.first, arguments.dropFirst().first) {
        case ("queue", "add"), ("queue", "next"):
            if !queue.contains(id) { queue.append(id) }
            change(id) { $0.isQueued = true }
            return Self.done("Added to the queue.")
        case ("queue", "remove"):
            queue.removeAll { $0 == id }
            change(id) { $0.isQueued = false }
            return Self.done("Removed from the queue.")
        case ("mark", let state):
            change(id) { $0.progress = state == "played" ? .played : .unplayed }
            return Self.done("Marked as \(state ?? "").")
        case ("download", _):
            change(id) { $0.download = .complete }
            return Self.done("Downloaded.")
        case ("undo", _):
            undone += 1
            return Self.done("Undone: marked as played.")
        case ("why", _): return .ended(status: 0, output: ["It is in the feed.", "It is not downloaded."], errors: [])
        case ("stats", _):
            let lines = ["heard  saved by pauses  podcast", " 2:02            0:00  Harbour Tales 👨‍🍳"]
            return .ended(status: 0, output: lines, errors: [])
        case ("fail", _): return .ended(status: 75, output: [], errors: ["earshot: the server is away"])
        default: return Self.done("Done.")
        }
    }

    private static func done(_ sentence: String) -> CommandState { .ended(status: 0, output: [sentence], errors: []) }
}

extension String {
    fileprivate func trimmedTo(_ count: Int) -> String { String(prefix(count)) }
}
