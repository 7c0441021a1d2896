// SPDX-License-Identifier: GPL-3.0-or-later
import MPEGAudio
import Media
import Playback

/// The source of one episode on the playlist.
struct EnclosureSource: ItemSource {
    let episode: ResolvedEpisode
    let sources: EnclosureSources

    var feed: String? { if case .remote(let enclosure) = episode.origin { enclosure.feed } else { nil } }

    func open() throws(MediaFailure) -> any ByteSource { try sources.source(of: episode) }
    func alternative() -> (any ItemSource)? {
        sources.alternative(to: episode).map { EnclosureSource(episode: $0, sources: sources) }
    }
    func knownFormat(isSoundDue: Bool) -> AudioFormat? { sources.knownFormat(of: episode, isSoundDue: isSoundDue) }
    func keptIndex() -> KeptFrameIndex? { sources.keptIndex(of: episode) }
    func chapterLists() -> [ChapterList] { sources.chapterLists(of: episode) }
    func onNewChapters(_ changed: @escaping @Sendable () -> Void) { sources.onNewChapters(of: episode, changed) }
    func keep(_ index: KeptFrameIndex) { sources.keep(index, of: episode) }
    func knownLoudness() -> KnownLoudness { sources.knownLoudness(of: episode) }
    func keep(_ loudness: KeptLoudness) { sources.keep(loudness, of: episode) }
}
