// SPDX-License-Identifier: GPL-3.0-or-later

/// A stage that changes the speed and keeps the pitch, by dropping or repeating single pitch periods.
///
/// The result consists of exact copies and of crossfades of one or a few periods. Short onsets such as plosives are
/// copied, and the time that this costs is worked off afterwards.
///
/// - The first and the last 10 ms of an item are copies.
/// - The stage holds back up to 143 ms.
/// - After `finish` the output has the length of the input divided by the speed, rounded to a frame, if the item is
///   longer than 0.5 s. Above triple speed it may be up to 10 ms longer, below half speed up to 75 ms shorter.
public struct TimeStretcher: ProcessingStage {
    /// The possible speeds.
    public static let speeds = 0.25...4.0

    /// The frames at both ends of an item that are always copied: 10 ms.
    private let edge: Int
    private var control: SpeedControl
    private var pitch: PitchEstimator
    private var transients: TransientDetector
    private var renderer: SpliceRenderer
    /// The input that is not yet consumed.
    private var pending: MappedAudio
    /// The mono mix of `pending`.
    private var mono: MonoMix

    /// - Parameters:
    ///   - speed: one of `speeds`. At speed 1 the stage only copies.
    ///   - sampleRate: in Hz, greater than 0.
    public init(speed: Double, sampleRate: Int, channels: Int) {
        precondition(Self.speeds.contains(speed), "speed out of range")
        edge = sampleRate / 100
        control = SpeedControl(speed: speed, sampleRate: sampleRate)
        pitch = PitchEstimator(sampleRate: sampleRate)
        transients = TransientDetector(sampleRate: sampleRate)
        renderer = SpliceRenderer(longest: pitch.window * 5, channels: channels)
        pending = MappedAudio(channels: channels)
        mono = MonoMix(channels: channels, history: transients.history)
    }

    public mutating func process(_ input: MappedAudio.Slice, into output: inout MappedAudio) {
        pending.append(input)
        mono.append(input.samples)
        mono.withSamples { transients.process($0, count: mono.frames, from: control.consumed) }
        // More than a step consumes, so that `finish` has enough left to correct the length.
        while pending.frames >= pitch.window * 5 { step(allowance: 0, into: &output) }
    }

    public mutating func finish(into output: inout MappedAudio) {
        let allowance = Double(edge * 3) * control.debtPerCopy
        // At low rates the estimate of a period reads up to 16 frames after its window.
        while pending.frames >= pitch.window * 2 + max(edge, 16) { step(allowance: allowance, into: &output) }
        correctLength(into: &output)
        copy(pending.frames, to: &output)
        restart()
    }

    public mutating func restart() {
        pending.removeAll()
        mono.removeAll()
        control.restart()
        transients.restart()
    }

    /// Copies or splices at the start of `pending`; consumes at most `pitch.window` frames.
    /// - Parameter allowance: debt to work off in advance, at the end of an item, where no transients are kept.
    private mutating func step(allowance: Double, into output: inout MappedAudio) {
        let debt = control.debt + allowance
        transients.removeZones(before: control.consumed)
        guard control.produced >= edge else { return copy(edge - control.produced, to: &output) }
        guard debt > 0 else { return copy(control.copyLength(forDebt: debt), to: &output) }
        let splice = control.splice(period: period(), debt: debt)
        guard allowance == 0, debt < control.budget, let zone = transients.zones.first else {
            return append(splice, to: &output)
        }
        let space = max(0, zone.lowerBound - control.consumed)
        if let splice = splice.fitting(space, shortestFade: control.shortestFade) {
            append(splice, to: &output)
        } else {
            copy(control.copyLength(upTo: zone.upperBound - control.consumed), to: &output)
        }
    }

    /// Makes the length exact by one splice, at the place in `pending` where the sound differs least.
    private mutating func correctLength(into output: inout MappedAudio) {
        let fade = control.shortestFade * 2
        let first = max(0, edge - control.produced)
        let space = Double(max(0, pending.frames - edge - fade - first))
        let jump = Int(control.excess(after: pending.frames).rounded().clamped(to: -space...space))
        guard jump != 0 else { return }
        let starts = stride(from: max(first, -jump), through: first + Int(space) - max(0, jump), by: 8)
        let start = mono.withSamples { mono in
            starts.least { (mono + $0).meanSquareDifference(lag: jump, count: fade) }
        }
        guard let start else { return }
        append(Splice(start: start, target: start + jump, fade: fade), to: &output)
    }

    private mutating func period() -> Int { mono.withSamples { pitch.period(of: $0) } }

    private mutating func copy(_ count: Int, to output: inout MappedAudio) {
        output.append(first: count, of: pending)
        consume(count, produced: count)
    }

    private mutating func append(_ splice: Splice, to output: inout MappedAudio) {
        renderer.append(splice, of: pending, to: &output)
        consume(splice.consumed, produced: splice.produced)
    }

    private mutating func consume(_ count: Int, produced: Int) {
        pending.removeFirst(count)
        mono.removeFirst(count)
        control.count(consumed: count, produced: produced)
    }
}
