// SPDX-License-Identifier: GPL-3.0-or-later
public import AudioEngine
public import Media

/// A sink without output that pulls in real time or as fast as the source renders.
public final class NullSink: AudioSink {
    /// The pace at which a sink without a device pulls.
    public enum Pace: Sendable {
        /// 20 ms of frames every 20 ms. Time in which the source is dry does not count.
        case realTime
        case asFastAsPossible
    }

    private let puller: PullThread

    /// - Parameter pace: The pace of pulling.
    public init(pace: Pace) { puller = PullThread(pace: pace) }

    deinit { puller.close() }

    public func open(
        _ format: AudioFormat, pulling source: any RenderSource,
        events: @escaping @Sendable (AudioSinkEvent) -> Void
    ) throws(AudioOutputError) {
        try puller.start(format, pulling: source, events: events) { _ in }
    }

    public func uncork() { puller.uncork() }
    public func cork() { puller.cork() }
    public func flush() { puller.flush() }
    public func takeBack(keeping lead: Duration) -> Int64 { puller.takeBack() }
    public func sourceRefilled() { puller.sourceRefilled() }
    public func drain() { puller.drain() }
    public var playedFrames: Int64 { puller.heardFrames }
    public var hasDevice: Bool { false }
    public var isPaced: Bool { puller.pace == .realTime }
    public func close() throws(AudioOutputError) { puller.close() }
}
