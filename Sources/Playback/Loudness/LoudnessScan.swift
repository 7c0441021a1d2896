// SPDX-License-Identifier: GPL-3.0-or-later
import AudioProcessing
import Media
import TrackReading

/// A measurement of the loudness of a file that is complete or still arriving: first from the place of playback to the
/// end, then the part before it. Confined to one thread; it only reads what the source has.
final class LoudnessScan {
    enum Step: Equatable {
        case progressed
        /// The next byte is not available yet.
        case waiting
        /// Nothing is left to measure. True if the whole file was measured.
        case ended(isWhole: Bool)
    }

    private let source: any ByteSource
    private let start: TimeTarget
    private var search = TrackFormatSearch()
    private var reader: (any TrackReader)?
    private var format: TrackFormat?
    /// True while the part before `start` is measured.
    private var isBeforeStart = false
    private var meter: LoudnessMeter?
    private var meterFormat: AudioFormat?
    /// The measurement of the parts before the current meter's.
    private var former = LoudnessHistogram()

    init(_ source: any ByteSource, from start: TimeTarget) { (self.source, self.start) = (source, start) }

    /// The measurement so far.
    var histogram: LoudnessHistogram {
        var histogram = former
        if let meter { histogram.merge(meter.histogram) }
        return histogram
    }

    /// Decodes and measures one packet, or performs another bounded step.
    func step() -> Step {
        guard let reader else { return identify() }
        switch reader.step() {
        case .progressed: break
        case .notYetAvailable: return .waiting
        case .ended: return endPart()
        case .lost, .failed: return .ended(isWhole: false)
        }
        if reader.block.frames > 0 { measure(reader.block) }
        return .progressed
    }

    private func identify() -> Step {
        switch search.step(source) {
        case .found(let format):
            self.format = format
            reader = format.makeReader(source, TrackSection(start: start))
            return .progressed
        case .progressed: return .progressed
        case .notYetAvailable: return .waiting
        case .lost, .failed: return .ended(isWhole: false)
        }
    }

    private func endPart() -> Step {
        guard start != .time(.zero), !isBeforeStart, let format, reader?.damage == nil else {
            return .ended(isWhole: reader?.damage == nil && source.downloadProgress.condition == .complete)
        }
        isBeforeStart = true
        meter?.restart()
        reader = format.makeReader(source, TrackSection(end: start, isExact: true))
        return .progressed
    }

    private func measure(_ block: PCMBlock) {
        if block.format != meterFormat {
            former = histogram
            (meter, meterFormat) = (LoudnessMeter(format: block.format), block.format)
        }
        meter?.measure(block.samples)
        block.removeAll()
    }
}
