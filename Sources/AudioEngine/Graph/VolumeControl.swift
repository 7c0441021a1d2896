// SPDX-License-Identifier: GPL-3.0-or-later
public import Media
import Synchronization

/// A source that renders another source louder or softer. Each change takes 10 ms.
public final class VolumeControl: RenderSource {
    /// The range of gains.
    public static let range: ClosedRange<Double> = 0...1.5

    private let source: any RenderSource
    private let channels: Int
    private let target: Atomic<UInt32>
    private let turn = RenderTurn()
    /// Dereferenced only while `render` holds `turn`, which admits one call at a time.
    private nonisolated(unsafe) let ramp: UnsafeMutablePointer<GainRamp>

    /// - Parameter format: the format of `source`.
    public init(_ source: any RenderSource, format: AudioFormat, gain: Double = 1) {
        self.source = source
        channels = format.channels
        let start = Float(Self.clamp(gain) ?? 1)
        target = Atomic(start.bitPattern)
        ramp = .allocate(capacity: 1)
        ramp.initialize(to: GainRamp(gain: start, length: format.sampleRate / 100))
    }

    deinit { ramp.deallocate() }

    /// The gain; 1 leaves every sample unchanged. A value outside `range` is clamped; NaN changes nothing. Any thread
    /// may use it.
    public var gain: Double {
        get { Double(Float(bitPattern: target.load(ordering: .relaxed))) }
        set {
            guard let gain = Self.clamp(newValue) else { return }
            target.store(Float(gain).bitPattern, ordering: .relaxed)
        }
    }

    public var renderedSources: [any RenderSource] { [source] }

    public func render(into output: UnsafeMutablePointer<Float>, frames: Int, at outputFrame: Int64) -> Int {
        guard turn.begin() else { return 0 }
        defer { turn.end() }
        let rendered = min(max(0, source.render(into: output, frames: frames, at: outputFrame)), max(0, frames))
        let gain = Float(bitPattern: target.load(ordering: .relaxed))
        ramp.pointee.apply(toward: gain, to: output, frames: rendered, channels: channels)
        return rendered
    }

    private static func clamp(_ gain: Double) -> Double? {
        gain.isNaN ? nil : min(max(gain, range.lowerBound), range.upperBound)
    }
}
