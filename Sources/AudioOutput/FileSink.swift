// SPDX-License-Identifier: GPL-3.0-or-later
public import AudioEngine
public import Media
import Synchronization

/// Writes the pulled frames to a file, as fast as the source renders. Pulled frames count as played.
public final class FileSink: AudioSink {
    /// The format of the file.
    public enum Container: Sendable {
        /// 32-bit float WAV; RF64 beyond 4 GiB.
        case wav
        /// Interleaved little-endian 32-bit float samples without a header.
        case raw
    }

    private let path: String
    private let container: Container
    private let puller: PullThread
    private let writer = Mutex<SampleFile?>(nil)

    /// - Parameters:
    ///   - path: The path of a new file, or of a device or a pipe; `-` is standard output, for `raw` only.
    ///   - container: The format of the file.
    public init(path: String, container: Container) {
        self.path = path
        self.container = container
        puller = PullThread(pace: .asFastAsPossible)
    }

    deinit { puller.close() }

    /// Opens the file.
    /// - Throws: `cannotWrite`, for example if the file exists; `refused` if the sink is open already.
    public func open(
        _ format: AudioFormat, pulling source: any RenderSource,
        events: @escaping @Sendable (AudioSinkEvent) -> Void
    ) throws(AudioOutputError) {
        guard writer.withLock({ $0 == nil }) else {
            throw .refused(operation: "open \(path)", reason: "the file is already open")
        }
        let writer = try SampleFile(path: path, container: container, format: format)
        do throws(AudioOutputError) {
            try puller.start(format, pulling: source, events: events) { samples throws(AudioOutputError) in
                try writer.append(samples)
            }
        } catch {
            writer.removeIfEmpty()
            throw error
        }
        self.writer.withLock { $0 = writer }
    }

    public func uncork() { puller.uncork() }
    public func cork() { puller.cork() }
    public func flush() { puller.flush() }
    public func takeBack(keeping lead: Duration) -> Int64 { puller.takeBack() }
    public func sourceRefilled() { puller.sourceRefilled() }
    public func drain() { puller.drain() }
    public var playedFrames: Int64 { puller.heardFrames }
    public var hasDevice: Bool { false }
    public var isPaced: Bool { false }

    /// Writes the final sizes. Throws the first write failure, even if it was reported as `lost`.
    public func close() throws(AudioOutputError) {
        let writer = self.writer.withLock { writer in
            defer { writer = nil }
            return writer
        }
        writer?.cancelWaits()
        puller.close()
        try writer?.finish()
    }
}
