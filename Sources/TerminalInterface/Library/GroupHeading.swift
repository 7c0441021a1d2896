// SPDX-License-Identifier: GPL-3.0-or-later
public import EpisodeLibrary

/// Headings in a list that is divided by groups of podcasts.
public enum GroupHeading {
    private static let none = "no group"

    /// Returns the elements of each group below its name, in the order of the names; those without a group come last.
    static func sections<Element>(
        _ elements: [Element], groupedBy group: (Element) -> String, lines: ([Element]) -> [ReportText]
    ) -> [ReportText] {
        let sections = Dictionary(grouping: elements, by: group)
            .sorted { ($0.key.isEmpty ? 1 : 0, $0.key) < ($1.key.isEmpty ? 1 : 0, $1.key) }
        return sections.enumerated().flatMap { index, section in
            let name = section.key.isEmpty ? none : PrintableText(section.key).text
            return [.output("\(index == 0 ? "" : "\n")\(name)\n")] + lines(section.value)
        }
    }

    /// Returns the episodes of each group below its name, in the order of the list.
    /// - Parameter podcasts: the podcasts of the episodes.
    public static func plain(
        _ episodes: [EpisodeSummary], podcasts: [PodcastSummary], _ table: EpisodeTable
    ) -> [ReportText] {
        let groups = Dictionary(uniqueKeysWithValues: podcasts.map { ($0.id, PodcastTable.groups($0)) })
        return sections(episodes, groupedBy: { groups[$0.podcast] ?? "" }, lines: table.plain)
    }
}
