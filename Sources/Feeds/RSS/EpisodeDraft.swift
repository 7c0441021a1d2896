// SPDX-License-Identifier: GPL-3.0-or-later
import Podcasts

/// What an item has said so far, in any order.
struct EpisodeDraft {
    private var title = Ranked<String>()
    private var guid = Ranked<String>()
    private var link = Ranked<String>()
    private var published = Ranked<UTCTime>()
    private var duration = Ranked<Duration>()
    private var author = Ranked<String>()
    private var image = Ranked<String>()
    private var season = Ranked<Int>()
    private var number = Ranked<Int>()
    private var isExplicit = Ranked<Bool>()
    private var notes = ShowNotesDraft()
    private var enclosures = EnclosureDraft()
    private var episode = ParsedEpisode(id: EpisodeID(rawValue: ""))

    /// - Parameter about: `rdf:about` of RSS 1.0, which is its GUID.
    init(about: [UInt8]?) {
        guid.offer(about.flatMap(PlainText.token), rank: 1)
    }

    mutating func take(_ leaf: FeedLeaf, at path: ElementPath) {
        guard let element = path.element else { return }
        switch element {
        case .mediaContent where path.isIn(.item, through: .mediaGroup): takeMedia(leaf)
        case .mediaThumbnail where path.isIn(.item, through: .mediaGroup): image.offer(leaf.url("url"), rank: 3)
        case .mediaTitle where path.isIn(.item, through: .mediaGroup): title.offer(leaf.line, rank: 3)
        case .simpleChapter where path.isIn(.item, through: .simpleChapters): takeChapter(leaf)
        case .url where path.isIn(.item, through: .image): image.offer(leaf.url, rank: 1)
        case _ where path.parent == .item: takeOwn(leaf, element)
        default: break
        }
    }

    /// - Parameter base: what relative references in the show notes are resolved against.
    func finished(base: String?) -> ParsedEpisode {
        var episode = episode
        episode.title = title.value
        episode.guid = guid.value
        episode.link = link.value
        episode.published = published.value
        episode.duration = duration.value
        episode.author = author.value
        episode.image = image.value
        episode.season = season.value
        episode.number = number.value
        episode.isExplicit = isExplicit.value
        episode.description = notes.description
        episode.contentHTML = notes.contentHTML(base: base)
        episode.enclosures = enclosures.all
        return episode
    }
}

extension EpisodeDraft {
    private mutating func takeOwn(_ leaf: FeedLeaf, _ element: FeedElement) {
        takeWords(leaf, element)
        takeReferences(leaf, element)
        takeFacts(leaf, element)
        takePodcasting(leaf, element)
        notes.take(leaf, element)
    }

    private mutating func takeWords(_ leaf: FeedLeaf, _ element: FeedElement) {
        switch element {
        case .title: title.offer(leaf.line, rank: 0)
        case .itunesTitle: title.offer(leaf.line, rank: 1)
        case .dcTitle: title.offer(leaf.line, rank: 2)
        case .itunesAuthor: author.offer(leaf.person, rank: 0)
        case .author: author.offer(leaf.person, rank: 1)
        case .dcCreator: author.offer(leaf.person, rank: 2)
        case .googleplayAuthor: author.offer(leaf.person, rank: 3)
        case .mediaCredit: author.offer(leaf.person, rank: 4)
        default: break
        }
    }

    private mutating func takeReferences(_ leaf: FeedLeaf, _ element: FeedElement) {
        switch element {
        case .link: link.offer(leaf.url, rank: 0)
        case .atomLink where leaf.relation("alternate"): link.offer(leaf.url("href"), rank: 1)
        case .atomLink where leaf.relation("enclosure"): enclosures.linked(leaf.enclosure(url: "href", size: "length"))
        case .enclosure: enclosures.enclosed(leaf.enclosure(url: "url", size: "length"))
        case .guid: takeGUID(leaf)
        case .itunesImage: image.offer(leaf.picture, rank: 0)
        case .googleplayImage: image.offer(leaf.picture, rank: 2)
        default: break
        }
    }

    private mutating func takeGUID(_ leaf: FeedLeaf) {
        guid.offer(leaf.token, rank: 0)
        let isPermanentLink = leaf.token("ispermalink")?.lowercased() != "false"
        // Without a base: a GUID is a URL by itself or none at all.
        if isPermanentLink { link.offer(WebURL.resolve(leaf.text, base: nil), rank: 2) }
    }

    private mutating func takeFacts(_ leaf: FeedLeaf, _ element: FeedElement) {
        switch element {
        case .pubDate: published.offer(leaf.date, rank: 0)
        case .atomPublished: published.offer(leaf.date, rank: 1)
        case .dcDate: published.offer(leaf.date, rank: 2)
        case .atomUpdated: published.offer(leaf.date, rank: 3)
        case .itunesDuration: duration.offer(ItunesDuration.parse(leaf.text), rank: 0)
        case .itunesSeason: season.offer(leaf.ordinal, rank: 0)
        case .podcastSeason: season.offer(leaf.ordinal, rank: 1)
        case .itunesEpisode: number.offer(leaf.ordinal, rank: 0)
        case .podcastEpisode: number.offer(leaf.ordinal, rank: 1)
        case .itunesEpisodeType: episode.kind = episode.kind ?? leaf.keyword.flatMap(ParsedEpisode.Kind.init)
        case .itunesExplicit: isExplicit.offer(leaf.flag, rank: 0)
        case .googleplayExplicit: isExplicit.offer(leaf.flag, rank: 1)
        default: break
        }
    }

    private mutating func takePodcasting(_ leaf: FeedLeaf, _ element: FeedElement) {
        switch element {
        case .podcastChapters: episode.chaptersURL = episode.chaptersURL ?? leaf.url("url")
        case .podcastTranscript:
            guard let url = leaf.url("url") else { return }
            episode.transcripts.append(
                ParsedTranscript(url: url, type: leaf.token("type"), language: leaf.token("language")))
        case .podcastPerson:
            guard let name = leaf.line else { return }
            episode.persons.append(
                ParsedPerson(
                    name: name, role: leaf.token("role"), group: leaf.token("group"), url: leaf.url("href"),
                    image: leaf.url("img")))
        default: break
        }
    }

    private mutating func takeMedia(_ leaf: FeedLeaf) {
        enclosures.media(leaf.enclosure(url: "url", size: "filesize"), medium: leaf.token("medium"))
        duration.offer(leaf.attributes["duration"].flatMap { ItunesDuration.parse($0) }, rank: 1)
    }

    private mutating func takeChapter(_ leaf: FeedLeaf) {
        guard let start = leaf.attributes["start"].flatMap({ ItunesDuration.parsePosition($0) }) else { return }
        episode.chapters.append(
            ParsedChapter(start: start, title: leaf.line("title"), url: leaf.url("href"), image: leaf.url("image")))
    }
}
