// SPDX-License-Identifier: GPL-3.0-or-later
public import EpisodeSources

extension EpisodeChoice {
    /// Parses `latest`, `oldest`, `all`, a number, a GUID or words of a title.
    public init(parsing text: String) throws(ArgumentError) {
        switch text {
        case "latest", "newest": self = .latest
        case "oldest": self = .oldest
        case "all": self = .all
        case "":
            throw ArgumentError("the episode is empty: write latest, oldest, all, a number, a GUID or title words")
        default:
            let number = Int(text)
            if let number, number < 1 {
                throw ArgumentError("invalid episode number \"\(text)\": the newest episode is number 1")
            }
            self = number.map(Self.number) ?? .named(text)
        }
    }
}
