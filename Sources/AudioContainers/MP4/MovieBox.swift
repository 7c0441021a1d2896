// SPDX-License-Identifier: GPL-3.0-or-later
import MPEGAudio
import Media

/// The content of `moov` that playback needs. Source: ISO/IEC 14496-12 section 8.
struct MovieBox: Sendable {
    /// Units of a second in `mvhd` and in edit lists.
    var timescale: Int64 = 0
    /// A number greater than that of every track; 0 if unknown.
    var nextTrackID: Int64 = 0
    /// The sound and text tracks, and those of pictures if they are read, in the order of the file.
    var tracks: [TrackBox] = []
    /// The tracks of all kinds.
    var trackCount = 0
    /// The defaults of fragments, by track.
    var fragmentDefaults: [Int64: FragmentDefaults] = [:]
    /// True if fragments may follow (`mvex`).
    var isFragmented = false
    /// The duration with all fragments, in units of `timescale`; 0 if unknown.
    var fragmentDuration: Int64 = 0
    var tags = MP4Tags()

    /// The first enabled sound track that Earshot plays, or else the first of them.
    var audio: TrackBox? {
        let playable = tracks.filter(\.isPlayable)
        return playable.first(where: \.isEnabled) ?? playable.first
    }

    static let damaged = MediaFailure(.badData, "the index of this MP4 file (moov) is incomplete or damaged")

    /// The failure of the first sound track that Earshot could play if it were whole.
    var damage: MediaFailure? {
        tracks.lazy.filter(\.isSound).compactMap { track -> MediaFailure? in
            switch track.description {
            case .rejected: nil
            case .damaged(let failure): failure
            case .audio, .unconfigured, nil: Self.damaged
            }
        }.first
    }

    /// The failure of the first sound track that Earshot cannot play, or that of a file without sound.
    var rejection: MediaFailure? {
        tracks.lazy.compactMap { if case .rejected(let failure) = $0.description { failure } else { nil } }.first
            ?? (trackCount > 0 ? MediaFailure(.badData, "this MP4 file contains no audio") : nil)
    }
}

/// The content of `trak` that playback needs.
struct TrackBox: Sendable {
    /// An entry of `elst`. Source: ISO/IEC 14496-12 section 8.6.6.
    struct Edit: Sendable, Equatable {
        /// In units of the movie's timescale; 0 in a fragmented file: up to the end.
        var duration: Int64
        /// The first media time to present, in units of the media timescale; −1 for an empty edit.
        var mediaTime: Int64
    }

    var id: Int64 = 0
    var isEnabled = false
    var handler: FourCC?
    /// Units of a second in the track's tables.
    var timescale: Int64 = 0
    /// The sum of the samples' durations according to `mdhd`; 0 if unknown.
    var duration: Int64 = 0
    /// `nil` without an edit list.
    var edits: [Edit]?
    /// The entries of `stsd`.
    var descriptions: [SoundDescription] = []
    /// The number of the entry that `trex` states for fragments, from 1.
    var fragmentDescription: Int64 = 1
    var samples = SampleTable.Boxes()
    /// The tracks whose samples are the titles, links and pictures of chapters.
    var chapterTracks: [Int64] = []
    /// The media type of the samples if each is a picture.
    var pictureType: String?

    var isSound: Bool { handler == "soun" }
    var isText: Bool { handler == "text" || handler == "sbtl" }
    var isVideo: Bool { handler == "vide" }
    /// True unless the samples are moving pictures or unknown data. The description of pictures precedes their tables.
    var hasReadableSamples: Bool { isSound || isText || pictureType != nil }

    /// The description of the first sample; an unknown entry counts as the first one. Source: ISO/IEC 14496-12 section
    /// 8.7.4.
    var description: SoundDescription? {
        let chunks = samples.chunks.flatMap { $0.count > 0 ? ChunkRun($0, 0).description : nil }
        return description(numbered: chunks ?? fragmentDescription) ?? descriptions.first
    }

    /// Returns an entry of `stsd` by its number from 1; `nil` if there is none.
    func description(numbered number: Int64) -> SoundDescription? {
        let index = Int(number - 1)
        return descriptions.indices.contains(index) ? descriptions[index] : nil
    }

    var isPlayable: Bool { isSound && timescale > 0 && description?.codec != nil }

    /// True if the tables but `stco` are known.
    var hasSizes: Bool { samples.times != nil && samples.chunks != nil && samples.sizes != nil }
}

/// The defaults of a track's samples in fragments. Source: ISO/IEC 14496-12 sections 8.8.3 and 8.8.7.
struct FragmentDefaults: Sendable, Equatable {
    var duration: Int64 = 0
    var size: Int64 = 0
    /// The number of the sample description, from 1.
    var description: Int64 = 1
}

/// The tags of the file.
struct MP4Tags: Sendable, Equatable {
    var metadata = AudioMetadata()
    var gapless: MP4Gapless?
    var gains = GainTags()
    /// The chapters of Nero's list.
    var chapters: [Chapter] = []
}

/// The comment "iTunSMPB" of iTunes: counts in units of the media timescale.
struct MP4Gapless: Sendable, Equatable {
    /// Frames to drop at the start.
    var delay: Int64
    /// Frames of music after them.
    var frames: Int64

    /// - Returns: `nil` if the text is damaged, or states an implausible delay.
    init?(_ text: String) {
        guard let comment = ITunSMPB(text: text.utf8), (0...Self.longestDelay).contains(comment.delay),
            (1..<ByteWindow.farthest).contains(comment.frames)
        else { return nil }
        (delay, frames) = (comment.delay, comment.frames)
    }

    /// The maximum believed delay: one second at 48 kHz, more than any encoder adds.
    private static let longestDelay: Int64 = 48000
}
