// SPDX-License-Identifier: GPL-3.0-or-later
import AudioEngine
import AudioFiles
import EarshotTestSupport
import Media
import Synchronization

/// A streaming source that is pulled offline in slices of any size, and its events.
struct OfflineStream {
    final class Log: Sendable {
        private let recordedEvents = Mutex<[StreamingEvent]>([])
        var events: [StreamingEvent] { recordedEvents.withLock { $0 } }
        func note(_ event: StreamingEvent) { recordedEvents.withLock { $0.append(event) } }
    }

    let source: StreamingSource
    let events = EventThread(every: nil)
    private let log = Log()

    init(
        _ reader: sending any AudioFrameReader, options: StreamingSource.Options = .exact, plays: Bool = true
    ) throws(StreamingError) {
        source = try StreamingSource(reader, options: options, events: events) { [log] in log.note($0) }
        if plays { source.play() }
    }

    /// The events so far.
    var streamEvents: [StreamingEvent] {
        events.drain()
        return log.events
    }

    /// Renders until there are `frames` frames or the source renders none.
    func pull(_ frames: Int, slice: Int = 256) -> [Float] {
        var samples: [Float] = []
        while samples.count < frames * source.format.channels {
            let wanted = min(slice, frames - samples.count / source.format.channels)
            guard source.prime(frames: wanted, atMost: .zero) else { break }
            let part = render(wanted)
            samples += part
            if part.isEmpty { break }
        }
        return samples
    }

    /// Renders one slice of the available frames.
    func render(_ frames: Int) -> [Float] {
        [Float](unsafeUninitializedCapacity: frames * source.format.channels) { buffer, count in
            guard let start = buffer.baseAddress else { return }
            count = source.pull(into: start, frames: frames, at: 0) * source.format.channels
        }
    }
}

/// Returns the numbers of `NumberReader` in channel 0.
func numbers(_ frames: some Sequence<Int64>) -> [Float] { frames.map { NumberReader.number(frame: $0, channel: 0) } }
