// SPDX-License-Identifier: GPL-3.0-or-later
import Media

@testable import Screens

extension SimulatedLibrary {
    /// A library as a listener may have it, for pictures.
    static var harbour: SimulatedLibrary {
        var library = SimulatedLibrary()
        library.podcasts = [
            PodcastRow(id: 1, title: "Harbour Tales", unplayed: 4, episodes: 12),
            PodcastRow(id: 2, title: "The Weather Letters", unplayed: 2, episodes: 8),
            PodcastRow(id: 3, title: "Night Trains", groups: ["Travel"], unplayed: 6, episodes: 9),
            PodcastRow(id: 4, title: "Radio Kitchen", groups: ["Travel"], unplayed: 1, episodes: 7),
            PodcastRow(id: 5, title: "Tiny Engines", unplayed: 3, episodes: 5),
        ]
        library.episodes = harbourTitles.enumerated().map { episode($0, $1) }
        library.queue = [12, 14, 17]
        for id in library.queue { library.change(id) { $0.isQueued = true } }
        library.details = EpisodeDetails(
            notes: [
                "For three weeks it has not stopped raining. Ana and João walk the old quay with the last harbour "
                    + "master, who kept a record of every tide since 1961.",
                "With music by the Dockside Quartet.",
            ],
            chapters: [
                Chapter(start: .zero, title: "Intro"), Chapter(start: .seconds(250), title: "The quay"),
                Chapter(start: .seconds(1295), title: "The master's book"),
                Chapter(start: .seconds(2400), title: "High water"),
            ], link: "https://example.org/rain", hasTranscript: true)
        return library
    }

    private static let harbourTitles = [
        "The lighthouse keeper's log", "First snow, and what it hides", "Rain on the old harbour",
        "The last sleeper to the north", "Bread for forty guests", "A steam pump in the attic",
        "Fog signals, part two", "Fog signals, part one", "Letters from a weather station",
        "Changing wheels at the border", "The net menders", "How a regulator hunts", "Soup at four in the morning",
        "Tides and timetables", "The ferry that never left", "A barometer's confession", "Platform nine, ten past two",
        "What the divers found", "Small fires", "The pilot's apprentice",
    ]

    private static func episode(_ index: Int, _ title: String) -> EpisodeRow {
        let podcast = [1, 2, 1, 3, 4, 5, 1, 1, 2, 3][index % 10]
        let names = ["Harbour Tales", "The Weather Letters", "Night Trains", "Radio Kitchen", "Tiny Engines"]
        return EpisodeRow(
            id: Int64(index + 10), podcast: Int64(podcast), title: title, podcastTitle: names[podcast - 1],
            published: LocalDay(year: 2026, month: index < 12 ? 11 : 10, day: 23 - index % 12 * 2),
            duration: .seconds(1500 + index * 613 % 2700),
            progress: index > 8 ? .played : index % 4 == 2 ? .started : .unplayed,
            download: index % 3 == 0 ? .complete : index == 2 ? .partial : nil, downloaded: index == 2 ? 0.71 : nil)
    }
}
