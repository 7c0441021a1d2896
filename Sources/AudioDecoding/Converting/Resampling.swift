// SPDX-License-Identifier: GPL-3.0-or-later
import AudioBuffers
import Media

/// The second half of a conversion to another rate: the resampler, and the conversion of its output to the target's
/// format.
final class Resampling {
    private let resampler: Resampler
    private let back: SampleConverter
    private let made: AudioBufferList

    /// - Parameter source: interleaved Float32, as in the render path.
    init(from source: AudioFormat, to target: AudioFormat, matrix: ChannelMatrix?) throws(AudioConversionError) {
        let resampled = AudioFormat(
            sampleRate: target.sampleRate, channels: source.channels, layout: source.layout)
        do {
            resampler = try Resampler(from: source, to: resampled)
        } catch {
            throw AudioConversionError(error)
        }
        back = try SampleConverter(from: resampled, to: target, matrix: matrix)
        made = AudioBufferList(format: target, frameCapacity: 4096)
    }

    /// Converts frames of the source.
    func convert(_ slice: AudioBufferSlice, _ emit: AudioConverter.Emit) {
        let samples = UnsafeBufferPointer(
            start: slice.plane(0).assumingMemoryBound(to: Float.self), count: slice.frames * slice.format.channels)
        resampler.convert(samples) { samples, _ in put(samples, emit) }
    }

    func drain(_ emit: AudioConverter.Emit) throws(AudioConversionError) {
        do throws(DecodingError) {
            try resampler.drain { samples, _ in put(samples, emit) }
        } catch {
            throw AudioConversionError(error)
        }
    }

    func reset() throws(AudioConversionError) {
        do throws(DecodingError) { try resampler.reset() } catch { throw AudioConversionError(error) }
    }

    func outputFrames(for sourceFrames: Int64) -> Int64 {
        // The rates differ by a factor below 64, so this many frames cannot overflow after the conversion.
        resampler.outputFrame(ofSource: min(max(0, sourceFrames), .max >> 7))
    }

    private func put(_ samples: UnsafeBufferPointer<Float>, _ emit: AudioConverter.Emit) {
        guard let slice = AudioBufferSlice(reading: samples, format: resampler.output) else { return }
        var done = 0
        while done < slice.frames {
            let count = back.convert(slice.dropFirst(done), to: made.slice)
            emit(made.slice.dropFirst(0, count: count))
            done += count
        }
    }
}

extension AudioConversionError {
    fileprivate init(_ error: DecodingError) {
        switch error {
        case .unsupportedRate(let from, let to): self = .unsupportedRate(from: from, to: to)
        case .cannotStart(let operation, let reason): self = .cannotStart(reason: "\(operation): \(reason)")
        case .badPacket(let reason): self = .cannotStart(reason: reason)
        case .formatChanged: self = .cannotStart(reason: "the format changed")
        }
    }
}
