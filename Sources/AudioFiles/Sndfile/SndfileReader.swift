// SPDX-License-Identifier: GPL-3.0-or-later
import AudioBuffers
import CSndfile
import Media

/// WAV, AIFF, CAF, FLAC, Ogg Vorbis and Opus, read by libsndfile: interleaved samples, as stored or in floats.
///
/// Seeks are exact, in Opus as far as its decoders are, which converge towards what they would have made; see
/// `SndfileReader+Seeking`.
final class SndfileReader: SoundFile {
    let format: AudioFormat
    let fileFormat: AudioFileFormat
    private(set) var position: Int64 = 0
    /// As many as there are said to be, until it turns out otherwise.
    var length: AudioFileLength

    let name: String
    let source: any ByteSource
    let byteLength: Int64
    var input: SndfileInput
    var handle: SndfileHandle
    /// The frame that libsndfile reads next.
    var place: Int64 = 0
    /// Of Vorbis; `nil` before they were needed.
    var pages: OggPages?

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
        (self.source, byteLength, self.name, self.fileFormat) = (source, length, name, fileFormat)
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
}
