// SPDX-License-Identifier: GPL-3.0-or-later
public import AudioBuffers
public import Media
import TrackReading

/// Reads the audio of a file from any frame on, like `ExtAudioFile` and `AVAudioFile`.
///
/// MP3, AAC in MP4 and ADTS, WAV (including RF64), AIFF, CAF, FLAC, Ogg Vorbis and Opus, distinguished by their
/// content, not by their names. The frames are converted to `format`, which the caller chooses.
///
///     let file = try AudioFileReader(path: "chime.flac")
///     var block = AudioBufferList(format: file.format, frameCapacity: 4096)
///     try file.seek(to: 44_100)
///     while case .frames = try file.read(into: &block) {
///         block.withSlice { play($0) }
///     }
///
/// A seek is exact to the frame. The frames read after a seek equal those read without one, bit for bit; with a rate
/// conversion, to 2e-4 of full scale, and to 1e-5 between 44.1 and 48 kHz. A file can be read while it still
/// arrives: a frame that has not arrived is reported as not yet available, not as the end. Only CAF must be complete.
/// Values of float files that are not finite are read as silence. Memory does not grow with the file's length, except
/// by 5 bytes for every 8 packets of MP3, and by 56 bytes for every 2 seconds of other formats.
public final class AudioFileReader: AudioFrameReader {
    /// The name of the file in errors.
    public let path: String
    /// The format of the frames read.
    public let format: AudioFormat
    private let file: any SoundFile
    /// The reader of the frames: `file`, or a converter of its frames.
    private let frames: any AudioFrameReader

    /// Opens a complete file on disk.
    /// - Parameters:
    ///   - path: The path, which may contain any character.
    ///   - format: The format of the frames to read; `nil` for interleaved Float32 at the file's rate and with its
    ///     channels.
    /// - Throws: `cannotOpen` for a file that is missing, not readable or empty, or a directory; `unsupported` for a
    ///   file without readable audio, or with a rate or number of channels beyond those of `AudioFileFormat`;
    ///   `cannotRead`; `unsupportedFormat` for a `format` without a conversion.
    public convenience init(path: String, format: AudioFormat? = nil) throws(AudioFileError) {
        let source: FileByteSource
        do throws(MediaFailure) {
            source = try FileByteSource(path: path)
        } catch {
            throw .cannotOpen(path: path, reason: error.reason)
        }
        try self.init(source: source, path: path, format: format)
    }

    /// Opens a file that is complete or still arriving.
    /// - Parameters:
    ///   - source: The bytes of the file. The source must stay open as long as the reader lives; the caller closes it.
    ///   - path: The name of the file in errors.
    ///   - format: As above.
    /// - Throws: As above; `notArrived` if the content cannot be identified yet, or if it is CAF and incomplete.
    public init(
        source: any ByteSource, path: String = "the stream", format: AudioFormat? = nil
    ) throws(AudioFileError) {
        self.path = path
        file = try Self.open(source, path, wanted: format?.sampleType)
        guard AudioFileFormat.sampleRates.contains(file.format.sampleRate) else {
            throw .unsupported(path: path, reason: "a sample rate of \(file.format.sampleRate) Hz is not supported")
        }
        guard AudioFileFormat.channelCounts.contains(file.format.channels) else {
            throw .unsupported(path: path, reason: "\(file.format.channels) channels are not supported")
        }
        let wanted =
            format
            ?? AudioFormat(
                sampleRate: file.format.sampleRate, channels: file.format.channels, layout: file.format.layout)
        self.format = wanted
        frames = file.format == wanted ? file : try ConvertingReader(file, to: wanted, path: path)
    }

    /// Returns the exact time of a position that was an estimate, in a complete file.
    /// - Parameter anchor: The packet from which the position counts.
    public func time(of position: Duration, from anchor: TimeAnchor) -> Duration {
        (file as? TrackFileReader)?.time(of: .estimated(position, from: anchor)) ?? position
    }

    /// The format of the file itself.
    public var fileFormat: AudioFileFormat { file.fileFormat }
    /// The number of frames of `format`. Exact for every complete file, except some that were truncated; counting
    /// reads an MP3 file once, which takes some hundredths of a second for three hours. For a file that still
    /// arrives, each call counts the packets that have arrived since the last one.
    public var length: AudioFileLength { frames.length }
    /// The duration, and whether it is exact.
    public var duration: MediaDuration {
        switch length {
        case .exact(let frames): .exact(format.duration(ofFrames: frames))
        case .estimate(let frames): .estimated(format.duration(ofFrames: frames))
        case .unknown: .unknown
        }
    }
    /// The reason why `length` is less than the file declares, for a file that was cut off. `nil` if it is not, and
    /// until `length` is exact; `read` throws it after the last frame.
    public var shortfall: AudioFileError? { file.shortfall }
    /// The damaged parts that were read as silence or skipped.
    public var damage: FileDamage { file.damage }
    /// The title, artist, album and picture, read from the file at each call, as far as it has arrived. The pictures of
    /// WAV, AIFF and CAF files are not supported.
    public var metadata: AudioMetadata { file.metadata }

    /// The next frame to read.
    public var position: Int64 { frames.position }

    /// Reads a file of unknown length to its end, such as FLAC that was written to a pipe; then `length` is exact,
    /// unless the file still arrives. `damage` does not report the damage that is found only here.
    /// - Throws: As `read` does.
    public func measure() throws(AudioFileError) {
        guard case .unknown = length else { return }
        let (before, found) = (position, damage.first)
        let block = AudioBufferList(format: format, frameCapacity: 4096)
        while case .frames = try frames.read(into: block.allFrames) {}
        damage.restore(found)
        try frames.seek(to: before)
    }

    /// Sets the first frame of the next read.
    /// - Parameter frame: A frame of `format`; a negative number means the first frame.
    public func seek(to frame: Int64) throws(AudioFileError) { try frames.seek(to: frame) }

    /// Reads the next frames. A damaged part of the file is read as silence, and `damage` reports it.
    /// - Parameter slice: A slice of `format`.
    /// - Throws: `damaged` if the file ends before its declared length, or if the places of the frames after a damaged
    ///   part are unknown; `cannotRead` for a file that is removed or truncated meanwhile; `unsupportedFormat` for a
    ///   slice of another format.
    public func read(into slice: AudioBufferSlice) throws(AudioFileError) -> AudioFileRead {
        guard slice.format == format else {
            throw .unsupportedFormat(reason: "the buffer and the reader have different formats")
        }
        guard slice.frames > 0 else { throw .cannotRead(path: path, reason: "the buffer is too small for one frame") }
        return try frames.read(into: slice)
    }

    private static func open(
        _ source: any ByteSource, _ path: String, wanted: SampleType?
    ) throws(AudioFileError) -> any SoundFile {
        switch try ContentKind(source, path) {
        case .track(let format): return try TrackFileReader(format, source, name: path)
        case .stored(let length, let other):
            do throws(AudioFileError) {
                let stored = try SndfileReader(
                    source: source, length: length, name: path, wanted: wanted,
                    shortfall: other?.shortfallOfHeader(in: source))
                guard stored.length == .exact(0), let other else { return stored }
                // libsndfile takes a length of 0 literally. Programs that write to a pipe leave it.
                let track = try TrackFileReader(other, source, name: path)
                return track.length.frames == 0 ? stored : track
            } catch {
                // `AudioFileFormat` does not name Wave64, which libsndfile returns.
                guard case .unsupported = error, let other else { throw error }
                return try TrackFileReader(other, source, name: path)
            }
        }
    }
}
