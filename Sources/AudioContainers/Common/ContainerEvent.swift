// SPDX-License-Identifier: GPL-3.0-or-later
public import Media

/// An event of a `ContainerParser`, in the order of playback.
public enum ContainerEvent: Sendable, Equatable {
    /// The audio track, before its first packet. A chained Ogg stream has several. An event with the ordinal of the
    /// current track replaces it: a part of the file read later states the end more exactly.
    case track(AudioTrack)
    case packet(AudioPacket)
    /// Tags and cover; may come more than once.
    case metadata(AudioMetadata)
    /// The chapters that the file lists, in its order.
    case chapters([ContainerChapter])
    /// ReplayGain or R128 gain of the track in dB, to be added to the samples' level.
    case gain(TrackGain)
    /// Bytes skipped because they are damaged.
    case garbage(ByteRange)
    /// The file cannot be played; the sentence names what it is and why.
    case failed(MediaFailure)
}

/// A gain that the file's own tags state.
public struct TrackGain: Sendable, Equatable {
    /// The loudness that the gain leads to.
    public enum Reference: Sendable, Equatable, CaseIterable {
        /// ReplayGain 2.0: −18 LUFS.
        case replayGain
        /// EBU R 128, RFC 7845 section 5.2.1: −23 LUFS.
        case r128
    }

    /// The gain in dB.
    public var decibels: Double
    public var reference: Reference

    public init(decibels: Double, reference: Reference) {
        (self.decibels, self.reference) = (decibels, reference)
    }
}

/// A chapter of the file's own list.
public struct ContainerChapter: Sendable, Equatable {
    /// The start, from the beginning of the presentation.
    public var start: Duration
    public var title: String

    public init(start: Duration, title: String) {
        (self.start, self.title) = (start, title)
    }
}

/// A place at which reading can resume exactly: the position of a packet.
public struct ContainerPoint: Sendable, Equatable {
    /// The first decoded frame of the packet, numbered as in `AudioPacket`.
    public var frame: Int64
    /// The offset at which reading resumes: of the packet's header (ADTS, FLAC), of its page (Ogg), of its fragment or
    /// of the movie box that lists it (MP4).
    public var offset: Int64
    /// The number of the packet from there on, from 0.
    public var index: Int64

    public init(frame: Int64, offset: Int64, index: Int64 = 0) {
        (self.frame, self.offset, self.index) = (frame, offset, index)
    }
}

/// A length in PCM frames with its accuracy; compare `MediaDuration`.
public enum TrackLength: Sendable, Equatable {
    case unknown
    /// Computed from a mean bit rate.
    case estimated(Int64)
    /// Stated by the container's tables and not contradicted so far.
    case declared(Int64)
    /// Counted up to the end of the file.
    case exact(Int64)
}
