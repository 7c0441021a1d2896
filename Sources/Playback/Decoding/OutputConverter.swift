// SPDX-License-Identifier: GPL-3.0-or-later
import AudioDecoding
import Media
import TrackReading

/// A converter from the format of consecutive items to the ring's rate and channels. It keeps its output until the
/// ring accepts it.
///
/// The converter is not drained between items: the samples around a boundary are computed from both items. The
/// position of the boundary is the output frame that corresponds to the number of source frames before it, rounded
/// once.
final class OutputConverter {
    private let resampler: Resampler
    private var made: PCMBuffer
    /// The frames of `made` that were already taken.
    private var taken = 0
    /// The number of the next frame to take.
    private var next: Int64 = 0
    /// The source frames converted so far, and those since the last boundary.
    private var fed: Int64 = 0
    private var convertedSinceBoundary: Int64 = 0
    /// The frames before which the converted items end, ascending, without those already passed.
    private var boundaries: [Int64] = []
    /// True if the samples after the last boundary are no longer needed.
    private var isCut = false
    /// True if all buffered samples were converted.
    private var isDrained = false

    /// - Parameter carry: the rounding error of earlier conversions, so that errors never add up over a playlist.
    init(from source: AudioFormat, to output: AudioFormat, carry: Double) throws(DecodingError) {
        resampler = try Resampler(from: source, to: output, carry: carry)
        let growth = Double(output.sampleRate) / Double(source.sampleRate)
        made = PCMBuffer(format: output, capacity: Int(growth * Double(PCMBlock.maximumFrames)) + 4096)
    }

    var source: AudioFormat { resampler.source }
    var carry: Double { resampler.carry }

    /// The converted samples of the first item that were not taken yet.
    var ready: UnsafeBufferPointer<Float> {
        let untaken = Int64(made.frames - taken)
        let count = Int(min(untaken, (boundaries.first ?? (isCut ? next : .max)) - next))
        let channels = made.format.channels
        return UnsafeBufferPointer(rebasing: made.samples[(taken * channels)..<((taken + count) * channels)])
    }

    /// True if all samples of the first item were taken and the item has ended.
    var isAtBorder: Bool { boundaries.first == next }
    /// True if nothing more can be converted and nothing is left to take.
    var isExhausted: Bool { boundaries.isEmpty && (isCut || isDrained && made.frames == 0) }
    /// True if the converter was cut and still buffers needed samples.
    var isCutShort: Bool { isCut && !isDrained && !boundaries.isEmpty && made.frames == 0 }

    /// Removes the samples that `ready` returns.
    func removeReady() {
        let frames = ready.count / made.format.channels
        taken += frames
        next += Int64(frames)
        guard taken == made.frames else { return }
        made.removeAll()
        taken = 0
    }

    func passBoundary() { boundaries.removeFirst() }

    /// Converts samples of the item being read. All earlier output must have been taken.
    func convert(_ samples: UnsafeBufferPointer<Float>) {
        let frames = Int64(samples.count / source.channels)
        fed += frames
        convertedSinceBoundary += frames
        resampler.convert(samples) { samples, _ in made.append(samples) }
    }

    /// Marks the end of the item being read; the next samples belong to another one.
    func endItem() {
        boundaries.append(resampler.outputFrame(ofSource: fed))
        convertedSinceBoundary = 0
    }

    /// Converts the buffered rest. Nothing can be converted afterwards. All earlier output must have been taken.
    func drain() {
        isDrained = true
        do throws(DecodingError) {
            try resampler.drain { samples, _ in made.append(samples) }
        } catch {
            // The output is complete in this case: only the samples of a next piece would require the failed setup.
        }
        // The last boundary moves to the actual end if more or fewer frames were predicted.
        let end = next + Int64(made.frames)
        boundaries = boundaries.map { min($0, end) }
        if convertedSinceBoundary == 0, !isCut, !boundaries.isEmpty { boundaries[boundaries.count - 1] = end }
    }

    /// Drops all but the first `items` items, which have ended.
    func cut(keeping items: Int) {
        guard convertedSinceBoundary > 0 || boundaries.count > items else { return }
        boundaries.removeLast(boundaries.count - items)
        isCut = true
    }
}
