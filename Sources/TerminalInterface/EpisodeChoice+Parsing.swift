// SPDX-License-Identifier: GPL-3.0-or-later
public import Listening

extension EpisodeChoice {
    /// Reads `latest`, `oldest`, `all`, a number, a GUID or words of a title.
    public init(parsing text: String) throws(ArgumentError) {
        switch text {
        case "latest", "newest": self = .latest
        case "oldest": self = .oldest
        case "all": self = .all
        case "": throw ArgumentError("no episode is called ''")
        default:
            let number = Int(text)
            if let number, number < 1 { throw ArgumentError("'\(text)' is no episode: the newest is number 1") }
            self = number.map(Self.number) ?? .named(text)
        }
    }
}
