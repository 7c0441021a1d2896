// SPDX-License-Identifier: GPL-3.0-or-later
import AudioBuffers
public import Media

/// A converter of PCM to another sample rate and channel count with libsyn123.
///
/// Output frame 0 has the same time as source frame 0: the resampler removes the library's latency at the front, and
/// `drain` returns the tail. N source frames and a `drain` yield round(N × ratio + carry) output frames, for any
/// division of the input into blocks. Consecutive items of one format can be fed without a drain between them. If
/// rate and channel count are the same, the input is passed through without a copy. Confined to one thread.
public final class Resampler {
    public let source: AudioFormat
    public let output: AudioFormat
    /// The accumulated rounding error of all drained pieces in output frames, −0.5 to 0.5. Pass it to the resampler
    /// of the next item to keep the total length of a playlist accurate to half a frame.
    public private(set) var carry: Double

    private let ratio: FrameRatio
    /// `nil` if the rates are the same.
    private let converter: RateConverter?
    /// Converts to the channel count of the output if it differs.
    private let mixer: SampleConverter
    private let mixed: AudioBufferList
    /// Source frames accepted and output frames emitted since the last drain or reset.
    private var taken: Int64 = 0
    private var emitted: Int64 = 0

    /// Receives interleaved samples of `output` and the number of their first output frame since the last drain or
    /// reset. Never receives an empty run; the samples are valid during the call.
    public typealias Emit = (UnsafeBufferPointer<Float>, Int64) -> Void

    /// - Throws: `DecodingError.unsupportedRate` if a rate is not positive or one rate is at least 64 times the
    ///   other.
    public init(from source: AudioFormat, to output: AudioFormat, carry: Double = 0) throws(DecodingError) {
        let rates = [source.sampleRate, output.sampleRate].sorted()
        guard rates[0] > 0, rates[1] / rates[0] < 64 else {
            throw .unsupportedRate(from: source.sampleRate, to: output.sampleRate)
        }
        self.source = source
        self.output = output
        self.carry = carry
        ratio = FrameRatio(from: source.sampleRate, to: output.sampleRate)
        converter =
            source.sampleRate == output.sampleRate
            ? nil : try RateConverter(ratio, channels: min(source.channels, output.channels))
        let widest = max(RateConverter.inputFrames, converter?.outputLimit ?? 0)
        mixer = try .mixing(source, into: output)
        mixed = AudioBufferList(format: output, frameCapacity: source.channels == output.channels ? 0 : widest)
    }

    /// Converts interleaved samples of `source` and emits the result.
    public func convert(_ samples: UnsafeBufferPointer<Float>, emit: Emit) {
        if source == output { return pass(samples, emit) }
        let block = RateConverter.inputFrames * source.channels
        for start in stride(from: 0, to: samples.count, by: block) {
            let part = UnsafeBufferPointer(rebasing: samples[start..<min(start + block, samples.count)])
            taken += Int64(part.count / source.channels)
            narrow(part) { part in
                guard let converter else { return widen(part, emit) }
                converter.convert(part) { widen($0, emit) }
            }
        }
    }

    /// Emits the buffered rest of the piece. The next samples begin a new piece, whose output frames are counted from
    /// 0.
    /// - Throws: `DecodingError.cannotStart` if the library cannot be set up for the next piece.
    public func drain(emit: Emit) throws(DecodingError) {
        let total = ratio.output(for: taken, carry: carry)
        try endPiece(at: total.frames, owed: total.carry, emit)
    }

    /// Emits the buffered rest so that the piece has `frames` frames in total. The carry does not change.
    /// - Throws: the errors of `drain(emit:)`.
    public func drain(to frames: Int64, emit: Emit) throws(DecodingError) {
        try endPiece(at: frames, owed: carry, emit)
    }

    private func endPiece(at frames: Int64, owed: Double, _ emit: Emit) throws(DecodingError) {
        defer { (taken, emitted) = (0, 0) }
        guard let converter else { return }
        converter.drain(frames - emitted) { widen($0, emit) }
        // If the piece became longer than planned, the next piece compensates for it.
        carry = owed + Double(frames - emitted)
        try converter.reset()
    }

    /// Discards the buffered input, for example after a seek.
    public func reset() throws(DecodingError) {
        (taken, emitted) = (0, 0)
        try converter?.reset()
    }

    /// Returns the first output frame of source frame `frame`, both counted from the last drain or reset. For items
    /// fed without a drain between them, this is the position of the boundary.
    public func outputFrame(ofSource frame: Int64) -> Int64 {
        // Equal rates cause no rounding error.
        converter == nil ? frame : ratio.output(for: frame, carry: carry).frames
    }

    /// Returns the source frame that has the same time as output frame `frame`, both counted from the last drain or
    /// reset.
    public func sourceFrame(ofOutput frame: Int64) -> Int64 { ratio.source(at: frame) }
}

extension Resampler {
    private func pass(_ samples: UnsafeBufferPointer<Float>, _ emit: Emit) {
        taken += Int64(samples.count / source.channels)
        put(samples, emit)
    }

    /// Removes channels before the rate conversion, and `widen` adds channels after it, so that the converter
    /// processes as few channels as possible.
    private func narrow(
        _ samples: UnsafeBufferPointer<Float>, _ body: (UnsafeBufferPointer<Float>) -> Void
    ) {
        guard source.channels > output.channels else { return body(samples) }
        body(mix(samples))
    }

    private func widen(_ samples: UnsafeBufferPointer<Float>, _ emit: Emit) {
        guard source.channels < output.channels else { return put(samples, emit) }
        put(mix(samples), emit)
    }

    private func mix(_ samples: UnsafeBufferPointer<Float>) -> UnsafeBufferPointer<Float> {
        guard let slice = AudioBufferSlice(reading: samples, format: mixer.source) else { return samples }
        let frames = mixer.convert(slice, to: mixed.allFrames)
        return UnsafeBufferPointer(
            start: mixed.allFrames.plane(0).assumingMemoryBound(to: Float.self), count: frames * output.channels)
    }

    private func put(_ samples: UnsafeBufferPointer<Float>, _ emit: Emit) {
        guard !samples.isEmpty else { return }
        emit(samples, emitted)
        emitted += Int64(samples.count / output.channels)
    }
}

extension SampleConverter {
    /// Creates a converter of the channels alone: each goes to its loudspeaker, or to those that replace it.
    fileprivate static func mixing(
        _ source: AudioFormat, into output: AudioFormat
    ) throws(DecodingError) -> SampleConverter {
        do throws(AudioConversionError) {
            let channels = AudioFormat(
                sampleRate: output.sampleRate, channels: source.channels, layout: source.layout)
            return try SampleConverter(from: channels, to: output)
        } catch {
            throw .cannotStart(operation: "mixing channels", reason: "\(source.channels) to \(output.channels)")
        }
    }
}
