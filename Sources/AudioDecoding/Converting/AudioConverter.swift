// SPDX-License-Identifier: GPL-3.0-or-later
public import AudioBuffers
public import Media

/// Converts PCM of any format to any other, its rate included: what `AVAudioConverter` is elsewhere.
///
/// Where the rates are the same it does what `SampleConverter` does, bit by bit. Otherwise the sound goes through
/// libsyn123 as Float32, in as few channels as either side has; output frame 0 sounds together with source frame 0, and
/// N frames and a `drain` make round(N × ratio) frames, however they are cut: `outputFrames(for:)`. What is not a
/// number is silent, for it would stay in the filters for ever. Confined to one thread; allocates when it is made.
///
///     let converter = try AudioConverter(from: file.format, to: AudioFormat(sampleRate: 48000, channels: 2))
///     converter.convert(block) { ring.write($0) }
///     try converter.drain { ring.write($0) }
public final class AudioConverter {
    public let source: AudioFormat
    public let target: AudioFormat

    /// What it makes, from the front of a slice that is valid during the call, with a frame at least.
    public typealias Emit = (AudioBufferSlice) -> Void

    private static let block = 1152

    /// To the target itself where the rates are the same, else to what the resampler takes.
    private let front: SampleConverter
    private let prepared: AudioBufferList
    /// `nil` where the rates are the same.
    private let resampling: Resampling?

    /// - Parameter matrix: `nil` is `ChannelMatrix.standard`.
    /// - Throws: `AudioConversionError`: a rate that is not positive, or 64 times the other and more; a number of
    ///   channels that is not 1...256; a matrix for others; a library that does not start.
    public init(
        from source: AudioFormat, to target: AudioFormat, matrix: ChannelMatrix? = nil
    ) throws(AudioConversionError) {
        self.source = source
        self.target = target
        if source.sampleRate == target.sampleRate {
            front = try SampleConverter(from: source, to: target, matrix: matrix)
            resampling = nil
        } else {
            // Channels are taken away before the rate is converted, and added after it.
            let mixesFirst = source.channels >= target.channels
            let few = (mixesFirst ? target : source).rendered(at: source.sampleRate)
            front = try SampleConverter(from: source, to: few, matrix: mixesFirst ? matrix : nil)
            resampling = try Resampling(from: few, to: target, matrix: mixesFirst ? nil : matrix)
        }
        prepared = AudioBufferList(format: front.target, frameCapacity: Self.block)
    }

    /// Takes frames of `source`, and puts out what they make.
    /// - Returns: the frames taken: all, or 0 of a slice in another format.
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

    /// Puts out what is still inside. The next frames begin a new piece.
    /// - Throws: `AudioConversionError.cannotStart` when the library cannot be set up for the next piece.
    public func drain(emit: Emit) throws(AudioConversionError) { try resampling?.drain(emit) }

    /// Forgets what is inside, as after a seek.
    /// - Throws: as `drain` does.
    public func reset() throws(AudioConversionError) { try resampling?.reset() }

    /// The frames of `target` that so many of `source` and a `drain` make: their number times the ratio of the rates,
    /// rounded to the nearest. What rounding took from the pieces drained before is part of it, so that no error adds
    /// up over many of them.
    public func outputFrames(for sourceFrames: Int64) -> Int64 {
        resampling?.outputFrames(for: sourceFrames) ?? max(0, sourceFrames)
    }
}

extension AudioFormat {
    /// The same channels as the render path has them.
    fileprivate func rendered(at rate: Int) -> AudioFormat {
        AudioFormat(sampleRate: rate, channels: channels, layout: layout)
    }
}
