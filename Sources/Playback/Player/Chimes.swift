// SPDX-License-Identifier: GPL-3.0-or-later
import AudioBuffers
import AudioEngine
import Glibc
import Media
import Synchronization

/// Short sounds mixed over playback, for example as a sign that a timer is about to end it.
///
/// They are played at a fixed loudness and change neither positions nor durations.
public final class Chimes: Sendable {
    private struct Output: Sendable {
        let sampler: Sampler
        let sampleRate: Int
        /// Made for the first chime: that takes milliseconds and a quarter of a megabyte, and most listeners hear none.
        var chime: SampleBuffer?
        /// The events of the sampler. They are not awaited: finished chimes are released when the next one starts.
        let events: EventThread
    }

    /// `nil` while no output is open.
    private let output = Mutex<Output?>(nil)

    public init() {}

    /// Plays the chime once, from the next slice on.
    /// - Returns: true if there is an output and not too many chimes are playing.
    @discardableResult
    public func ring() -> Bool {
        let ready = output.withLock { output in
            if let current = output, current.chime == nil {
                output?.chime = try? SampleBuffer(Self.bell(sampleRate: current.sampleRate))
            }
            return output
        }
        guard let output = ready, let chime = output.chime else { return false }
        output.events.drain()
        return (try? output.sampler.start(chime)) != nil
    }

    /// Returns a source that mixes the chimes over `source`.
    func overlay(on source: any RenderSource, _ format: AudioFormat) -> any RenderSource {
        let events = EventThread(every: nil)
        let sampler = Sampler(format: format, voices: 4, waiting: 4, events: events)
        output.withLock { $0 = Output(sampler: sampler, sampleRate: format.sampleRate, events: events) }
        return Overlay(of: sampler, on: source, format: format)
    }

    /// Returns two struck tones, a musical third apart, one and a half seconds long, at most a quarter of full scale.
    static func bell(sampleRate: Int) -> AudioBufferList {
        let format = AudioFormat(sampleRate: sampleRate, channels: 1)
        let list = AudioBufferList(format: format, frameCapacity: sampleRate * 3 / 2)
        let samples = list.slice.plane(0).assumingMemoryBound(to: Float.self)
        for frame in 0..<list.frameLength {
            let time = Double(frame) / Double(sampleRate)
            let sound = struck(659.26, at: time) + struck(523.25, at: time - 0.25)
            // The last tenth of a second fades out, so that the end does not click.
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
