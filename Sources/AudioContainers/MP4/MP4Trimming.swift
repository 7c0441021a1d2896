// SPDX-License-Identifier: GPL-3.0-or-later
import Media

/// The decoded frames to play: the decision between the edit list, iTunes' comment and the media duration.
///
/// Several edits present several parts of the media. Each part is played once, in the order of the media, and what lies
/// between them is left out.
///
/// The start is, in this order:
/// 1. the media time of the edit list (ISO/IEC 14496-12 section 8.6.6; QuickTime File Format, appendix G). FFmpeg
///    writes 1024 for its AAC encoder, Apple 2112. Empty edits delay the track against a video; they are ignored. So is
///    a time of 0 for Opus, which FFmpeg copies from WebM: a decoder drops the pre-skip there.
/// 2. the delay of iTunSMPB, which counts in units of the media timescale.
/// 3. the pre-skip of Opus.
/// 4. 0. Apple's players assume 2112 frames here, others none; a cut into the music is worse than a delay.
///
/// SBR delays the decoded sound by 481 frames of the core. iTunes, qaac and fdkaac leave them out of both statements
/// and count in the core's rate: a media time of 2112 in a timescale of 22050 Hz means (2112 + 481) · 2 = 5186 frames
/// at 44100 Hz (nu774/qaac, issue 84). So the delay is added if the timescale is half of the decoded rate; a writer
/// that counts in the decoded rate counts what its decoder returns.
///
/// The end is that of the edit list. Its duration is rounded to the movie's timescale (often 1/1000 or 1/600 s), so
/// iTunSMPB or the media duration replaces it if it agrees within that rounding. Without both statements, and in an
/// edit list that reaches to the end or beyond it, the media duration counts if it ends in the last packet: FFmpeg
/// shortens the duration of the last sample.
///
/// In a file that was joined from several, the durations of the samples leave out the padding between the parts
/// (`JoinedParts`). The media times then count what is left.
struct MP4Trimming: Sendable, Equatable {
    /// The delay of SBR in frames of the core. Source: ISO/IEC 14496-3 section 4.6.18.
    static let bandReplicationDelay: Int64 = 481

    let start: Int64
    /// `nil` for the end of the stream.
    let end: Int64?
    /// The frames between them that are left out, ascending.
    let cuts: [Range<Int64>]

    /// - Parameters:
    ///   - movieTimescale: the unit of the durations in the edit list.
    ///   - total: all decoded frames; `nil` if unknown (fragments).
    ///   - omissions: the parts of the media that the sample durations omit, in ascending order. They are media times
    ///     that count these parts, too.
    init(
        _ track: TrackBox, movieTimescale: Int64, gapless: MP4Gapless?, clock: TrackClock, codec: AudioCodec,
        total: Int64?, omissions: [Range<Int64>] = []
    ) {
        let times = MediaTimes(clock: clock, omissions: omissions)
        let edit = MediaEdit(track.edits ?? [], movieTimescale: movieTimescale, timescale: track.timescale)
        let endsInLastPacket =
            total.map { (0..<(clock.packetFrames ?? 1)).contains($0 - times.frame(at: track.duration)) } ?? false
        let preSkip = Self.preSkip(of: codec)
        let stated = edit?.start ?? gapless?.delay
        let first = stated == 0 && preSkip > 0 ? nil : stated
        let last = Self.mediaEnd(edit, gapless, duration: track.duration, endsInLastPacket: endsInLastPacket)
        let delay = first == nil ? 0 : Self.delay(of: codec, clock)
        let start = first.map { times.frame(at: $0) + delay } ?? preSkip
        let end = last.map { times.frame(at: $0) + delay }
        // Statements that leave nothing to play are ignored.
        let isEmpty = end.map { $0 <= start } ?? false || total.map { $0 <= start } ?? false
        self.start = isEmpty ? 0 : start
        self.end = isEmpty || (total ?? .max) <= end ?? .max ? nil : end
        let played = start..<max(start, min(end ?? .max, total ?? .max))
        let cuts =
            (edit?.cuts ?? []).map { times.frame(at: $0.lowerBound) + delay..<times.frame(at: $0.upperBound) + delay }
            + omissions.map { (clock.frame(at: $0.lowerBound) + delay)..<(clock.frame(at: $0.upperBound) + delay) }
        self.cuts = isEmpty ? [] : ByteRangeSet(cuts.map { $0.clamped(to: played) }).ranges
    }

    /// Returns the media time of the end; `nil` for the end of the stream.
    /// - Parameters:
    ///   - duration: the duration of the media, 0 if it is unknown.
    ///   - endsInLastPacket: true if the duration ends in the last packet.
    private static func mediaEnd(
        _ edit: MediaEdit?, _ gapless: MP4Gapless?, duration: Int64, endsInLastPacket: Bool
    ) -> Int64? {
        if let gapless, edit?.start ?? gapless.delay == gapless.delay,
            edit?.mayEnd(at: gapless.delay + gapless.frames) ?? true
        {
            return gapless.delay + gapless.frames
        }
        guard let edit else { return endsInLastPacket ? duration : nil }
        let isRounded = edit.end != nil && duration > 0 && edit.mayEnd(at: duration)
        return isRounded || endsInLastPacket && edit.reaches(duration) ? duration : edit.end
    }

    private static func preSkip(of codec: AudioCodec) -> Int64 {
        if case .opus(let head) = codec { Int64(head.preSkip) } else { 0 }
    }

    private static func delay(of codec: AudioCodec, _ clock: TrackClock) -> Int64 {
        guard case .aac(let config) = codec, config.format.sampleRate == 2 * config.coreSampleRate,
            clock.timescale == Int64(config.coreSampleRate)
        else { return 0 }
        return bandReplicationDelay * 2
    }
}

/// The media times of a track whose sample durations may leave out parts.
private struct MediaTimes {
    let clock: TrackClock
    /// The omitted parts, in ascending order. They are media times that count these parts, too.
    let omissions: [Range<Int64>]

    /// Returns the decoded frame at a media time.
    func frame(at time: Int64) -> Int64 { clock.frame(at: omissions.expand(time)) }
}

/// The media that an edit list presents: from the first to the last presented time, in units of the media timescale.
private struct MediaEdit {
    private(set) var start = Int64.max
    /// `nil` if the last edit reaches to the end.
    private(set) var end: Int64?
    /// The times in between that no edit presents, ascending.
    private(set) var cuts: [Range<Int64>] = []
    /// The greatest error of `end`.
    private let rounding: Int64

    /// - Returns: `nil` if no edit presents media.
    init?(_ edits: [TrackBox.Edit], movieTimescale: Int64, timescale: Int64) {
        guard movieTimescale > 0 else { return nil }
        rounding = timescale / movieTimescale + 1
        let parts = edits.filter { $0.mediaTime >= 0 }.sorted { $0.mediaTime < $1.mediaTime }
        guard let first = parts.first else { return nil }
        (start, end) = (first.mediaTime, first.mediaTime)
        for part in parts {
            guard let reached = end else { return }
            // A shorter distance is an error of rounding.
            if part.mediaTime - reached > rounding { cuts.append(reached..<part.mediaTime) }
            let duration = part.duration.scaled(by: timescale, over: movieTimescale)
            end = part.duration > 0 ? max(reached, part.mediaTime + duration) : nil
        }
    }

    /// Returns true if the last edit ends at a time or later.
    func reaches(_ time: Int64) -> Bool { end.map { $0 >= time } ?? true }

    /// Returns true if the last edit may end at a time, because its duration is rounded.
    func mayEnd(at time: Int64) -> Bool { end.map { abs($0 - time) <= rounding } ?? true }
}
