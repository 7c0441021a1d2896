// SPDX-License-Identifier: GPL-3.0-or-later
import AudioBuffers
import CSndfile
import Media

/// WAV, AIFF, CAF, FLAC, Ogg Vorbis and Opus, read by libsndfile: interleaved samples, as stored or in floats.
///
/// Seeks are exact: in Ogg they take another way than libsndfile's where that misses (see `approach`).
final class SndfileReader: SoundFile {
    let format: AudioFormat
    let fileFormat: AudioFileFormat
    private(set) var position: Int64 = 0
    /// As many as there are said to be, until it turns out otherwise.
    private(set) var length: AudioFileLength

    private let name: String
    private let source: any ByteSource
    private let input: SndfileInput
    private let handle: SndfileHandle
    /// The frame that libsndfile reads next.
    private var place: Int64 = 0

    /// - Parameters:
    ///   - wanted: the sample type the caller would like, taken where nothing is lost by it.
    ///   - length: the source's, in bytes; all of it must be there.
    init(
        source: any ByteSource, length: Int64, name: String, wanted: SampleType?
    ) throws(AudioFileError) {
        input = SndfileInput(source, length: length)
        do throws(SndfileFailure) {
            handle = try SndfileHandle(reading: input)
        } catch {
            throw input.failure.map { .reading(name, $0) } ?? .unsupported(path: name, reason: error.reason)
        }
        guard let fileFormat = AudioFileFormat(handle.info, channelMap: handle.channelMap) else {
            throw .unsupported(path: name, reason: "it is a kind of file that is not read")
        }
        (self.source, self.name, self.fileFormat) = (source, name, fileFormat)
        format = AudioFormat(
            sampleRate: fileFormat.sampleRate, channels: fileFormat.channels,
            sampleType: fileFormat.encoding.nativeType(wanted: wanted), layout: fileFormat.layout)
        let frames = handle.info.frames
        self.length = frames >= 0 && frames < .max ? .exact(frames) : .unknown
    }

    func seek(to frame: Int64) { position = max(0, frame) }

    func read(into slice: AudioBufferSlice) throws(AudioFileError) -> AudioFileRead {
        guard try approach() else { return .end }
        var filled = 0
        while filled < slice.frames {
            let target = slice.dropFirst(filled).plane(0)
            let count = handle.read(format.sampleType, into: target, frames: slice.frames - filled)
            guard count > 0 else { break }
            filled += count
        }
        guard filled > 0 || slice.frames == 0 else { return try end() }
        place += Int64(filled)
        position = place
        return .frames(filled)
    }

    var metadata: AudioMetadata {
        AudioMetadata(
            title: text(SF_STR_TITLE), artist: text(SF_STR_ARTIST), album: text(SF_STR_ALBUM),
            artwork: fileFormat.type == .flac ? FLACPicture.front(of: source) : nil)
    }

    private func text(_ kind: Int) -> String? {
        handle.string(kind).flatMap { $0.isEmpty ? nil : $0 }
    }
}

extension SndfileReader {
    /// There is no next frame: where the file ends, or because it cannot be read any further.
    private func end() throws(AudioFileError) -> AudioFileRead {
        if let failure = input.failure { throw .reading(name, failure) }
        if let failure = handle.failure { throw .cannotRead(path: name, reason: failure.reason) }
        length = .exact(place)
        return .end
    }

    /// Makes the next frame read the one at `position`.
    /// - Returns: whether there is one.
    private func approach() throws(AudioFileError) -> Bool {
        guard position != place else { return true }
        if let frames = length.frames, position >= frames { return false }
        guard handle.seek(to: position) else {
            if let failure = input.failure { throw .reading(name, failure) }
            throw .cannotRead(path: name, reason: handle.failure?.reason ?? "it cannot be sought in")
        }
        place = position
        return true
    }
}
