// SPDX-License-Identifier: GPL-3.0-or-later
import AudioBuffers
import AudioEngine
import Media
import Testing

@Suite("Formats and lengths that no device has") struct UnusualFormatTests {
    private let events = EventThread(every: nil)

    @Test("A graph clamps rate, channels and slice length, and renders interleaved Float32", arguments: [
        (0, 0, 1, 1), (-1, -2, 1, 1), (.max, .max, 1 << 24, 1024), (48_000, 2, 48_000, 2),
    ])
    func graph(rate: Int, channels: Int, expectedRate: Int, expectedChannels: Int) {
        let format = AudioFormat(sampleRate: rate, channels: channels, sampleType: .int16, isInterleaved: false)
        let graph = RenderGraph(format: format, maximumSlice: .max, events: events)
        #expect(graph.format == AudioFormat(
            sampleRate: expectedRate, channels: expectedChannels,
            layout: channels == expectedChannels ? format.layout : nil))
        #expect(graph.maximumSlice == 1 << 20)
        #expect(RenderGraph(format: format, maximumSlice: .min, events: events).maximumSlice == 1)
    }

    @Test("Taps, meters, overlays and mixers accept unusual formats too")
    func parts() {
        let format = AudioFormat(sampleRate: 0, channels: -1, isInterleaved: false)
        let tap = Tap(constant(1), format: format, events: events) { _, _ in }
        let metered = Metered(Overlay(of: constant(1), on: tap, format: format), format: format)
        let mixer = Mixer(format: format, maximumFrames: 1, events: events)
        var renderer = OfflineRenderer(mixer, format: format, events: events)
        #expect(metered.meter.channels == 1 && mixer.format.channels == 1)
        #expect(renderer.render(frames: 3).frameLength == 3)
    }

    @Test("A mixer for the longest slice can be created")
    func mixer() {
        let graph = RenderGraph(
            format: AudioFormat(sampleRate: 48_000, channels: 1), maximumSlice: .max, events: events)
        #expect(Mixer(for: graph).format == graph.format)
    }

    @Test("Times at an invalid sample rate do not trap", arguments: [0, -1, .min, .max])
    func times(rate: Int) {
        let format = AudioFormat(sampleRate: rate, channels: 1)
        #expect(format.duration(ofFrames: 0) == .zero && format.frames(in: .zero) == 0)
        #expect(format.duration(ofFrames: 1 << 40) > .zero && format.frames(in: .milliseconds(1500)) > 0)
    }

    @Test("A list with no or a negative number of channels is empty", arguments: [0, -1, .min])
    func channels(number: Int) {
        for isInterleaved in [true, false] {
            let format = AudioFormat(sampleRate: 1, channels: number, isInterleaved: isInterleaved)
            #expect(AudioBufferList(format: format, frameCapacity: 4).frameCapacity == 4)
        }
    }
}
