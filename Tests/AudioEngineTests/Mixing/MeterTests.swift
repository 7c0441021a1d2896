// SPDX-License-Identifier: GPL-3.0-or-later
import AudioEngine
import Media
import Testing

private let stereo = AudioFormat(sampleRate: 1000, channels: 2)

@Suite("Meter") struct MeterTests {
    @Test("Peak and RMS of each channel cover the last complete window, for any slice length", arguments: [1, 7, 64])
    func windows(block: Int) {
        // The first window is loud, the second has one peak on the left and a square wave on the right.
        let source = FunctionSignal(channels: 2) { frame, channel in
            if frame < 10 { return 1 }
            return channel == 0 ? (frame == 13 ? -0.8 : 0) : (frame % 2 == 0 ? 0.5 : -0.5)
        }
        let metered = Metered(source, format: stereo, window: .milliseconds(10))
        var renderer = OfflineRenderer(metered, format: stereo, block: block)
        _ = renderer.render(frames: 9)
        #expect(metered.meter.reading(channel: 0) == MeterReading(peak: 0, rms: 0))
        _ = renderer.render(frames: 10)
        #expect(metered.meter.reading(channel: 1) == MeterReading(peak: 1, rms: 1))
        _ = renderer.render(frames: 3)
        let (left, right) = (metered.meter.reading(channel: 0), metered.meter.reading(channel: 1))
        #expect(left.peak == 0.8)
        #expect(abs(left.rms - Float(0.064.squareRoot())) < 1e-6)
        #expect(right == MeterReading(peak: 0.5, rms: 0.5))
    }

    @Test("A missing channel reads as silence", arguments: [-1, 2, Int.max])
    func noChannel(channel: Int) {
        #expect(Meter(format: stereo).reading(channel: channel) == MeterReading(peak: 0, rms: 0))
    }

    @Test("The mix is metered, and so is each metered input, after its gain and pan")
    func inMixer() throws {
        let mixer = Mixer(format: stereo, events: EventThread(every: nil))
        let settings = MixerInputSettings(gain: 0.5, pan: 1, fade: .zero, isMetered: true)
        let metered = try mixer.add(
            constant(0.5), format: AudioFormat(sampleRate: 1000, channels: 1), settings)
        let plain = try mixer.add(constant(0.1, channels: 2), MixerInputSettings(fade: .zero))
        _ = rendered(mixer, 200, format: stereo)
        #expect(metered.meter?.reading(channel: 0).peak == 0)
        #expect(metered.meter?.reading(channel: 1).peak == 0.25)
        #expect(abs(mixer.meter.reading(channel: 1).peak - 0.35) < 1e-6)
        #expect(plain.meter == nil)
    }
}
