// SPDX-License-Identifier: GPL-3.0-or-later
public import AudioBuffers
import AudioDecoding
public import Media

/// Writes sound to a new file: what `ExtAudioFile` and `AVAudioFile` are elsewhere.
///
/// WAV (RF64 beyond 4 GiB), AIFF, CAF, FLAC, Ogg Vorbis and Opus. The frames may come in any format; they are converted
/// on the way.
///
///     let file = try AudioFileWriter(
///         path: "take.flac", fileFormat: AudioFileFormat(type: .flac, sampleRate: 48_000, channels: 2))
///     try file.write(block)
///     try file.close()
///
/// The file grows where it will stay. About once a second of sound the sizes in front of WAV, AIFF and CAF are brought
/// up to date, so that what was written until then can be read after a kill, too; FLAC and Ogg need none for that, but
/// hold back up to some seconds, and without a frame they make no file that could be read. Integers are made of floats
/// as the whole package does it: rounded to the nearest, full scale and beyond is full scale. Confined to one thread at
/// a time.
public final class AudioFileWriter: AudioFrameWriter {
    public let path: String
    public let fileFormat: AudioFileFormat
    /// What is written comes in this.
    public let format: AudioFormat
    /// Frames of `format` taken so far.
    public private(set) var length: Int64 = 0

    /// `nil` once closed.
    private var file: SndfileWriter?
    private let converter: AudioConverter
    /// What failed first: no later frame can be where it belongs.
    private var failure: AudioFileError?

    /// Makes the file, or empties the one there is.
    /// - Parameters:
    ///   - path: its ending says nothing; `AudioFileType(pathExtension:)` tells what it would say.
    ///   - format: what is going to be written; `nil`: interleaved Float32 at the file's rate, with its channels.
    ///   - metadata: title, artist and album, as far as the kind of file has room for them; never a picture.
    /// - Throws: `unsupportedFormat` for what no file of that kind can hold, before anything is touched; `cannotWrite`.
    public init(
        path: String, fileFormat: AudioFileFormat, format: AudioFormat? = nil, metadata: AudioMetadata = AudioMetadata()
    ) throws(AudioFileError) {
        let stored = try fileFormat.stored()
        let format = format ?? AudioFormat(
            sampleRate: fileFormat.sampleRate, channels: fileFormat.channels, layout: fileFormat.layout)
        do throws(AudioConversionError) {
            converter = try AudioConverter(from: format, to: stored)
        } catch {
            throw .unsupportedFormat(reason: error.phrase)
        }
        (self.path, self.fileFormat, self.format) = (path, fileFormat, format)
        file = try SndfileWriter(path: path, fileFormat, stored, metadata)
    }

    /// Puts frames behind those written.
    /// - Parameter slice: of `format`.
    /// - Throws: `cannotWrite`: a full disk, a file that was closed. Then nothing more can be written; `close` still
    ///   makes what is there readable as far as possible. `unsupportedFormat` for a slice of another format.
    public func write(_ slice: AudioBufferSlice) throws(AudioFileError) {
        guard slice.format == format else {
            throw .unsupportedFormat(reason: "the frames to write are of another format than the writer was made for")
        }
        guard file != nil else { throw .cannotWrite(path: path, reason: "it was closed") }
        converter.convert(slice) { keep($0) }
        if let failure { throw failure }
        length += Int64(slice.frames)
    }

    /// Writes what is still inside, and the final sizes. A second time it does nothing.
    /// - Throws: what failed first, now or before.
    public func close() throws(AudioFileError) {
        if let failure = finish() { throw failure }
    }

    deinit { _ = finish() }
}

extension AudioFileWriter {
    private func keep(_ block: AudioBufferSlice) {
        guard failure == nil, let file else { return }
        do throws(AudioFileError) { try file.write(block) } catch { failure = error }
    }

    /// - Returns: what failed first; `nil` where it was closed before.
    private func finish() -> AudioFileError? {
        guard let output = file?.output else { return nil }
        do throws(AudioConversionError) {
            try converter.drain { keep($0) }
        } catch {
            failure = failure ?? .cannotWrite(path: path, reason: error.phrase)
        }
        // What libsndfile holds back is written as its file goes.
        file = nil
        return failure ?? output.reason.map { .cannotWrite(path: path, reason: $0) }
    }
}
