// SPDX-License-Identifier: GPL-3.0-or-later
import AudioBuffers
import AudioEngine
import CVoiceBaseline
import Glibc
import Media

/// A number of looping voices of one buffer.
struct Case {
    static let format = AudioFormat(sampleRate: 48_000, channels: 2)
    static let slice = 512
    /// The number of slices per measurement; the implementations take turns, so that all see the same machine.
    static let slices = 94
    static let rounds = 9

    let voices: Int
    let channels: Int
    private let samples: [Float]

    /// Creates half a second of audio, with an odd number of frames.
    init(voices: Int, channels: Int) {
        self.voices = voices
        self.channels = channels
        samples = (0..<24_001 * channels).map { Float($0 &* 2_654_435_761 & 0xFFFF) / 65_536 - 0.5 }
    }

    func measure() throws {
        let sampler = try started()
        var baseline = baselineVoices()
        var ours = [Float](repeating: 0, count: Self.slice * 2)
        var theirs = ours
        var times: (ours: [Double], theirs: [Double]) = ([], [])
        var difference: Float = 0
        var frame: Int64 = 0
        for _ in 0..<Self.rounds {
            times.ours.append(time {
                for index in 0..<Self.slices {
                    render(sampler, into: &ours, at: frame + Int64(index * Self.slice))
                }
            })
            times.theirs.append(time {
                for _ in 0..<Self.slices {
                    baseline_mix(&baseline, Int32(voices), &theirs, Int32(Self.slice))
                }
            })
            frame += Int64(Self.slices * Self.slice)
            difference = zip(ours, theirs).reduce(difference) { max($0, abs($1.0 - $1.1)) }
        }
        let sdl = channels == 2 ? baseline_sdl(samples, Int32(24_001), Int32(voices), 1) * 1000 : -1
        report(median(times.ours), median(times.theirs), sdl, difference)
    }

    private func report(_ ours: Double, _ theirs: Double, _ sdl: Double, _ difference: Float) {
        let kind = channels == 1 ? "mono  " : "stereo"
        let other = sdl > 0 ? "\(column(sdl, 11)) \(column(sdl / ours, 6))" : "          –      –"
        let own = "\(column(ours, 8)) \(column(theirs, 7)) \(column(ours / theirs, 6))"
        print("\(column(Double(voices), 6, 0)) \(kind) \(own) \(other)   \(difference)")
    }

    private func started() throws -> Sampler {
        let list = AudioBufferList(
            format: AudioFormat(sampleRate: 48_000, channels: channels), frameCapacity: samples.count / channels)
        list.withAllFrames { room in
            let memory = room.plane(0).assumingMemoryBound(to: Float.self)
            for (index, sample) in samples.enumerated() { memory[index] = sample }
        }
        let buffer = try SampleBuffer(list)
        let sampler = Sampler(format: Self.format, voices: voices, events: EventThread(every: nil))
        for voice in 0..<voices {
            try sampler.start(
                buffer, loop: SampleLoop(), gain: 1 / Float(voices), pan: channels == 1 ? pan(voice) : 0)
        }
        return sampler
    }

    private func pan(_ voice: Int) -> Float { Float(voice % 21) / 10 - 1 }

    private func baselineVoices() -> [baseline_voice] {
        let copy = UnsafeMutablePointer<Float>.allocate(capacity: samples.count)
        copy.initialize(from: samples, count: samples.count)
        return (0..<voices).map { voice in
            let law = channels == 1 ? PanLaw(pan: pan(voice), channels: 1) : PanLaw(pan: 0, channels: 2)
            return baseline_voice(
                samples: copy, channels: Int32(channels), frames: Int32(samples.count / channels), position: 0,
                left: law.left / Float(voices), right: law.right / Float(voices))
        }
    }

    private func render(_ sampler: Sampler, into output: inout [Float], at frame: Int64) {
        output.withUnsafeMutableBufferPointer { buffer in
            guard let start = buffer.baseAddress else { return }
            _ = sampler.render(into: start, frames: Self.slice, at: frame)
        }
    }
}

/// Returns the processor time per second of audio, in milliseconds.
private func time(_ body: () -> Void) -> Double {
    var (start, end) = (timespec(), timespec())
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &start)
    body()
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &end)
    let seconds = Double(end.tv_sec - start.tv_sec) + Double(end.tv_nsec - start.tv_nsec) / 1e9
    return seconds * 1000 / (Double(Case.slices * Case.slice) / 48_000)
}

private func median(_ values: [Double]) -> Double { values.sorted()[values.count / 2] }

private func column(_ value: Double, _ width: Int, _ digits: Int = 2) -> String {
    let scale = pow(10, Double(digits))
    let rounded = (value * scale).rounded() / scale
    let text = digits == 0 ? "\(Int(rounded))" : "\(rounded)"
    return String(repeating: " ", count: max(0, width - text.count)) + text
}
