// SPDX-License-Identifier: GPL-3.0-or-later
import Media

extension ParsedEpisode {
    /// The enclosure to play: the first one in a format that Earshot plays or does not know, audio before video. If all
    /// have other formats, an alternate enclosure in a format that it plays replaces them.
    public var playableEnclosure: ParsedEnclosure? {
        let candidates = enclosures.filter(\.isPlayable)
        let known = candidates.filter { $0.hasPlayableFormat && !isDescribedAsUnsupported($0) }
        let alternate = alternateEnclosures.lazy.compactMap(\.audio).first
        return known.first { !$0.isVideo } ?? known.first ?? alternate ?? candidates.first
    }

    /// The first alternate enclosure in a format that Earshot plays, other than the enclosure to play.
    public var alternateAudio: ParsedEnclosure? {
        let url = playableEnclosure?.url
        return alternateEnclosures.lazy.compactMap(\.audio).first { $0.url != url }
    }

    /// True if an alternate enclosure that lists the same file names a codec that Earshot does not play: the type of an
    /// `enclosure` rarely states the codec.
    private func isDescribedAsUnsupported(_ enclosure: ParsedEnclosure) -> Bool {
        alternateEnclosures.contains { alternate in
            let isSameFile = alternate.isDefault && enclosure == enclosures.first
            return alternate.codecs.map(UnsupportedAudio.isUnsupported(codecs:)) == true
                && (isSameFile || alternate.sources.contains { $0.uri == enclosure.url })
        }
    }
}

extension ParsedEnclosure {
    fileprivate var isVideo: Bool { type?.hasPrefix("video/") ?? false }
    fileprivate var hasPlayableFormat: Bool { type.flatMap(UnsupportedAudio.name(ofMediaType:)) == nil }
}

extension ParsedAlternateEnclosure {
    /// The first source that can be downloaded; `nil` unless the type is one that Earshot plays.
    public var audio: ParsedEnclosure? {
        guard let type, type.hasPrefix("audio/"), UnsupportedAudio.name(ofMediaType: type) == nil,
            codecs.map(UnsupportedAudio.isUnsupported(codecs:)) != true
        else { return nil }
        let source = sources.first { source in
            ["https://", "http://"].contains { source.uri.lowercased().hasPrefix($0) }
        }
        return source.map { ParsedEnclosure(url: $0.uri, type: type, length: length) }
    }
}
