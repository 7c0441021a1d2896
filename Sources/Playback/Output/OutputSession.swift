// SPDX-License-Identifier: GPL-3.0-or-later
import AudioEngine
import AudioOutput

/// The state of the output: its volume, its present outage, and the frames that the device took.
struct OutputSession {
    private(set) var volume: Double
    /// A factor for the volume, which the sleep timer lowers.
    var fade = 1.0 { didSet { if fade != oldValue { control?.gain = gain } } }
    /// The factor for all samples.
    var gain: Double { volume * fade }
    private(set) var control: VolumeControl?
    /// The source that the device pulls from; `nil` until the output is opened.
    private(set) var source: (any RenderSource)?
    /// The present outage; `nil` while the output is available.
    var outage: OutputOutage?
    var suspension = DeviceSuspension()
    /// The reason why the output could not be prepared, until it is reported.
    var preparationError: AudioOutputError?
    /// True if the device asked for frames that were not available.
    var isStarved = false
    /// The frames that the device took, and those of them that it played.
    var timeline = RenderedTimeline()

    init(volume: Double) { self.volume = volume }

    /// Notes that the device pulls from `source`, whose volume is set by `control`.
    mutating func open(_ control: VolumeControl, pulling source: any RenderSource) {
        (self.control, self.source) = (control, source)
    }

    /// Sets the volume within 0 ... 1.5; no effect if the value is not finite.
    mutating func setVolume(_ value: Double) {
        guard value.isFinite else { return }
        volume = max(0, min(1.5, value))
        control?.gain = gain
    }
}
