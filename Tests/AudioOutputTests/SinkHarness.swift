// SPDX-License-Identifier: GPL-3.0-or-later
import AudioEngine
import AudioOutput
import EarshotTestSupport
import Media
import Synchronization

let stereo = AudioFormat(sampleRate: 44_100, channels: 2)

/// A signal whose samples encode their frame number exactly and are never 0.
enum CountingSignal {
    private static let turn: Int64 = 16_381

    static func samples(_ frames: Range<Int64>) -> [Float] {
        frames.flatMap { frame -> [Float] in
            [Float(frame % turn + 1) / 32_768, -Float(frame / turn + 1) / 32_768]
        }
    }

    /// Returns the frames found in `samples` without silence; -1 for a sample that is neither silence nor the signal.
    static func frames(in samples: [Float]) -> [Int64] {
        stride(from: 0, to: samples.count - 1, by: 2).compactMap { index in
            let (left, right) = (samples[index] * 32_768, -samples[index + 1] * 32_768)
            if left == 0 && right == 0 { return nil }
            let frame = (Int64(right) - 1) * turn + Int64(left) - 1
            return frame >= 0 && self.samples(frame..<frame + 1) == [samples[index], samples[index + 1]] ? frame : -1
        }
    }
}

/// The events of a sink, with a way to wait for them.
final class EventRecorder: Sendable {
    private let recorded = Mutex<[AudioSinkEvent]>([])
    private let news = WakeSignal()

    func record(_ event: AudioSinkEvent) {
        recorded.withLock { $0.append(event) }
        news.signal()
    }

    /// The events except `pulled`.
    var events: [AudioSinkEvent] { recorded.withLock { $0.filter { $0 != .pulled } } }

    /// Waits until `condition` is true; checks it at every event and every 5 ms.
    func wait(atMost limit: Duration = TimeLimit.event, until condition: () -> Bool) -> Bool {
        let end = ContinuousClock.now + limit
        while !condition() {
            guard ContinuousClock.now < end else { return false }
            news.wait(atMost: .milliseconds(5))
        }
        return true
    }

    func wait(for event: AudioSinkEvent, atMost limit: Duration = TimeLimit.event) -> Bool {
        wait(atMost: limit) { events.contains(event) }
    }
}

/// A ring, a sink that pulls from it, and a way to feed the ring.
final class SinkHarness {
    let ring: PCMRing
    let sink: any AudioSink
    let recorder = EventRecorder()
    var generation: UInt32 = 0

    init(_ sink: any AudioSink, capacity: Int = 1 << 16) throws {
        self.sink = sink
        ring = PCMRing(format: stereo, capacity: capacity, renderedRuns: 1 << 16)
        let recorder = recorder
        try sink.open(stereo, pulling: ring) { recorder.record($0) }
    }

    /// Writes frames of the signal in runs of `step`, and waits for space as a decode thread does.
    /// - Returns: False if the ring stayed full.
    @discardableResult
    func feed(_ frames: Range<Int64>, step: Int64 = 1152) -> Bool {
        for start in stride(from: frames.lowerBound, to: frames.upperBound, by: Int(step)) {
            let part = start..<min(start + step, frames.upperBound)
            let run = FrameRun(generation: generation, item: 0, sourceFrame: part.lowerBound, frames: Int32(part.count))
            let samples = CountingSignal.samples(part)
            let written = recorder.wait {
                samples.withUnsafeBufferPointer { ring.write($0, as: run) }
            }
            guard written else { return false }
            sink.sourceRefilled()
        }
        return true
    }

    /// - Returns: True if the sink drained in time.
    func playOut(atMost limit: Duration = TimeLimit.event) -> Bool {
        sink.drain()
        return recorder.wait(for: .drained, atMost: limit)
    }

    /// Returns the runs that the device has pulled.
    func rendered() -> [RenderedRun] {
        Array(sequence(state: ring) { $0.nextRendered() })
    }
}

/// A file in a temporary directory.
struct TemporaryFile {
    let path: String
    private let directory = ScratchDirectory()

    init(_ name: String) { path = directory.path(name) }

    /// The bytes of the file; empty if it does not exist.
    var bytes: [UInt8] { ScratchDirectory.bytes(of: path) }
}

/// Returns little-endian floats.
func floats(_ bytes: some Collection<UInt8>) -> [Float] {
    let bytes = Array(bytes)
    return stride(from: 0, to: bytes.count - 3, by: 4).map { index in
        Float(bitPattern: (0..<4).reduce(UInt32(0)) { $0 | UInt32(bytes[index + $1]) << (8 * $1) })
    }
}
