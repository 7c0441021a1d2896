// SPDX-License-Identifier: GPL-3.0-or-later
import Media

/// The chapter tracks, whose tables a parser of tags reads after `moov`.
extension MP4Parser {
    mutating func beginChapters(_ movie: MovieBox) {
        chapterWalker = ChapterTrackWalker(movie)
        phase = .chapters
    }

    mutating func readChapters() throws(Interruption) {
        guard try chapterWalker?.step(in: window) != false else { return }
        phase = .done
        guard let tracks = chapterWalker?.tracks,
            let chapters = ContainerChapters(tracks, completing: reportedTags.chapters)
        else { return }
        pending.append(.chapters(chapters))
    }
}
