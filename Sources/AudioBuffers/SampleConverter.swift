// SPDX-License-Identifier: GPL-3.0-or-later
public import Media

/// A converter of PCM from one format to another at the same rate: sample type, interleaving, byte order and
/// channels, all in one pass.
///
/// A target channel that is one source channel with a gain of 1 is converted sample by sample: bit by bit if the type
/// stays the same, and exactly if the target's type can represent the value (so no Int32 loses a bit on the way
/// through Float64 and back). Sums are computed in Float64 and rounded once. Floats become integers as in
/// `VectorOperations.convert`. The converter allocates only in `init`, accepts blocks of any size, and may be used in
/// the render path, by one thread at a time.
///
///     let converter = try SampleConverter(from: file, to: AudioFormat(sampleRate: file.sampleRate, channels: 2))
///     let frames = block.withRoom { converter.convert(bytes, to: $0) }
public struct SampleConverter: ~Copyable {
    /// The format of the input.
    public let source: AudioFormat
    /// The format of the output.
    public let target: AudioFormat

    private let plan: ChannelPlan
    /// Memory for two blocks of one channel in any type, for swapping bytes: one of the source, one of the target.
    private let scratch: UnsafeMutableRawPointer
    private let sum: UnsafeMutablePointer<Double>

    /// Creates a converter.
    /// - Parameter matrix: `nil` is `ChannelMatrix.standard`.
    /// - Throws: `AudioConversionError.unsupportedRate` if the rates differ, `unsupportedChannels`, `unusableMatrix`
    ///   if the matrix does not have the channels of both formats or a gain is not finite.
    public init(
        from source: AudioFormat, to target: AudioFormat, matrix: ChannelMatrix? = nil
    ) throws(AudioConversionError) {
        guard source.sampleRate == target.sampleRate else {
            throw .unsupportedRate(from: source.sampleRate, to: target.sampleRate)
        }
        for channels in [source.channels, target.channels] where !(1...256).contains(channels) {
            throw .unsupportedChannels(channels)
        }
        let matrix = matrix ?? .standard(from: source, to: target)
        guard matrix.sources == source.channels, matrix.targets == target.channels else {
            throw .unusableMatrix(reason: "it maps \(matrix.sources) channels to \(matrix.targets)")
        }
        guard matrix.isFinite else { throw .unusableMatrix(reason: "a gain is not a number") }
        self.source = source
        self.target = target
        plan = ChannelPlan(matrix)
        scratch = .allocate(byteCount: 2 * Self.block * 8, alignment: 64)
        sum = .allocate(capacity: Self.block)
    }

    deinit {
        scratch.deallocate()
        sum.deallocate()
    }

    /// The number of samples of one channel in a block.
    private static var block: Int { 512 }

    /// Converts frames from the start of one slice to the start of the other, as many as both have.
    /// - Parameters:
    ///   - input: in the format `source`, except for the rate. It must not overlap `output`.
    ///   - output: in the format `target`, except for the rate.
    /// - Returns: the number of frames converted; 0 if a slice has another format.
    @_noLocks @_noAllocation @discardableResult
    public func convert(_ input: AudioBufferSlice, to output: AudioBufferSlice) -> Int {
        guard input.format.isStored(as: source), output.format.isStored(as: target) else { return 0 }
        let frames = min(input.frames, output.frames)
        if plan.isIdentity && (source.channels == 1 || source.isInterleaved == target.isInterleaved) {
            convertPlanes(input, output, frames)
        } else {
            convertChannels(input, output, frames)
        }
        return frames
    }
}

extension SampleConverter {
    /// Converts plane by plane, independent of the channels in each plane.
    @_noLocks @_noAllocation
    private func convertPlanes(_ input: AudioBufferSlice, _ output: AudioBufferSlice, _ frames: Int) {
        let samples = frames &* (source.isInterleaved ? source.channels : 1)
        var plane = 0
        while plane < source.planes {
            convert(
                SampleRun(input.plane(plane), source.sampleType), to: SampleRun(output.plane(plane), target.sampleType),
                samples)
            plane &+= 1
        }
    }

    @_noLocks @_noAllocation
    private func convertChannels(_ input: AudioBufferSlice, _ output: AudioBufferSlice, _ frames: Int) {
        var frame = 0
        while frame < frames {
            let count = min(Self.block, frames &- frame)
            var channel = 0
            while channel < target.channels {
                make(output.run(channel: channel, from: frame), channel, of: input, from: frame, count)
                channel &+= 1
            }
            frame &+= count
        }
    }

    /// Converts one block of one target channel.
    @_noLocks @_noAllocation
    private func make(
        _ output: SampleRun, _ channel: Int, of input: AudioBufferSlice, from frame: Int, _ count: Int
    ) {
        let terms = plan.count(of: channel)
        if terms == 0 { return output.clear(count: count) }
        if terms == 1 && plan.gain(0, of: channel) == 1 {
            return convert(input.run(channel: plan.source(0, of: channel), from: frame), to: output, count)
        }
        let sum = SampleRun(UnsafeMutableRawPointer(sum), .float64)
        sum.clear(count: count)
        var term = 0
        while term < terms {
            native(input.run(channel: plan.source(term, of: channel), from: frame), count)
                .add(to: self.sum, gain: plan.gain(term, of: channel), count: count)
            term &+= 1
        }
        write(sum, to: output, count)
    }
}

extension SampleConverter {
    /// Converts any number of samples from the source's type and byte order to the target's.
    @_noLocks @_noAllocation
    private func convert(_ input: SampleRun, to output: SampleRun, _ count: Int) {
        if source.sampleType == target.sampleType {
            return input.copy(to: output, count: count, swapping: source.byteOrder != target.byteOrder)
        }
        var done = 0
        while done < count {
            let part = min(Self.block, count &- done)
            write(native(input.dropFirst(done), part), to: output.dropFirst(done), part)
            done &+= part
        }
    }

    /// Returns a block of the source in the machine's byte order.
    @_noLocks @_noAllocation
    private func native(_ input: SampleRun, _ count: Int) -> SampleRun {
        if source.byteOrder == .native { return input }
        let swapped = SampleRun(scratch, source.sampleType)
        input.copy(to: swapped, count: count, swapping: true)
        return swapped
    }

    /// Writes a block of any type, which is in the machine's byte order, in the target's type and byte order.
    @_noLocks @_noAllocation
    private func write(_ samples: SampleRun, to output: SampleRun, _ count: Int) {
        if target.byteOrder == .native { return samples.convert(to: output, count: count) }
        let converted = SampleRun(scratch + Self.block &* 8, target.sampleType)
        samples.convert(to: converted, count: count)
        converted.copy(to: output, count: count, swapping: true)
    }
}

/// An error that explains why PCM cannot be converted. The reasons are phrases without a full stop.
public enum AudioConversionError: Error, Sendable, Equatable {
    /// The format has no channels, or more than 256.
    case unsupportedChannels(Int)
    /// The two rates cannot be converted into each other, or not by this converter.
    case unsupportedRate(from: Int, to: Int)
    /// The matrix is for other numbers of channels, or a gain in it is not finite.
    case unusableMatrix(reason: String)
    /// The library that converts rates could not be initialized.
    case cannotStart(reason: String)
}
