// SPDX-License-Identifier: GPL-3.0-or-later
import AudioBuffers
public import AudioEngine
import AudioFiles
import AudioOutput
import Logging
import Media
import Synchronization

extension Output {
    /// Plays the first `frames` frames of a graph that `graph(_:)` created, and then ends playback.
    /// - Parameter prepare: called before each block with its length when rendering offline, so that code that reads
    ///   or writes files beside the rendering can catch up. Live, threads do this in time.
    public func play(
        _ graph: RenderGraph, frames: Int64, prepare: @escaping @Sendable (_ frames: Int) -> Void = { _ in }
    ) async throws {
        switch self {
        case .pulse(let sink):
            let pulse = PulseSink(
                sinkName: sink, applicationName: "Earshot example", mediaName: "Example",
                logger: Logger(label: "example"))
            try await play(graph, frames: frames, on: pulse)
        case .null: try await play(graph, frames: frames, on: NullSink(pace: .realTime))
        case .wav(let path): try render(graph, frames: frames, to: path, prepare)
        case .offline: try render(graph, frames: frames, to: nil, prepare)
        }
    }

    private func play(_ graph: RenderGraph, frames: Int64, on sink: any AudioSink) async throws {
        let loss = Loss()
        let playback = GraphPlayback(of: graph, on: sink) { loss.note($0) }
        try playback.start()
        // The graph has no end: playback stops after the last frame has played.
        while playback.playedFrames < frames {
            if let error = loss.error { throw error }
            try await Task.sleep(for: .milliseconds(10))
        }
        try playback.stop()
        graph.events.close()
    }

    private func render(
        _ graph: RenderGraph, frames: Int64, to path: String?, _ prepare: @escaping (Int) -> Void
    ) throws {
        let file = try path.map { path throws(AudioFileError) in
            try AudioFileWriter(
                path: path, fileFormat: AudioFileFormat(
                    type: .wav, sampleRate: graph.format.sampleRate, channels: graph.format.channels,
                    encoding: .float32))
        }
        var checksum = Checksum()
        var renderer = OfflineRenderer(graph) { frames, _ in prepare(frames) }
        let count = try renderer.render(frames: frames) { block throws(AudioFileError) in
            checksum.add(block)
            try file?.write(block)
        }
        try file?.close()
        print("\(count) frames, checksum \(checksum)")
    }
}

/// The first error of the device, reported on its thread.
private final class Loss: Sendable {
    private let first = Mutex<AudioOutputError?>(nil)

    var error: AudioOutputError? { first.withLock { $0 } }

    func note(_ event: AudioSinkEvent) {
        switch event {
        case .lost(let error): first.withLock { $0 = $0 ?? error }
        case .unplugged: first.withLock { $0 = $0 ?? .noServer("the sound device was unplugged") }
        case .pulled, .starved, .drained: break
        }
    }
}

/// A checksum that distinguishes one rendering from another: FNV-1a over the bits of the samples.
private struct Checksum: CustomStringConvertible {
    private var value: UInt64 = 0xcbf2_9ce4_8422_2325

    var description: String {
        let digits = String(value, radix: 16)
        return String(repeating: "0", count: 16 - digits.count) + digits
    }

    mutating func add(_ block: AudioBufferSlice) {
        let samples = block.plane(0).assumingMemoryBound(to: UInt32.self)
        for index in 0..<block.frames * block.format.channels {
            value = (value ^ UInt64(samples[index])) &* 0x100_0000_01b3
        }
    }
}
