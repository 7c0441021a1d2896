// SPDX-License-Identifier: GPL-3.0-or-later
public import Media

/// An episode as its feed describes it. Untrusted: the form is cleaned (plain text, absolute URLs), the meaning is
/// not checked.
public struct ParsedEpisode: Sendable, Equatable {
    /// `itunes:episodeType`.
    public enum Kind: String, Sendable {
        case full, trailer, bonus
    }

    /// The GUID, or a substitute for a missing one. A substitute is unique among the feed's episodes.
    public var id: EpisodeID
    /// The GUID as written in the feed, trimmed.
    public var guid: String?
    public var title: String?
    public var published: UTCTime?
    public var duration: Duration?
    public var link: String?
    /// Plain text.
    public var description: String?
    /// The show notes: HTML without scripts, handlers and `javascript:`.
    public var contentHTML: String?
    public var image: String?
    public var season: Int?
    public var number: Int?
    public var kind: Kind?
    public var isExplicit: Bool?
    public var author: String?
    public var enclosures: [ParsedEnclosure] = []
    /// Podlove Simple Chapters, in document order.
    public var chapters: [Chapter] = []
    /// The URL of a JSON chapters document.
    public var chaptersURL: String?
    public var transcripts: [ParsedTranscript] = []
    public var persons: [ParsedPerson] = []
    public var soundbites: [ParsedSoundbite] = []
    public var alternateEnclosures: [ParsedAlternateEnclosure] = []
    public var value: ParsedValue?
    public var socialInteractions: [ParsedSocialInteraction] = []
    public var license: ParsedLicense?
    public var location: ParsedLocation?

    public init(id: EpisodeID) {
        self.id = id
    }
}

/// `podcast:transcript`.
public struct ParsedTranscript: Sendable, Equatable {
    public let url: String
    public let type: String?
    public let language: String?

    public init(url: String, type: String? = nil, language: String? = nil) {
        self.url = url
        self.type = type
        self.language = language
    }
}

/// `podcast:person`.
public struct ParsedPerson: Sendable, Equatable {
    public let name: String
    public let role: String?
    public let group: String?
    public let url: String?
    public let image: String?
}
