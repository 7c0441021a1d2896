// SPDX-License-Identifier: GPL-3.0-or-later
import AudioBuffers
import AudioEngine
import AudioFiles
import Glibc
import Media

/// A way of playing.
enum Way: String, CaseIterable {
    case forward, backward, loop, faster
}

/// Several streams of one file, each at a different position, rendered in turn.
final class Streams {
    private static let slice = 1024
    private let sources: [StreamingSource]
    private let output: UnsafeMutablePointer<Float>
    private let format: AudioFormat

    /// - Parameter seconds: The length of the loop.
    init(
        _ count: Int, of path: String, _ way: Way, options: StreamingSource.Options, seconds: Int = 10
    ) throws {
        sources = try (0..<count).map { number in
            let reader = try AudioFileReader(path: path)
            let length = reader.length.frames ?? 0
            let source = try StreamingSource(reader, options: options)
            try source.seek(to: length / 2 + length / 4 * Int64(number) / Int64(count))
            try Self.take(way, source, loopFrames: Int64(seconds * source.format.sampleRate))
            source.play()
            return source
        }
        format = sources.first?.format ?? AudioFormat(sampleRate: 44_100, channels: 2)
        output = .allocate(capacity: Self.slice * format.channels)
    }

    deinit { output.deallocate() }

    private static func take(_ way: Way, _ source: StreamingSource, loopFrames: Int64) throws {
        switch way {
        case .forward: return
        case .backward: source.setDirection(.backward)
        case .faster: try source.setRate(1.5)
        case .loop:
            source.prime(frames: 1)
            let start = source.status.frame
            try source.setLoop(StreamLoop(from: start, to: start + loopFrames, crossfade: 441))
        }
    }

    /// The number of frames that were requested but not available.
    var missing: Int { sources.reduce(0) { $0 + $1.status.starvedFrames } }

    /// Renders as fast as possible.
    func render(seconds: Int) throws {
        for _ in 0..<(seconds * format.sampleRate / Self.slice) {
            for source in sources {
                source.prime(frames: Self.slice)
                _ = source.render(into: output, frames: Self.slice, at: 0)
            }
        }
    }

    /// Renders at the pace of a device, after half a second in which the rings are filled.
    func renderInRealTime(seconds: Int) {
        usleep(500_000)
        let start = ContinuousClock.now
        for slice in 0..<(seconds * format.sampleRate / Self.slice) {
            let due = start + format.duration(ofFrames: Int64(slice * Self.slice))
            while ContinuousClock.now < due { usleep(1000) }
            for source in sources { _ = source.render(into: output, frames: Self.slice, at: 0) }
        }
    }
}

/// A baseline that reads the same audio and copies it once.
final class PlainReading {
    private static let slice = 1024
    private let readers: [AudioFileReader]
    private var block: AudioBufferList
    private let output: UnsafeMutablePointer<Float>

    init(_ count: Int, of path: String) throws {
        readers = try (0..<count).map { number in
            let reader = try AudioFileReader(path: path)
            let length = reader.length.frames ?? 0
            try reader.seek(to: length / 2 + length / 4 * Int64(number) / Int64(count))
            return reader
        }
        let format = readers.first?.format ?? AudioFormat(sampleRate: 44_100, channels: 2)
        block = AudioBufferList(format: format, frameCapacity: Self.slice)
        output = .allocate(capacity: Self.slice * format.channels)
    }

    deinit { output.deallocate() }

    func read(seconds: Int) {
        for _ in 0..<(seconds * block.format.sampleRate / Self.slice) {
            for reader in readers {
                guard case .frames = try? reader.read(into: &block) else { continue }
                block.withSlice { _ = memcpy(output, $0.plane(0), $0.bytesPerPlane) }
            }
        }
    }
}

/// Returns the processor time of `work` in all threads, in seconds.
func processorTime(of work: () throws -> Void) rethrows -> Double {
    let start = processorTime()
    try work()
    return processorTime() - start
}

private func processorTime() -> Double {
    var time = timespec()
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time)
    return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
}
