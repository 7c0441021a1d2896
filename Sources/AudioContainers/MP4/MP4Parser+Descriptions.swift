// SPDX-License-Identifier: GPL-3.0-or-later
import Media

/// Samples whose description differs from that of the first one. Each chunk and each fragment names its description,
/// and a file that `cat` has appended has its own. Sources: ISO/IEC 14496-12 sections 8.5.2, 8.7.4 and 8.8.7.
extension MP4Parser {
    /// Ends the stream with a failure before a sample that the decoder of the track cannot decode.
    /// - Parameters:
    ///   - description: the number of the sample's description, from 1. A number without an entry is damage.
    ///   - frame: the first frame of the sample; `nil` if it is unknown.
    /// - Returns: false if the decoder can decode the sample.
    mutating func endsBefore(_ description: Int64, at frame: Int64?) -> Bool {
        guard let trackBox, trackBox.descriptions.count > 1 else { return false }
        return endsBefore(samplesOf: trackBox.description(numbered: description), at: frame)
    }

    /// Reads the `moov` of a file that was appended to this one. Its fragments continue the track.
    mutating func readNextMovie(_ box: BoxHeader) throws(Interruption) {
        hasNextMovie = true
        guard box.bodyLength <= Self.longestNextMovie else { return position = box.end }
        do throws(Interruption) {
            try window.require(box.start..<box.end)
            var walker = MovieWalker(box, coverLimit: 0, readsPictures: false)
            while try !walker.step(in: window) {}
            if endsBefore(samplesOf: continuation(in: walker.movie), at: nextFrame) { return }
        } catch {
            // A damaged one is skipped.
            if case .missing = error { throw error }
        }
        position = box.end
    }

    private static let longestNextMovie: Int64 = 1 << 20

    /// Returns the description of the samples with which another movie continues the track; `nil` without sound.
    private func continuation(in movie: MovieBox) -> SoundDescription? {
        let sounds = movie.tracks.filter(\.isSound)
        guard !sounds.isEmpty else { return nil }
        // Fragments name their track by its number. A movie without fragments may list the samples read so far.
        guard let next = sounds.first(where: { $0.id == trackBox?.id }) else {
            let failure = MediaFailure.unplayable("a second file with another track number in one MP4 file")
            return movie.isFragmented ? .rejected(failure) : nil
        }
        return next.description
    }

    private mutating func endsBefore(samplesOf description: SoundDescription?, at frame: Int64?) -> Bool {
        guard let track, let reason = description?.reason(against: track.codec) else { return false }
        // After a jump, the format may have changed before the first sample.
        let time = lastEnd == nil ? nil : frame.map { track.format.duration(ofFrames: track.playedFrames(before: $0)) }
        endWithHeldPackets()
        let failure = MediaFailure(.badData, (time.map { "from \(Self.text($0)) on, " } ?? "") + reason)
        refusal = failure
        pending.append(.failed(failure))
        phase = .done
        return true
    }

    /// Ends the stream with a failure if the track has no configuration, and its packets last as long as those of
    /// HE-AAC. FFmpeg then states the rate after SBR and the channels after parametric stereo, so those of the core are
    /// unknown.
    /// - Parameter duration: that of the packets in units of the timescale; `nil` if it is unknown.
    mutating func rejectsHEAAC(lasting duration: @autoclosure () -> Int64?) -> Bool {
        guard case .unconfigured? = trackBox?.description, let packetFrames = clock.packetFrames,
            let duration = duration(), clock.frame(at: duration) > packetFrames + packetFrames / 2
        else { return false }
        let failure = MediaFailure.unplayable("HE-AAC without its configuration in MP4")
        refusal = failure
        fail(failure.reason)
        return true
    }

    /// Returns a time in minutes and seconds: "75:03".
    private static func text(_ time: Duration) -> String {
        let (minutes, seconds) = time.components.seconds.quotientAndRemainder(dividingBy: 60)
        return "\(minutes):\(seconds < 10 ? "0" : "")\(seconds)"
    }
}

extension SoundDescription {
    /// Returns the reason why the decoder of a codec cannot decode the samples of this description; `nil` if it can.
    fileprivate func reason(against codec: AudioCodec) -> String? {
        switch self {
        case .audio(let other): Self.reason(other, against: codec)
        case .unconfigured(let config): Self.reason(.aac(config), against: codec)
        case .rejected(let failure), .damaged(let failure): failure.reason
        }
    }

    private static func reason(_ other: AudioCodec, against codec: AudioCodec) -> String? {
        codec.canDecode(other) ? nil : MediaFailure.unplayable("a second format in one MP4 file").reason
    }
}

extension AudioCodec {
    /// Returns true if a decoder of this codec decodes packets of another description to the same format. SBR that is
    /// not signalled counts as found in the first packets.
    fileprivate func canDecode(_ other: AudioCodec) -> Bool {
        switch (self, other) {
        case (.aac(let config), .aac(let other)):
            let other = other.assuming(config)
            return other.coreSampleRate == config.coreSampleRate && other.coded == config.coded
                && other.format == config.format
        case (.opus(let head), .opus(let other)):
            return other.streams == head.streams && other.coupledStreams == head.coupledStreams
                && other.mapping == head.mapping && other.outputGain == head.outputGain
        case (.flac(let info), .flac(let other)):
            return other.sampleRate == info.sampleRate && other.channels == info.channels
                && other.bitsPerSample == info.bitsPerSample
        default: return false
        }
    }
}
