// SPDX-License-Identifier: GPL-3.0-or-later
import AudioEngine
import Glibc
import Media
import Testing

private let mono = AudioFormat(sampleRate: 1000, channels: 1)
private let stereo = AudioFormat(sampleRate: 1000, channels: 2)
private let atOnce = MixerInputSettings(fade: .zero)

@Suite("Mixer") struct MixerTests {
    private let events = EventThread(every: nil)

    private func mixer(_ format: AudioFormat = mono) -> Mixer {
        Mixer(format: format, maximumFrames: 16, events: events)
    }

    @Test("An empty mixer is silent, and inputs are summed")
    func sum() throws {
        let mixer = mixer()
        #expect(rendered(mixer, 3, format: mono) == [0, 0, 0])
        try mixer.add(frameNumbers(), atOnce)
        try mixer.add(constant(0.5), MixerInputSettings(gain: -2, fade: .zero))
        #expect(rendered(mixer, 40, format: mono, block: 40) == (0..<40).map { Float($0) - 1 })
    }

    @Test("An input that renders fewer frames is silent for the rest, independent of the others")
    func short() throws {
        let mixer = mixer()
        try mixer.add(frameNumbers(end: 2), atOnce)
        try mixer.add(constant(10), atOnce)
        #expect(rendered(mixer, 5, format: mono) == [10, 11, 10, 10, 10])
    }

    @Test("A gain ramp is linear from the requested frame on, for any slice length",
        arguments: [1, 7, 64])
    func ramp(block: Int) throws {
        let mixer = mixer()
        let input = try mixer.add(constant(1), atOnce)
        _ = rendered(mixer, 1, format: mono)
        try input.setGain(0, over: .milliseconds(10), at: .sampleTime(25))
        let heard = rendered(mixer, 60, format: mono, block: block, from: 1)
        let line = (1...10).map { 1 - Float($0) / 10 }
        #expect(heard.prefix(24).allSatisfy { $0 == 1 })
        #expect(zip(heard[24..<34], line).allSatisfy { abs($0 - $1) < 1e-6 })
        #expect(heard.suffix(27).allSatisfy { $0 == 0 })
        #expect(input.gain == 0)
    }

    @Test("Changes apply in the order of their frames, and a change in the past begins immediately")
    func changeOrder() throws {
        let mixer = mixer()
        let input = try mixer.add(constant(1), atOnce)
        _ = rendered(mixer, 10, format: mono)
        try input.setGain(4, over: .zero, at: .sampleTime(14))
        try input.setGain(3, over: .zero, at: .sampleTime(12))
        try input.setGain(2, over: .zero, at: .sampleTime(2))
        #expect(rendered(mixer, 6, format: mono, from: 10) == [2, 2, 3, 3, 4, 4])
    }

    @Test("A host time becomes the frame that is played at that time")
    func moment() throws {
        let graph = RenderGraph(format: mono, hostTimes: .nominal(origin: HostTime(nanoseconds: 0)), events: events)
        let mixer = Mixer(for: graph)
        graph.output = mixer
        let input = try mixer.add(constant(1), atOnce)
        try input.setGain(2, over: .zero, at: .hostTime(HostTime(nanoseconds: 5_000_000)))
        #expect(rendered(graph, 8, format: mono) == [1, 1, 1, 1, 1, 2, 2, 2])
    }

    @Test("A mono input is panned at constant power, and a stereo input keeps its level at the centre", arguments: [
        (-1, 1, 0), (-0.5, cos(Double.pi / 8), sin(Double.pi / 8)), (0, 0.5.squareRoot(), 0.5.squareRoot()), (1, 0, 1),
        (5, 0, 1),
    ] as [(Float, Double, Double)])
    func pan(pan: Float, left: Double, right: Double) throws {
        let mixer = mixer(stereo)
        try mixer.add(constant(1), format: mono, MixerInputSettings(pan: pan, fade: .zero))
        let heard = rendered(mixer, 4, format: stereo)
        for frame in 1..<4 {
            #expect(abs(Double(heard[frame * 2]) - left) < 1e-6)
            #expect(abs(Double(heard[frame * 2 + 1]) - right) < 1e-6)
        }
        let law = PanLaw(pan: pan, channels: 2)
        let power = Double(law.left * law.left + law.right * law.right)
        #expect(abs(power - 2) < 1e-6)
        #expect(PanLaw(pan: 0, channels: 2) == PanLaw(pan: .nan, channels: 2))
    }

    @Test("A stereo input is balanced per channel, and a pan change is linear")
    func balance() throws {
        let mixer = mixer(stereo)
        let input = try mixer.add(FunctionSignal(channels: 2) { _, channel in channel == 0 ? 1 : 10 }, atOnce)
        #expect(rendered(mixer, 2, format: stereo) == [1, 10, 1, 10])
        try input.setPan(-1, over: .milliseconds(4))
        let heard = rendered(mixer, 5, format: stereo, from: 2)
        let end = Float(2.0.squareRoot())
        for (frame, part) in [0.25, 0.5, 0.75, 1, 1].map({ Float($0) }).enumerated() {
            #expect(abs(heard[frame * 2] - (1 + (end - 1) * part)) < 1e-5)
            #expect(abs(heard[frame * 2 + 1] - 10 * (1 - part)) < 1e-5)
        }
        #expect(input.pan == -1)
    }

    @Test("In six channels only the first two are panned, and a mono input goes to those two")
    func surround() throws {
        let six = AudioFormat(sampleRate: 1000, channels: 6)
        let mixer = mixer(six)
        try mixer.add(constant(1, channels: 6), MixerInputSettings(gain: 0.5, pan: 1, fade: .zero))
        try mixer.add(constant(8), format: mono, MixerInputSettings(pan: -1, fade: .zero))
        let heard = rendered(mixer, 2, format: six)
        let right = 0.5 * Float(2.0.squareRoot())
        #expect(heard.suffix(6) == [8, right, 0.5, 0.5, 0.5, 0.5])
    }

    @Test("A muted or non-soloed input is silent after its fade and plays again after the next one")
    func mute() throws {
        let mixer = mixer()
        let (one, other) = (try mixer.add(constant(1)), try mixer.add(constant(10)))
        var frame: Int64 = 0
        func level() -> Float? {
            defer { frame += 20 }
            return rendered(mixer, 20, format: mono, from: frame).last
        }
        #expect(level() == 11)
        one.isMuted = true
        #expect(level() == 10)
        one.isMuted = false
        one.isSoloed = true
        one.isSoloed = true
        #expect(level() == 1)
        other.isSoloed = true
        #expect(level() == 11)
        one.isSoloed = false
        other.isSoloed = false
        #expect(level() == 11)
        one.isSoloed = true
        mixer.remove(one)
        #expect(level() == 10)
    }

    @Test("A removed input fades out, is no longer rendered and is released off the realtime thread")
    func removal() throws {
        let mixer = mixer()
        weak var gone: FunctionSignal?
        do {
            let source = constant(1)
            gone = source
            mixer.remove(try mixer.add(source, MixerInputSettings(fade: .milliseconds(4))))
            let input = try mixer.add(source, atOnce)
            _ = rendered(mixer, 10, format: mono)
            mixer.remove(input)
            mixer.remove(input)
        }
        #expect(rendered(mixer, 3, format: mono, from: 10).last == 0)
        #expect(mixer.inputs.count == 2)
        #expect(gone != nil)
        events.drain()
        #expect(mixer.inputs.count == 0)
        #expect(gone == nil)
    }

    @Test("A non-finite number, an unsupported format or a missing clock is refused without any change")
    func refusals() throws {
        let mixer = mixer(stereo)
        let input = try mixer.add(constant(1, channels: 2), atOnce)
        for number in [Float.nan, .infinity, -.infinity] {
            #expect(throws: MixerError.notFinite) { try input.setGain(number) }
            #expect(throws: MixerError.notFinite) { try input.setPan(number) }
            #expect(throws: MixerError.notFinite) { try mixer.add(constant(1), MixerInputSettings(gain: number)) }
        }
        for format in [AudioFormat(sampleRate: 999, channels: 2), AudioFormat(sampleRate: 1000, channels: 3)] {
            #expect(throws: MixerError.unsupported(format)) { try mixer.add(constant(1), format: format) }
        }
        #expect(throws: MixerError.noClock) { try input.setGain(0, at: .hostTime(.now)) }
        #expect(rendered(mixer, 2, format: stereo).last == 1)
    }

    @Test("Changes beyond the capacity are refused until earlier ones have begun")
    func tooMany() throws {
        let mixer = mixer()
        let input = try mixer.add(constant(1), atOnce)
        var taken = 0
        #expect(throws: MixerError.tooManyChanges) {
            while taken < 1000 {
                try input.setGain(Float(taken), over: .zero, at: .sampleTime(Int64(100 + taken)))
                taken += 1
            }
        }
        #expect(taken == 32)
        let heard = rendered(mixer, 200, format: mono)
        #expect(heard[100..<132] == (0..<32).map { Float($0) }[...])
        try input.setGain(1)
    }

    @Test("Changes of any length and frame do not trap")
    func extremes() throws {
        let mixer = mixer()
        let input = try mixer.add(constant(1), atOnce)
        for length in [Duration.seconds(Int64.max), .seconds(Int64.min), .zero] {
            for frame in [Int64.min, .max] { try input.setGain(0.5, over: length, at: .sampleTime(frame)) }
        }
        #expect(rendered(mixer, 40, format: mono).allSatisfy { $0 >= 0.5 && $0 <= 1 })
    }
}
