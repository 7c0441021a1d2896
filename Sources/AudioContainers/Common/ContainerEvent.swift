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
    /// The chapters of the file's own list; may come more than once.
    case chapters(ContainerChapters)
    /// The gain that the tags of the track state.
    case gain(TrackGain)
    /// Bytes skipped because they are damaged.
    case garbage(ByteRange)
    /// The file cannot be played; the sentence names what it is and why.
    case failed(MediaFailure)
}

extension ContainerEvent {
    /// True for an event that a jump discards; the others describe the file or a track.
    var belongsToPosition: Bool {
        switch self {
        case .packet, .garbage: true
        case .track, .metadata, .chapters, .gain, .failed: false
        }
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
