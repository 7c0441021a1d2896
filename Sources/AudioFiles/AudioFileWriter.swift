// SPDX-License-Identifier: GPL-3.0-or-later
public import AudioBuffers
import AudioDecoding
public import Media

/// Writes audio to a new file, like `ExtAudioFile` and `AVAudioFile`.
///
/// WAV (RF64 beyond 4 GiB), AIFF, CAF, FLAC, Ogg Vorbis and Opus. Frames of any format are converted to that of the
/// file.
///
///     let file = try AudioFileWriter(
///         path: "take.flac", fileFormat: AudioFileFormat(type: .flac, sampleRate: 48_000, channels: 2))
///     try file.write(block)
///     try file.close()
///
/// The file grows in its final location. About once per second of audio the sizes in the headers of WAV, AIFF and CAF
/// are updated, so that the frames written so far stay readable after a crash; FLAC and Ogg do not need that, but
/// hold back up to some seconds, and without a frame they are not readable. Floats are converted to integers as in
/// the whole package: rounded to the nearest, with full scale and beyond as full scale. Confined to one thread at a
/// time.
public final class AudioFileWriter: AudioFrameWriter {
    public let path: String
    public let fileFormat: AudioFileFormat
    /// The format of the slices passed to `write`.
    public let format: AudioFormat
    /// The number of frames of `format` written so far.
    public private(set) var length: Int64 = 0

    /// The open file; `nil` once closed.
    private var file: SndfileWriter?
    private let converter: AudioConverter
    /// The first failure: no later frame could be stored at its correct position.
    private var failure: AudioFileError?

    /// Creates the file, or truncates an existing one.
    /// - Parameters:
    ///   - path: The path; its extension is ignored. `AudioFileType(pathExtension:)` returns the type of an extension.
    ///   - format: The format of the frames to write; `nil` for interleaved Float32 at the file's rate and with its
    ///     channels.
    ///   - metadata: Title, artist and album, as far as the file type can store them; never a picture.
    /// - Throws: `unsupportedFormat` for a format that a file of this type cannot have, before any file is changed;
    ///   `cannotWrite`.
    public init(
        path: String, fileFormat: AudioFileFormat, format: AudioFormat? = nil, metadata: AudioMetadata = AudioMetadata()
    ) throws(AudioFileError) {
        let stored = try fileFormat.stored()
        let format =
            format
            ?? AudioFormat(
                sampleRate: fileFormat.sampleRate, channels: fileFormat.channels, layout: fileFormat.layout)
        do throws(AudioConversionError) {
            converter = try AudioConverter(from: format, to: stored)
        } catch {
            throw .unsupportedFormat(reason: error.phrase)
        }
        (self.path, self.fileFormat, self.format) = (path, fileFormat, format)
        file = try SndfileWriter(path: path, fileFormat, stored, metadata)
    }

    /// Appends frames.
    /// - Parameter slice: A slice of `format`.
    /// - Throws: `cannotWrite` for a full disk or a closed file. No more frames can be written then; `close` still
    ///   makes the written frames readable as far as possible. `unsupportedFormat` for a slice of another format.
    public func write(_ slice: AudioBufferSlice) throws(AudioFileError) {
        guard slice.format == format else {
            throw .unsupportedFormat(reason: "the buffer and the writer have different formats")
        }
        guard file != nil else { throw .cannotWrite(path: path, reason: "the writer was closed") }
        converter.convert(slice) { keep($0) }
        if let failure { throw failure }
        length += Int64(slice.frames)
    }

    /// Writes the remaining frames and the final sizes. Closing again has no effect.
    /// - Throws: The first failure, of this call or an earlier one.
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

    /// Closes the file.
    /// - Returns: The first failure; `nil` if there was none, or if the file was closed before.
    private func finish() -> AudioFileError? {
        guard let output = file?.output else { return nil }
        do throws(AudioConversionError) {
            try converter.drain { keep($0) }
        } catch {
            failure = failure ?? .cannotWrite(path: path, reason: error.phrase)
        }
        // Releasing the file writes the frames that libsndfile holds back.
        file = nil
        return failure ?? output.reason.map { .cannotWrite(path: path, reason: $0) }
    }
}

/// A destination for PCM, written from the first frame on: the interface between recorders and files. Confined to one
/// thread at a time, as `AudioFrameReader` is.
public protocol AudioFrameWriter: AnyObject {
    /// The format of the slices passed to `write`.
    var format: AudioFormat { get }

    /// Appends all frames of a slice of `format`, or throws.
    func write(_ slice: AudioBufferSlice) throws(AudioFileError)

    /// Writes all frames to the disk and stores their number in the header. Nothing can be written afterwards;
    /// closing again has no effect.
    func close() throws(AudioFileError)
}

extension AudioFrameWriter {
    /// Appends the valid frames of a list of `format`, or throws.
    public func write(_ list: borrowing AudioBufferList) throws(AudioFileError) {
        try list.withSlice { (frames) throws(AudioFileError) in try write(frames) }
    }
}
