// SPDX-License-Identifier: GPL-3.0-or-later
public import AudioBuffers
public import AudioFiles
public import Media

/// A sound in memory that never changes, and that any number of voices play at once.
///
/// ```swift
/// let bell = try SampleBuffer(AudioFileReader(path: "bell.wav", format: graph.format))
/// let click = try SampleBuffer(list)      // an AudioBufferList of any sample type, interleaved or planar
/// ```
/// It is kept as interleaved Float32, 4 bytes a sample, at the rate it comes in: whoever loads it converts it.
///
/// `@unchecked Sendable`: written in `init` alone.
public final class SampleBuffer: @unchecked Sendable {
    /// As it is kept: interleaved Float32.
    public let format: AudioFormat
    /// PCM frames in it, 0 or more.
    public let frames: Int
    private let list: AudioBufferList

    /// Copies the frames of a list that count.
    /// - Throws: `SamplerError.unsupportedFormat` where it is of no format that can be converted.
    public init(_ list: borrowing AudioBufferList) throws(SamplerError) {
        format = AudioFormat(sampleRate: list.format.sampleRate, channels: list.format.channels)
        frames = list.frameLength
        self.list = AudioBufferList(format: format, frameCapacity: frames)
        try SampleLoading.converter(from: list.format, to: format).convert(list.slice, to: self.list.slice)
    }

    /// Reads a file from where its reader stands up to its end.
    /// - Parameter byteLimit: the most bytes it may take; 1 GiB, where nothing else is said, is 46 minutes of stereo at
    ///   48 kHz.
    /// - Throws: `SamplerError.unreadable`, `incomplete` where not all of it has arrived, `unsupportedFormat`,
    ///   `tooLarge`.
    public init(_ reader: any AudioFrameReader, byteLimit: Int = 1 << 30) throws(SamplerError) {
        format = AudioFormat(sampleRate: reader.format.sampleRate, channels: reader.format.channels)
        list = try SampleLoading.readAll(reader, as: format, byteLimit: byteLimit)
        frames = list.frameLength
    }

    /// Interleaved, `frames × channels`, valid as long as the buffer lives.
    var samples: UnsafePointer<Float> { UnsafePointer(list.slice.plane(0).assumingMemoryBound(to: Float.self)) }
}
