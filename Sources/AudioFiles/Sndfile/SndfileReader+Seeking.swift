// SPDX-License-Identifier: GPL-3.0-or-later
import AudioBuffers
import CSndfile
import Media

/// Making the next frame the requested one.
///
/// libsndfile seeks exactly if frames are stored individually, and in FLAC. In Vorbis, version 1.2.0 misses a target
/// less than two seconds ahead by up to a block, and begins with noise. So the reader reads up to a near target, and
/// for a far one opens the file again as if it began there: its headers, and its pages from the relevant one on. That
/// is exact, too. Opus is exact to the frame, but equals a linear decode only after its decoder has converged: after
/// half a second to 1e-5 of full scale, except at the lowest bit rates, and in files made at 16 or 24 kHz, where 4e-3
/// was observed.
extension SndfileReader {
    /// Moves to the frame at `position`.
    /// - Returns: True if there is a frame at `position`.
    func approach() throws(AudioFileError) -> Bool {
        guard position != nextFrame else { return true }
        if let frames = length.frames, position >= frames { return false }
        switch fileFormat.type {
        case .oggVorbis: try approachVorbis()
        case .opus where isNear: try pass()
        // libsndfile would search forever for a page after the last one.
        case .opus where position >= opusReach:
            guard !isTorn else { throw truncationError }
            return false
        case .opus:
            try jump(to: max(0, position - Int64(format.sampleRate / 2)))
            try pass()
        default: try jump(to: position)
        }
        if position != nextFrame, let readError { throw readError }
        return position == nextFrame
    }

    /// True if reading up to `position` costs no more than a jump: a few milliseconds.
    private var isNear: Bool { readError == nil && (0...Int64(2 * format.sampleRate)).contains(position - nextFrame) }

    private func jump(to frame: Int64) throws(AudioFileError) {
        if !handle.seek(to: frame) {
            if let failure = input.failure { throw .reading(name, failure) }
            // After a failed search, the FLAC decoder fails to find even existing frames.
            try reopen(leavingOut: 0..<0, at: 0)
            guard handle.seek(to: frame) else {
                // The position of libsndfile after a failed seek is undefined.
                try reopen(leavingOut: 0..<0, at: 0)
                throw .damaged(path: name, reason: "the file is damaged or truncated: frame \(frame) is missing")
            }
        }
        (nextFrame, readError) = (frame, nil)
    }

    /// Reads up to the frame at `position`.
    private func pass() throws(AudioFileError) {
        let block = AudioBufferList(format: format, frameCapacity: Int(min(4096, max(0, position - nextFrame))))
        while nextFrame < position {
            let frames = Int(min(Int64(block.frameCapacity), position - nextFrame))
            guard copy(block.allFrames.dropFirst(0, count: frames)) > 0 else { return }
        }
    }

    // MARK: Ogg

    var isOgg: Bool { fileFormat.type == .oggVorbis || fileFormat.type == .opus }

    /// True if the page marked as the last is missing or incomplete.
    var isTorn: Bool {
        guard isOgg, let pages = OggPages(source, length: byteLength, headers: headerPackets) else { return false }
        return !pages.hasEnd
    }

    var truncationError: AudioFileError {
        .damaged(path: name, reason: "the file is truncated: its last page is missing")
    }

    /// The frame after the last one that a complete page contains.
    private var opusReach: Int64 {
        if pages == nil { pages = OggPages(source, length: byteLength, headers: headerPackets) }
        guard let granule = pages?.lastGranule else { return .max }
        // Granules count at 48 kHz and include the pre-skip. Source: RFC 7845 §4.
        let preSkip = source.bytes(at: 38, count: 2)
        let frames = max(0, granule - preSkip.reversed().reduce(0) { $0 << 8 | Int64($1) })
        let (seconds, rest) = frames.quotientAndRemainder(dividingBy: 48_000)
        let rate = Int64(format.sampleRate)
        return seconds * rate + (rest * rate + 47_999) / 48_000
    }

    private var headerPackets: Int { fileFormat.type == .opus ? 2 : 3 }

    private func approachVorbis() throws(AudioFileError) {
        if !isNear, try !reopenVorbis() { try reopen(leavingOut: 0..<0, at: 0) }
        try pass()
    }

    /// Opens the file again as if it began shortly before `position`.
    /// - Returns: `false` if it must be read from its first frame.
    private func reopenVorbis() throws(AudioFileError) -> Bool {
        guard case .exact(let frames) = length else { return false }
        if pages == nil { pages = OggPages(source, length: byteLength, headers: headerPackets) }
        guard let pages else { return false }
        // The output starts somewhere in a page that ends before `position`; libsndfile reports the number of frames
        // from there to the end. It cannot do so for the last page alone, which is never chosen.
        try reopen(leavingOut: pages.start..<pages.offset(before: position), at: 0)
        nextFrame = frames - handle.info.frames
        return (0...position).contains(nextFrame)
    }

    private func reopen(leavingOut gap: Range<Int64>, at frame: Int64) throws(AudioFileError) {
        let input = SndfileInput(source, length: byteLength, leavingOut: gap)
        do throws(SndfileFailure) {
            handle = try SndfileHandle(reading: input)
        } catch {
            throw input.failure.map { .reading(name, $0) }
                ?? .damaged(path: name, reason: "damaged file: \(error.reason)")
        }
        (self.input, readError) = (input, nil)
        nextFrame = frame
    }
}
