// SPDX-License-Identifier: GPL-3.0-or-later
import AudioDecoding
import Media

/// Brings the frames of one item to the ring's rate and channels, and keeps what it made until the ring takes it.
final class OutputConverter {
    private let resampler: Resampler
    private(set) var made: PCMBuffer

    /// - Parameter carry: what the item before was short of, so that rounding never adds up over a playlist.
    init(from source: AudioFormat, to output: AudioFormat, carry: Double) throws(DecodingError) {
        resampler = try Resampler(from: source, to: output, carry: carry)
        let growth = Double(output.sampleRate) / Double(source.sampleRate)
        made = PCMBuffer(format: output, capacity: Int(growth * Double(ItemReader.blockCapacity)) + 4096)
    }

    var source: AudioFormat { resampler.source }
    var carry: Double { resampler.carry }

    func convert(_ samples: UnsafeBufferPointer<Float>) {
        resampler.convert(samples) { samples, _ in made.append(samples) }
    }

    /// The item ends: makes what is still inside.
    func drain() throws(DecodingError) {
        try resampler.drain { samples, _ in made.append(samples) }
    }

    func takeMade() { made.removeAll() }
}
