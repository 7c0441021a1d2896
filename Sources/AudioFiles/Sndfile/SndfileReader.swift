// SPDX-License-Identifier: GPL-3.0-or-later
import AudioBuffers
import CSndfile
import Media

/// Reads complete WAV, AIFF and CAF files with libsndfile: interleaved samples, as stored or in floats. Seeks are
/// exact.
final class SndfileReader: SoundFile {
    let format: AudioFormat
    let fileFormat: AudioFileFormat
    private(set) var position: Int64 = 0
    /// The declared number of frames, until reading proves another one.
    var length: AudioFileLength

    let name: String
    let source: any ByteSource
    let byteLength: Int64
    var input: SndfileInput
    var handle: SndfileHandle
    /// The frame that libsndfile reads next.
    var nextFrame: Int64 = 0
    let shortfall: AudioFileError?
    let damage = FileDamage()
    /// The reason why the frame at `nextFrame` cannot be read; `nil` if it can, or if the file ends there.
    var readError: AudioFileError?

    /// - Parameters:
    ///   - wanted: The caller's preferred sample type, used if it loses no information.
    ///   - length: The source's length in bytes; all of it must be available.
    ///   - shortfall: The reason why the file is shorter than its header declares: libsndfile reduces the declared
    ///     length to the actual one.
    init(
        source: any ByteSource, length: Int64, name: String, wanted: SampleType?, shortfall: MediaFailure? = nil
    ) throws(AudioFileError) {
        self.shortfall = shortfall.map { .reading(name, $0) }
        input = SndfileInput(source, length: length)
        do throws(SndfileFailure) {
            handle = try SndfileHandle(reading: input)
        } catch {
            throw input.failure.map { .reading(name, $0) }
                ?? .unsupported(
                    path: name, reason: "contains no readable audio: \(error.reason)")
        }
        guard let fileFormat = AudioFileFormat(handle.info, channelMap: handle.channelMap) else {
            throw .unsupported(path: name, reason: "unsupported file format")
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
            let count = copy(slice.dropFirst(filled))
            guard count > 0 else { break }
            filled += count
        }
        guard filled > 0 || slice.frames == 0 else { return try end() }
        position = nextFrame
        return .frames(filled)
    }

    /// Reads the next frames, up to the first obstacle.
    /// - Returns: The number of frames read.
    func copy(_ slice: AudioBufferSlice) -> Int {
        guard readError == nil else { return 0 }
        let count = handle.read(format.sampleType, into: slice.plane(0), frames: slice.frames)
        nextFrame += Int64(count)
        clearNonFinite(slice.plane(0), count * format.channels)
        // If it continued, libsndfile would skip the damaged part, and all later frames would be shifted.
        if count == 0 || handle.failure != nil { readError = findReadError() }
        return count
    }

    var metadata: AudioMetadata {
        AudioMetadata(
            title: text(SF_STR_TITLE), artist: text(SF_STR_ARTIST), album: text(SF_STR_ALBUM))
    }

    private func text(_ kind: Int) -> String? {
        handle.string(kind).flatMap { $0.isEmpty ? nil : $0 }
    }
}

extension SndfileReader {
    /// Handles a missing next frame: the file ends there, or cannot be read any further.
    private func end() throws(AudioFileError) -> AudioFileRead {
        if let error = readError ?? shortfall { throw error }
        length = .exact(nextFrame)
        return .end
    }

    /// Clears values of float files that are not finite, which would be noise or worse in any further processing.
    private func clearNonFinite(_ samples: UnsafeMutableRawPointer, _ count: Int) {
        switch format.sampleType {
        case .int16, .int32: return
        case .float32: VectorOperations.clearNonFinite(samples.assumingMemoryBound(to: Float.self), count: count)
        case .float64: VectorOperations.clearNonFinite(samples.assumingMemoryBound(to: Double.self), count: count)
        }
    }

    private func findReadError() -> AudioFileError? {
        if let failure = input.failure { return .reading(name, failure) }
        let promised = length.frames
        guard promised != nextFrame else { return nil }
        if let failure = handle.failure { return .damaged(path: name, reason: "damaged file: \(failure.reason)") }
        guard let promised, nextFrame < promised else { return nil }
        let reason = "the file is damaged or truncated: it has \(nextFrame) of \(promised) PCM frames"
        return .damaged(path: name, reason: reason)
    }
}
