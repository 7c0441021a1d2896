// SPDX-License-Identifier: GPL-3.0-or-later
import AudioEngine
import CEngineBaseline
import Media
import Measuring

/// Measures mixing a second of stereo from many mono inputs, each panned.
struct MixingCost {
    private static let format = AudioFormat(sampleRate: 48_000, channels: 2)
    private static let mono = AudioFormat(sampleRate: 48_000, channels: 1)
    private static let slice = 480

    private let inputs: Int
    private let sound: UnsafeMutablePointer<Float>
    private let output: UnsafeMutablePointer<Float>

    /// Copies one slice of audio, as a source in memory does.
    private final class Memory: RenderSource {
        // Never written after initialization.
        private nonisolated(unsafe) let sound: UnsafeMutablePointer<Float>
        init(_ sound: UnsafeMutablePointer<Float>) { self.sound = sound }
        func render(into output: UnsafeMutablePointer<Float>, frames: Int, at outputFrame: Int64) -> Int {
            output.update(from: sound, count: frames)
            return frames
        }
    }

    init(inputs: Int) {
        self.inputs = inputs
        sound = .allocate(capacity: Self.slice)
        for frame in 0..<Self.slice { sound[frame] = Float(frame % 100) / 10_000 }
        output = .allocate(capacity: Self.slice * 2)
    }

    func tell() {
        let ours = cost(metered: false), metered = cost(metered: true), baseline = baselineCost()
        print("""
            {"what": "mix", "inputs": \(inputs), "percent_of_a_core": \(percent(ours)), \
            "metered_percent": \(percent(metered)), "c_percent": \(percent(baseline)), \
            "ratio_to_c": \(rounded(ours / baseline)), "bytes_an_input": \(bytesAnInput())}
            """)
    }

    private func mixer(metered: Bool) -> (RenderGraph, Mixer) {
        let graph = RenderGraph(format: Self.format, maximumSlice: Self.slice, events: EventThread(every: nil))
        let mixer = Mixer(for: graph)
        graph.output = mixer
        for number in 0..<inputs {
            let pan = Float(number) / Float(inputs) * 2 - 1
            let settings = MixerInputSettings(gain: 0.5, pan: pan, isMetered: metered)
            _ = try? mixer.add(Memory(sound), format: Self.mono, settings)
        }
        return (graph, mixer)
    }

    /// Returns the time for mixing one second.
    private func cost(metered: Bool) -> Duration {
        let (graph, mixer) = mixer(metered: metered)
        var frame: Int64 = 0
        let least = EngineCost.least {
            for _ in 0..<100 { frame += Int64(graph.render(into: output, frames: Self.slice, at: frame)) }
        }
        return withExtendedLifetime(mixer) { least }
    }

    /// Returns the time for the same work in C: each source copied, then added; the mix metered.
    private func baselineCost() -> Duration {
        let copies = (0..<inputs).map { _ in UnsafeMutablePointer<Float>.allocate(capacity: Self.slice) }
        defer { for copy in copies { copy.deallocate() } }
        let sources = copies.map { Optional(UnsafePointer($0)) }
        let gains = [Float](repeating: 0.3, count: inputs)
        var (peaks, squares) = ([Float](repeating: 0, count: 2), [0.0, 0.0])
        return EngineCost.least {
            for _ in 0..<100 {
                for copy in copies { copy.update(from: sound, count: Self.slice) }
                sources.withUnsafeBufferPointer { sources in
                    baseline_mix(sources.baseAddress, gains, gains, CInt(inputs), output, CInt(Self.slice))
                }
                baseline_meter(output, CInt(Self.slice), &peaks, &squares)
            }
        }
    }

    private func bytesAnInput() -> Int {
        let before = ProcessUse.now.residentKilobytes
        let all = (0..<10).map { _ in mixer(metered: false) }
        let after = ProcessUse.now.residentKilobytes
        return withExtendedLifetime(all) { (after - before) * 1024 / (10 * inputs) }
    }

    private func percent(_ time: Duration) -> Double { rounded(time / .seconds(1) * 100) }
}

/// Returns the number rounded to a hundredth.
func rounded(_ number: Double) -> Double { (number * 100).rounded() / 100 }
