// SPDX-License-Identifier: GPL-3.0-or-later
import AudioBuffers
import CSndfile
import Media

/// Writes a file with libsndfile, from interleaved samples of the type that it stores.
final class SndfileWriter {
    private let path: String
    private let type: AudioFileType
    private let encoding: AudioFileEncoding
    private let stored: AudioFormat
    let output: SndfileOutput
    private let handle: SndfileHandle
    /// A block for modified samples.
    private let block: AudioBufferList
    private var framesSinceHeader = 0
    private var bytes: Int64 = 0

    /// libvorbis keeps a block of at least this many frames on the stack.
    private static let blockFrames = 4096

    /// - Parameter stored: The format of the slices passed to `write`: `fileFormat.stored()`.
    /// - Throws: `cannotWrite`, `unsupportedFormat`.
    init(
        path: String, _ fileFormat: AudioFileFormat, _ stored: AudioFormat, _ metadata: AudioMetadata
    ) throws(AudioFileError) {
        guard let info = fileFormat.sndfile else { throw fileFormat.unwritable }
        do throws(SystemError) {
            output = try SndfileOutput(path: path)
        } catch {
            throw .cannotWrite(path: path, reason: error.phrase)
        }
        do throws(SndfileFailure) {
            handle = try SndfileHandle(writing: output, info)
        } catch {
            guard let reason = output.reason else { throw .unsupportedFormat(reason: error.reason) }
            throw .cannotWrite(path: path, reason: reason)
        }
        (self.path, self.stored, type, encoding) = (path, stored, fileFormat.type, fileFormat.encoding)
        block = AudioBufferList(format: stored, frameCapacity: Self.blockFrames)
        prepare(fileFormat, metadata)
    }

    private func prepare(_ fileFormat: AudioFileFormat, _ metadata: AudioMetadata) {
        handle.set(SFC_RF64_AUTO_DOWNGRADE, true)
        // The chunk contains the time of writing, so writing the same audio twice would produce different files.
        handle.set(SFC_SET_ADD_PEAK_CHUNK, false)
        if case .lossy(let quality?) = encoding {
            handle.set(SFC_SET_VBR_ENCODING_QUALITY, min(1, max(0, quality)))
        }
        if fileFormat.channels > 2, type != .oggVorbis, type != .opus,
            let map = fileFormat.layout.channelMap(channels: fileFormat.channels)
        {
            handle.setChannelMap(map)
        }
        for (kind, text) in [
            (SF_STR_TITLE, metadata.title), (SF_STR_ARTIST, metadata.artist), (SF_STR_ALBUM, metadata.album),
        ] {
            if let text, !text.isEmpty { handle.set(kind, text) }
        }
    }

    /// Writes all frames of a slice.
    /// - Parameter slice: Frames of the stored format.
    /// - Throws: `cannotWrite`.
    func write(_ slice: AudioBufferSlice) throws(AudioFileError) {
        var done = 0
        while done < slice.frames {
            let part = block.allFrames.dropFirst(0, count: block.allFrames.copy(from: slice.dropFirst(done)))
            prepare(part)
            let count = handle.write(stored.sampleType, from: part.plane(0), frames: part.frames)
            guard count == part.frames, output.reason == nil else { throw failure }
            done += count
            try keepHeader(count)
        }
    }

    private var failure: AudioFileError {
        .cannotWrite(path: path, reason: output.reason ?? handle.failure?.reason ?? "unknown libsndfile error")
    }

    /// Converts samples to values that the file can store.
    private func prepare(_ part: AudioBufferSlice) {
        let count = part.frames * stored.channels
        // libsndfile truncates the low bytes; adding half a step rounds to the nearest value.
        switch encoding {
        case .int8:
            let samples = part.plane(0).assumingMemoryBound(to: Int32.self)
            for place in 0..<count { samples[place] = min(samples[place], .max - 0x80_0000) + 0x80_0000 }
        case .int24:
            let samples = part.plane(0).assumingMemoryBound(to: Int32.self)
            for place in 0..<count { samples[place] = min(samples[place], .max - 0x80) + 0x80 }
        case .lossy:
            // An encoder never recovers from a value that is not a number.
            let samples = part.plane(0).assumingMemoryBound(to: Float.self)
            VectorOperations.clip(samples, count: count, limit: Self.loudest)
            OggChannels.restore(samples, frames: part.frames, channels: stored.channels)
        case .int16, .int32, .float32, .float64, .other: return
        }
    }

    /// 36 dB above full scale.
    private static let loudest: Float = 64

    private func keepHeader(_ frames: Int) throws(AudioFileError) {
        bytes += Int64(frames * stored.channels) * encoding.bytes
        guard type != .aiff || bytes < Self.longestAIFF else {
            throw .cannotWrite(path: path, reason: "an AIFF file cannot exceed 4 GiB")
        }
        // The headers of FLAC and Ogg contain no length, and writing them again would corrupt the file.
        guard [.wav, .aiff, .caf].contains(type) else { return }
        framesSinceHeader += frames
        guard framesSinceHeader >= stored.sampleRate else { return }
        framesSinceHeader = 0
        handle.updateHeader()
    }

    private static let longestAIFF = Int64(UInt32.max) - 1 << 20
}

extension AudioFileEncoding {
    /// The number of bytes of one uncompressed sample.
    fileprivate var bytes: Int64 {
        switch self {
        case .int8, .lossy, .other: 1
        case .int16: 2
        case .int24: 3
        case .int32, .float32: 4
        case .float64: 8
        }
    }
}
