// SPDX-License-Identifier: GPL-3.0-or-later
public import AudioBuffers
public import AudioFiles
public import Media

/// A sound in memory that never changes, and that any number of voices can play at the same time.
///
/// ```swift
/// let bell = try SampleBuffer(AudioFileReader(path: "bell.wav", format: graph.format))
/// let click = try SampleBuffer(list)      // an AudioBufferList of any sample type, interleaved or planar
/// ```
/// The sound is stored as interleaved Float32, 4 bytes a sample, at its original rate; the caller converts the rate.
///
/// `@unchecked Sendable`: written only in `init`.
public final class SampleBuffer: @unchecked Sendable {
    /// The format of the stored sound: interleaved Float32.
    public let format: AudioFormat
    /// The number of PCM frames, 0 or more.
    public let frames: Int
    private let list: AudioBufferList

    /// Copies the valid frames of a list.
    /// - Throws: `SamplerError.unsupportedFormat` if the format of the list cannot be converted.
    public init(_ list: borrowing AudioBufferList) throws(SamplerError) {
        format = AudioFormat(sampleRate: list.format.sampleRate, channels: list.format.channels)
        frames = list.frameLength
        self.list = AudioBufferList(format: format, frameCapacity: frames)
        try SampleLoading.converter(from: list.format, to: format).convert(list.slice, to: self.list.slice)
    }

    /// Reads a file from the position of its reader to its end.
    /// - Parameter byteLimit: the maximum size in bytes; the default, 1 GiB, is 46 minutes of stereo at 48 kHz.
    /// - Throws: `SamplerError.unreadable`, `incomplete` if a part of the file is not yet available,
    ///   `unsupportedFormat`, `tooLarge`.
    public init(_ reader: any AudioFrameReader, byteLimit: Int = 1 << 30) throws(SamplerError) {
        format = AudioFormat(sampleRate: reader.format.sampleRate, channels: reader.format.channels)
        list = try SampleLoading.readAll(reader, as: format, byteLimit: byteLimit)
        frames = list.frameLength
    }

    /// The samples, interleaved, `frames × channels`, valid as long as the buffer exists.
    var samples: UnsafePointer<Float> { UnsafePointer(list.slice.plane(0).assumingMemoryBound(to: Float.self)) }
}
