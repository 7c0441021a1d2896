// SPDX-License-Identifier: GPL-3.0-or-later

/// Podcasting 2.0.
extension ChannelDraft {
    mutating func applyPodcasting(_ leaf: FeedLeaf) {
        switch leaf.element {
        case .podcastGUID: feed.podcastGUID = feed.podcastGUID ?? leaf.token
        case .podcastFunding:
            leaf.url("url").map { feed.fundings.append(ParsedFunding(url: $0, title: leaf.line)) }
        case .podcastLocked: feed.lock = feed.lock ?? leaf.lock
        case .podcastMedium: feed.medium = feed.medium ?? leaf.keyword
        case .podcastTrailer: leaf.trailer.map { feed.trailers.append($0) }
        case .podcastUpdateFrequency: feed.updateFrequency = feed.updateFrequency ?? leaf.updateFrequency
        default: break
        }
    }
}

extension FeedLeaf {
    fileprivate var lock: ParsedLock? {
        flag.map { ParsedLock(isLocked: $0, owner: token("owner") ?? token("email")) }
    }

    fileprivate var trailer: ParsedTrailer? {
        guard let enclosure = enclosure(url: "url", size: "length") else { return nil }
        var trailer = ParsedTrailer(enclosure: enclosure, title: line)
        trailer.published = date("pubdate")
        trailer.season = ordinal("season")
        return trailer
    }

    fileprivate var updateFrequency: ParsedUpdateFrequency? {
        var frequency = ParsedUpdateFrequency()
        frequency.text = line
        frequency.recurrenceRule = token("rrule")
        frequency.start = date("dtstart")
        frequency.isComplete = flag("complete") ?? false
        return frequency == ParsedUpdateFrequency() ? nil : frequency
    }
}
