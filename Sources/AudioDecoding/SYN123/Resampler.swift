// SPDX-License-Identifier: GPL-3.0-or-later
import AudioBuffers
public import Media

/// Converts PCM to another sample rate and channel count, with libsyn123.
///
/// Output frame 0 sounds together with source frame 0: the library's latency is taken off in front, and `drain` gets
/// the tail out. N source frames and a `drain` make round(N × ratio + carry) output frames, whatever the cuts. It
/// survives the border between items of one format: just keep feeding. Where rate and channels are the same, what comes
/// in is handed on uncopied. Confined to one thread.
public final class Resampler {
    public let source: AudioFormat
    public let output: AudioFormat
    /// The part of an output frame by which all drained so far fell short, −0.5 to 0.5; give it to the resampler of the
    /// next item and a playlist's total is never off by more than half a frame.
    public private(set) var carry: Double

    private let ratio: FrameRatio
    /// `nil` where the rates are the same.
    private let converter: RateConverter?
    /// To the output's channel count, where that differs.
    private let mixer: SampleConverter
    private let mixed: AudioBufferList
    /// Source frames taken and output frames put out since the last drain or reset.
    private var taken: Int64 = 0
    private var emitted: Int64 = 0

    /// Interleaved samples of `output`, and the output frame they begin with, counted from the last drain or reset.
    /// Called with no empty run; the samples are valid during the call.
    public typealias Emit = (UnsafeBufferPointer<Float>, Int64) -> Void

    /// - Throws: `DecodingError.unsupportedRate` when a rate is not positive or one is more than 64 times the other.
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
        mixer = try .byNumber(from: source.channels, to: output)
        mixed = AudioBufferList(format: output, frameCapacity: source.channels == output.channels ? 0 : widest)
    }

    /// Takes interleaved samples of `source` and puts out what they make.
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

    /// Puts out what is still inside; the next samples begin a new piece, whose output frames count from 0.
    /// - Throws: `DecodingError.cannotStart` when the library cannot be set up for the next piece.
    public func drain(emit: Emit) throws(DecodingError) {
        let total = ratio.output(for: taken, carry: carry)
        try endPiece(at: total.frames, owed: total.carry, emit)
    }

    /// Puts out what is still inside, so that the piece has `frames` frames in all; the carry stays.
    /// - Throws: as `drain(emit:)` does.
    public func drain(to frames: Int64, emit: Emit) throws(DecodingError) {
        try endPiece(at: frames, owed: carry, emit)
    }

    private func endPiece(at frames: Int64, owed: Double, _ emit: Emit) throws(DecodingError) {
        defer { (taken, emitted) = (0, 0) }
        guard let converter else { return }
        converter.drain(frames - emitted) { widen($0, emit) }
        // Should more have been put out than was due, the next piece pays for it.
        carry = owed + Double(frames - emitted)
        try converter.reset()
    }

    /// Forgets what is inside, as after a seek.
    public func reset() throws(DecodingError) {
        (taken, emitted) = (0, 0)
        try converter?.reset()
    }

    /// The first output frame of source frame `frame`, both counted from the last drain or reset: where the border
    /// between two items falls that were fed without a drain.
    public func outputFrame(ofSource frame: Int64) -> Int64 {
        // Where the rates are the same no rounding can be owed.
        converter == nil ? frame : ratio.output(for: frame, carry: carry).frames
    }

    /// The source frame that sounds with output frame `frame`, both counted from the last drain or reset.
    public func sourceFrame(ofOutput frame: Int64) -> Int64 { ratio.source(at: frame) }
}

extension Resampler {
    private func pass(_ samples: UnsafeBufferPointer<Float>, _ emit: Emit) {
        taken += Int64(samples.count / source.channels)
        put(samples, emit)
    }

    /// Takes channels away before the rate is converted; `widen` adds them after it: the converter has less to do.
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
        let frames = mixer.convert(slice, to: mixed.room)
        return UnsafeBufferPointer(
            start: mixed.room.plane(0).assumingMemoryBound(to: Float.self), count: frames * output.channels)
    }

    private func put(_ samples: UnsafeBufferPointer<Float>, _ emit: Emit) {
        guard !samples.isEmpty else { return }
        emit(samples, emitted)
        emitted += Int64(samples.count / output.channels)
    }
}

extension SampleConverter {
    fileprivate static func byNumber(
        from channels: Int, to output: AudioFormat
    ) throws(DecodingError) -> SampleConverter {
        do throws(AudioConversionError) {
            return try SampleConverter(
                from: AudioFormat(sampleRate: output.sampleRate, channels: channels), to: output,
                matrix: .byNumber(from: channels, to: output.channels))
        } catch {
            throw .cannotStart(operation: "mixing channels", reason: "\(channels) to \(output.channels)")
        }
    }
}
