// SPDX-License-Identifier: GPL-3.0-or-later
public import AudioBuffers
import MPEGAudio
public import Media

/// Reads the sound of a file, from any frame on: what `ExtAudioFile` and `AVAudioFile` are elsewhere.
///
/// MP3, WAV (RF64 too), AIFF, CAF, FLAC, Ogg Vorbis and Opus, told apart by what is in them, whatever their names. The
/// frames come in `format`, which the caller chooses: whatever the file's own is, it is converted on the way.
///
///     let file = try AudioFileReader(path: "chime.flac")
///     var block = AudioBufferList(format: file.format, frameCapacity: 4096)
///     try file.seek(to: 44_100)
///     while case .frames = try file.read(into: &block) {
///         block.withSlice { play($0) }
///     }
///
/// A seek is exact to the frame. In MP3, WAV, AIFF, CAF and FLAC what is read after it equals what is read without any,
/// bit by bit; where the rate is converted, to 1e-5 of full scale, and to 8e-5 down to a quarter of the rate. MP3 can
/// be read while it still arrives: what is not there yet is the edge and not the end. Other files must be whole. What
/// is not finite in a file of floats is read as silence. Memory does not grow with the file's length, but for 5 bytes
/// for 8 packets of MP3.
public final class AudioFileReader: AudioFrameReader {
    /// What the file is called where something is wrong with it.
    public let path: String
    /// What the frames read are in.
    public let format: AudioFormat
    private let file: any SoundFile
    /// What is read from: `file`, or what converts it.
    private let frames: any AudioFrameReader

    /// Opens a file that is whole on disk.
    /// - Parameters:
    ///   - path: may hold any character a path can.
    ///   - format: what the frames are to be in; `nil`: interleaved Float32 at the file's rate, with its channels.
    /// - Throws: `cannotOpen` for what is not there or may not be read, a directory, an empty file; `unsupported` for
    ///   what holds no sound that can be read, or at a rate or in channels beyond those of `AudioFileFormat`;
    ///   `cannotRead`; `unsupportedFormat` for a format nothing becomes.
    public convenience init(path: String, format: AudioFormat? = nil) throws(AudioFileError) {
        let source: FileByteSource
        do throws(MediaFailure) {
            source = try FileByteSource(path: path)
        } catch {
            throw .cannotOpen(path: path, reason: error.reason)
        }
        try self.init(source: source, path: path, format: format)
    }

    /// Opens what has arrived of a file, or all of it.
    /// - Parameters:
    ///   - source: stays open as long as the reader lives, and is closed by whoever opened it.
    ///   - path: what it is called where something is wrong with it.
    ///   - format: as above.
    /// - Throws: as above; `notArrived` where it cannot be told yet what is in it, or where it is no MP3 and not whole.
    public init(
        source: any ByteSource, path: String = "the stream", format: AudioFormat? = nil
    ) throws(AudioFileError) {
        self.path = path
        file = try Self.open(source, path, wanted: format?.sampleType)
        guard AudioFileFormat.sampleRates.contains(file.format.sampleRate) else {
            throw .unsupported(path: path, reason: "a rate of \(file.format.sampleRate) Hz cannot be played")
        }
        guard AudioFileFormat.channelCounts.contains(file.format.channels) else {
            throw .unsupported(path: path, reason: "\(file.format.channels) channels cannot be played")
        }
        let wanted = format ?? AudioFormat(
            sampleRate: file.format.sampleRate, channels: file.format.channels, layout: file.format.layout)
        self.format = wanted
        frames = file.format == wanted ? file : try ConvertingReader(file, to: wanted, path: path)
    }

    /// What the file itself is.
    public var fileFormat: AudioFileFormat { file.fileFormat }
    /// Frames of `format`. Exact for every file that is whole, but for some that were cut short; finding out reads an
    /// MP3 file through once, some hundredths of a second for three hours. An MP3 file that goes on at another rate
    /// ends there, for `read` too. Of a file that still arrives, asking again costs what has arrived since.
    public var length: AudioFileLength { frames.length }
    /// How long it lasts, and how sure that is.
    public var duration: MediaDuration {
        switch length {
        case .exact(let frames): .exact(format.duration(ofFrames: frames))
        case .estimate(let frames): .estimated(format.duration(ofFrames: frames))
        case .unknown: .unknown
        }
    }
    /// Why `length` is less than what the file's own tag promises: an MP3 file that was cut off. `nil` where it is not,
    /// and as long as `length` is not exact; `read` throws it behind the last frame. Of other kinds of file `length` is
    /// what they promise.
    public var shortfall: AudioFileError? { file.shortfall }
    /// Title, artist, album and picture; read from the file each time, and of a file that still arrives, as far as it
    /// has. Pictures are found in MP3 and FLAC only.
    public var metadata: AudioMetadata { file.metadata }

    public var position: Int64 { frames.position }

    /// Reads a file of which nobody knows the length to its end, such as FLAC that was written into a pipe; then
    /// `length` is exact, unless it still arrives.
    /// - Throws: as `read` does.
    public func measure() throws(AudioFileError) {
        guard case .unknown = length else { return }
        let before = position
        let block = AudioBufferList(format: format, frameCapacity: 4096)
        while case .frames = try frames.read(into: block.room) {}
        try frames.seek(to: before)
    }

    /// - Parameter frame: of `format`; one in front of the first means the first.
    public func seek(to frame: Int64) throws(AudioFileError) { try frames.seek(to: frame) }

    /// - Parameter slice: of `format`.
    /// - Throws: `damaged` behind the last frame that is right, or where the file ends before it says it does;
    ///   `cannotRead` for what vanishes or becomes shorter meanwhile; `unsupportedFormat` for a slice of another
    ///   format.
    public func read(into slice: AudioBufferSlice) throws(AudioFileError) -> AudioFileRead {
        guard slice.format == format else {
            throw .unsupportedFormat(reason: "the frames wanted are of another format than the reader was made for")
        }
        guard slice.frames > 0 else { throw .cannotRead(path: path, reason: "there is no room for a frame") }
        return try frames.read(into: slice)
    }

    private static func open(
        _ source: any ByteSource, _ path: String, wanted: SampleType?
    ) throws(AudioFileError) -> any SoundFile {
        switch try ContentKind(source, path) {
        case .mpeg: return try MPEGFileReader(source: source, name: path)
        case .container:
            let arrival = source.arrival
            guard arrival.condition == .complete, let length = arrival.total else { throw .notArrived(path: path) }
            return try SndfileReader(source: source, length: length, name: path, wanted: wanted)
        }
    }
}
