// SPDX-License-Identifier: GPL-3.0-or-later
public import AudioBuffers
public import Media

/// A converter of PCM from any format to any other, including the sample rate, like `AVAudioConverter`.
///
/// At equal rates the output is bit-identical to that of `SampleConverter`. Otherwise libsyn123 converts the samples
/// as Float32, with the smaller channel count of the two formats. Output frame 0 has the same time as source frame 0,
/// and N frames and a `drain` yield round(N × ratio) frames for any division into blocks: `outputFrames(for:)`. NaN
/// is replaced by silence because it would stay in the filters forever. Confined to one thread; allocates only in the
/// initializer.
///
///     let converter = try AudioConverter(from: file.format, to: AudioFormat(sampleRate: 48000, channels: 2))
///     converter.convert(block) { ring.write($0) }
///     try converter.drain { ring.write($0) }
public final class AudioConverter {
    public let source: AudioFormat
    public let target: AudioFormat

    /// Receives converted frames: a slice of at least one frame that is valid during the call.
    public typealias Emit = (AudioBufferSlice) -> Void

    private static let block = 1152

    /// Converts to the target itself at equal rates, otherwise to the resampler's input format.
    private let front: SampleConverter
    private let prepared: AudioBufferList
    /// `nil` if the rates are the same.
    private let resampling: Resampling?

    /// - Parameter matrix: `nil` means `ChannelMatrix.standard`.
    /// - Throws: `AudioConversionError` if a rate is not positive, one rate is at least 64 times the other, a number
    ///   of channels is not in 1...256, the matrix is for other channel counts, or the library cannot be set up.
    public init(
        from source: AudioFormat, to target: AudioFormat, matrix: ChannelMatrix? = nil
    ) throws(AudioConversionError) {
        self.source = source
        self.target = target
        if source.sampleRate == target.sampleRate {
            front = try SampleConverter(from: source, to: target, matrix: matrix)
            resampling = nil
        } else {
            // Channels are removed before the rate conversion, or added after it.
            let mixesFirst = source.channels >= target.channels
            let few = (mixesFirst ? target : source).rendered(at: source.sampleRate)
            front = try SampleConverter(from: source, to: few, matrix: mixesFirst ? matrix : nil)
            resampling = try Resampling(from: few, to: target, matrix: mixesFirst ? nil : matrix)
        }
        prepared = AudioBufferList(format: front.target, frameCapacity: Self.block)
    }

    /// Converts frames of `source` and emits the result.
    /// - Returns: the number of frames converted: all, or 0 if the slice has another format.
    @discardableResult
    public func convert(_ slice: AudioBufferSlice, emit: Emit) -> Int {
        var taken = 0
        while taken < slice.frames {
            let count = front.convert(slice.dropFirst(taken), to: prepared.slice)
            guard count > 0 else { break }
            let made = prepared.slice.dropFirst(0, count: count)
            if let resampling { resampling.convert(made, emit) } else { emit(made) }
            taken += count
        }
        return taken
    }

    /// Emits the buffered rest. The next frames begin a new piece.
    /// - Throws: `AudioConversionError.cannotStart` if the library cannot be set up for the next piece.
    public func drain(emit: Emit) throws(AudioConversionError) { try resampling?.drain(emit) }

    /// Discards the buffered frames, for example after a seek.
    /// - Throws: the errors of `drain`.
    public func reset() throws(AudioConversionError) { try resampling?.reset() }

    /// Returns the number of frames of `target` that `sourceFrames` frames of `source` and a `drain` yield: their
    /// number times the ratio of the rates, rounded to the nearest. Includes the rounding error of all pieces drained
    /// before, so that errors do not add up over many pieces.
    public func outputFrames(for sourceFrames: Int64) -> Int64 {
        resampling?.outputFrames(for: sourceFrames) ?? max(0, sourceFrames)
    }
}

extension AudioFormat {
    /// Returns the render path's format (interleaved Float32) with the same channels.
    fileprivate func rendered(at rate: Int) -> AudioFormat {
        AudioFormat(sampleRate: rate, channels: channels, layout: layout)
    }
}
