// SPDX-License-Identifier: GPL-3.0-or-later
import Media

/// Podcasting 2.0.
///
/// Source: github.com/Podcastindex-org/podcast-namespace, the pages of the tags.
extension EpisodeDraft {
    mutating func applyPodcasting(_ leaf: FeedLeaf) {
        switch leaf.element {
        case .podcastChapters: episode.chaptersURL = episode.chaptersURL ?? leaf.url("url")
        case .podcastTranscript: leaf.transcript.map { episode.transcripts.append($0) }
        case .podcastSoundbite: leaf.soundbite.map { episode.soundbites.append($0) }
        case .podcastSocialInteract: leaf.socialInteraction.map { episode.socialInteractions.append($0) }
        case .podcastContentLink:
            leaf.url("href").map { contentLinks.append(ParsedLiveItem.ContentLink(url: $0, title: leaf.line)) }
        case .podcastAlternateEnclosure:
            alternateEnclosure.finished(leaf).map { episode.alternateEnclosures.append($0) }
        default: break
        }
    }
}

/// The elements that episodes and shows share, and those that hold a single value.
extension FeedLeaf {
    var transcript: ParsedTranscript? {
        url("url").map { ParsedTranscript(url: $0, type: token("type"), language: token("language")) }
    }

    var podcastPerson: ParsedPerson? {
        line.map {
            ParsedPerson(name: $0, role: token("role"), group: token("group"), url: url("href"), image: url("img"))
        }
    }

    var license: ParsedLicense? {
        token.map { ParsedLicense(identifier: $0, url: url("url")) }
    }

    var location: ParsedLocation? {
        let location = ParsedLocation(name: line, geo: token("geo"), openStreetMap: token("osm"))
        return location == ParsedLocation() ? nil : location
    }

    var soundbite: ParsedSoundbite? {
        guard let start = attributes["starttime"].flatMap({ ItunesDuration.parsePosition($0) }),
            let duration = attributes["duration"].flatMap({ ItunesDuration.parse($0) })
        else { return nil }
        return ParsedSoundbite(start: start, duration: duration, title: line)
    }

    var socialInteraction: ParsedSocialInteraction? {
        guard let platform = token("protocol") ?? token("platform") else { return nil }
        var interaction = ParsedSocialInteraction(platform: platform.lowercased(), uri: url("uri") ?? url)
        interaction.accountID = token("accountid")
        interaction.accountURL = url("accounturl")
        interaction.priority = ordinal("priority")
        return interaction
    }

    var remoteItem: ParsedRemoteItem? {
        var item = ParsedRemoteItem(feedGUID: token("feedguid"), feedURL: url("feedurl"))
        guard item != ParsedRemoteItem() else { return nil }
        item.itemGUID = token("itemguid")
        item.medium = token("medium")?.lowercased()
        item.title = line("title")
        return item
    }

    /// The first picture of a list with widths, in the form of HTML's `srcset`.
    var pictures: String? {
        if let single = url("href") { return single }
        let first = token("srcset")?.split(separator: ",").first?.split(whereSeparator: \.isWhitespace).first
        return first.flatMap { WebURL.resolve(String($0), base: base) }
    }
}
