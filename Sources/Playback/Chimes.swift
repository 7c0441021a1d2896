// SPDX-License-Identifier: GPL-3.0-or-later
import AudioBuffers
import AudioEngine
import Glibc
import Media
import Synchronization

/// Short sounds over what is played, as a sign to the listener: that a timer is about to end it, say.
///
/// They sound while what is played does, at their own loudness, and change neither positions nor lengths.
public final class Chimes: Sendable {
    private struct Output: Sendable {
        let sampler: Sampler
        let chime: SampleBuffer
        /// Nobody waits for news of it: what has ended is let go of with the next chime.
        let events: EventThread
    }

    /// `nil` while there is no output.
    private let output = Mutex<Output?>(nil)

    public init() {}

    /// Sounds once, from the next slice on.
    /// - Returns: whether there is an output, and not too much at once.
    @discardableResult
    public func ring() -> Bool {
        guard let output = output.withLock({ $0 }) else { return false }
        output.events.drain()
        return (try? output.sampler.start(output.chime)) != nil
    }

    /// What is to be played instead of `source`, so that chimes sound over it.
    func overlay(on source: any RenderSource, _ format: AudioFormat) -> any RenderSource {
        guard let chime = try? SampleBuffer(Self.bell(sampleRate: format.sampleRate)) else { return source }
        let events = EventThread(every: nil)
        let sampler = Sampler(format: format, voices: 4, waiting: 4, events: events)
        output.withLock { $0 = Output(sampler: sampler, chime: chime, events: events) }
        return Overlay(of: sampler, on: source, format: format)
    }

    /// Two struck tones, a third apart, a second and a half long, a quarter of full scale at most.
    static func bell(sampleRate: Int) -> AudioBufferList {
        let format = AudioFormat(sampleRate: sampleRate, channels: 1)
        let list = AudioBufferList(format: format, frameCapacity: sampleRate * 3 / 2)
        let samples = list.slice.plane(0).assumingMemoryBound(to: Float.self)
        for frame in 0..<list.frameLength {
            let time = Double(frame) / Double(sampleRate)
            let sound = struck(659.26, at: time) + struck(523.25, at: time - 0.25)
            // The last tenth falls to nothing, so that the end does not click.
            samples[frame] = Float(0.125 * sound * min(1, (1.5 - time) * 10))
        }
        return list
    }

    private static func struck(_ frequency: Double, at time: Double) -> Double {
        guard time >= 0 else { return 0 }
        let rise = min(1, time * 200)
        return rise * exp(-4 * time) * sin(2 * .pi * frequency * time)
    }
}
