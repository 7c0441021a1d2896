// SPDX-License-Identifier: GPL-3.0-or-later
import AudioDecoding
import Media

/// Brings the frames of items of one format to the ring's rate and channels, and keeps what it made until the ring
/// takes it.
///
/// Nothing is drained between one item and the next: what sounds around the border is made of both, and the border
/// falls where the frames before it, counted and rounded once, say.
final class OutputConverter {
    private let resampler: Resampler
    private var made: PCMBuffer
    /// Frames of `made` that were taken already.
    private var taken = 0
    /// The number of the next frame to be taken.
    private var next: Int64 = 0
    /// Source frames put in, and how many of them since the last border.
    private var fed: Int64 = 0
    private var fedSinceBorder: Int64 = 0
    /// The frames before which the items put in end, ascending; those passed are gone.
    private var borders: [Int64] = []
    /// What lies beyond the last border is not wanted any more.
    private var isCut = false
    /// Everything that was inside is made.
    private var isDrained = false

    /// - Parameter carry: what was made before is short of, so that rounding never adds up over a playlist.
    init(from source: AudioFormat, to output: AudioFormat, carry: Double) throws(DecodingError) {
        resampler = try Resampler(from: source, to: output, carry: carry)
        let growth = Double(output.sampleRate) / Double(source.sampleRate)
        made = PCMBuffer(format: output, capacity: Int(growth * Double(ItemReader.blockCapacity)) + 4096)
    }

    var source: AudioFormat { resampler.source }
    var carry: Double { resampler.carry }

    /// What is made of the first item inside and was not taken.
    var ready: UnsafeBufferPointer<Float> {
        let untaken = Int64(made.frames - taken)
        let count = Int(min(untaken, (borders.first ?? (isCut ? next : .max)) - next))
        let channels = made.format.channels
        return UnsafeBufferPointer(rebasing: made.samples[(taken * channels)..<((taken + count) * channels)])
    }

    /// Everything of the first item inside was taken, and it has ended.
    var isAtBorder: Bool { borders.first == next }
    /// Nothing more can be put in, and there is nothing left to take.
    var isOver: Bool { borders.isEmpty && (isCut || isDrained && made.frames == 0) }
    /// It was cut, and what is wanted of it is still inside.
    var isCutShort: Bool { isCut && !isDrained && !borders.isEmpty && made.frames == 0 }

    /// Takes the samples that `ready` shows.
    func takeReady() {
        let frames = ready.count / made.format.channels
        taken += frames
        next += Int64(frames)
        guard taken == made.frames else { return }
        made.removeAll()
        taken = 0
    }

    func passBorder() { borders.removeFirst() }

    /// Puts in samples of the item being read; all that was made before must have been taken.
    func convert(_ samples: UnsafeBufferPointer<Float>) {
        let frames = Int64(samples.count / source.channels)
        fed += frames
        fedSinceBorder += frames
        resampler.convert(samples) { samples, _ in made.append(samples) }
    }

    /// The item being read has ended; what comes next is another one's.
    func endItem() {
        borders.append(resampler.outputFrame(ofSource: fed))
        fedSinceBorder = 0
    }

    /// Makes what is still inside. Nothing can be put in afterwards; all that was made before must have been taken.
    func drain() {
        isDrained = true
        do throws(DecodingError) {
            try resampler.drain { samples, _ in made.append(samples) }
        } catch {
            // All is out by then: only samples of a next piece would have needed what could not be set up.
        }
        // What was made is what there is, should the last border have been promised more or less.
        let end = next + Int64(made.frames)
        borders = borders.map { min($0, end) }
        if fedSinceBorder == 0, !isCut, !borders.isEmpty { borders[borders.count - 1] = end }
    }

    /// Gives up all but the first `items` items inside, which have ended.
    func cut(keeping items: Int) {
        guard fedSinceBorder > 0 || borders.count > items else { return }
        borders.removeLast(borders.count - items)
        isCut = true
    }
}
