// SPDX-License-Identifier: GPL-3.0-or-later
public import AudioEngine
public import Media

/// The device end of the graph. A sink pulls frames. It is opened once, and again after a loss, and lives as long as
/// the player.
///
/// Frames are counted on one timeline: every frame pulled since the sink was first opened, minus those discarded by
/// `flush`. Missing frames of the source are not replaced by silence: the timeline contains real frames only. Every
/// method may be called from any thread except the device's own, and returns within a bounded time.
public protocol AudioSink: AnyObject, Sendable {
    /// Prepares the device before a format is known, so that `open` takes less time; this call is optional.
    /// - Throws: An error if there is no device.
    func prepare() throws(AudioOutputError)

    /// Opens the device, corked.
    ///
    /// After `lost` it may be called again, with the same format and source: the timeline continues at the first
    /// frame that was not played, and the frames that the lost device had received beyond that come first. If that
    /// fails, it may be called again.
    /// - Parameters:
    ///   - format: The format of `source`, for the sink's whole life.
    ///   - events: Called from the sink's threads; must return immediately.
    /// - Throws: An error if there is no device or it rejects the format.
    func open(
        _ format: AudioFormat, pulling source: any RenderSource,
        events: @escaping @Sendable (AudioSinkEvent) -> Void
    ) throws(AudioOutputError)

    /// Accepts any device when the sink is opened again after a loss: the listener asks for sound now.
    func acceptAnyDevice()
    /// Starts or resumes the device.
    func uncork()
    /// Stops the device immediately; it keeps its frames.
    func cork()
    /// Discards the frames that were pulled but not played. When `flush` returns, the timeline is back at the first
    /// frame that was not played; the next pulled frame has that number.
    func flush()
    /// Discards the frames that were pulled but not played, and plays no more until `uncork`. A device that plays fades
    /// out first, within some milliseconds.
    /// - Parameter time: The time in which the next frames fade in, at most `longestFadeIn`.
    /// - Returns: The number of the next pulled frame.
    func discard(fadingIn time: Duration) -> Int64
    /// The longest time in which frames fade in after `discard`; zero if none do.
    var longestFadeIn: Duration { get }
    /// Takes back the frames that were pulled but not played, except those that play within `lead`, and pulls no
    /// frames until `sourceRefilled`. The next pulled frames replace them, and fade in over the old ones.
    /// - Returns: The number of the next pulled frame.
    func takeBack(keeping lead: Duration) -> Int64
    /// Announces that the source, which returned too few frames before, has frames again, or that frames replace those
    /// taken back.
    func sourceRefilled()
    /// Plays all pulled frames, however few, then reports `drained` once. It stops waiting if the device neither
    /// plays the remaining frames nor is suspended. `cork` and `flush` abandon it.
    func drain()
    /// The number of frames played so far: monotonic (non-decreasing), and never more than were pulled. It stays
    /// constant after a loss, and after `close`.
    var playedFrames: Int64 { get }
    /// True while the device is open, but another program or the sound server has suspended it: it keeps its frames and
    /// plays none.
    var isSuspended: Bool { get }
    /// True if a device needs time to start and to play its frames. Without a device, pulled frames count as played.
    var hasDevice: Bool { get }
    /// True if the sink takes frames at the pace of listening, false if it takes them as fast as they are ready.
    var isPaced: Bool { get }
    /// Closes the device and completes files. No event comes afterwards.
    /// - Throws: An error if the written data could not be completed (disk full).
    func close() throws(AudioOutputError)
}

extension AudioSink {
    public func prepare() throws(AudioOutputError) {}
    public func acceptAnyDevice() {}
    public var longestFadeIn: Duration { .zero }

    public func discard(fadingIn time: Duration) -> Int64 {
        cork()
        flush()
        return playedFrames
    }

    public var isSuspended: Bool { false }
    public var hasDevice: Bool { true }
    public var isPaced: Bool { true }
}

/// An event that a sink reports to its player.
public enum AudioSinkEvent: Sendable, Equatable {
    /// Frames were pulled, so the source has space again.
    case pulled
    /// The source returned too few frames, and all pulled frames were played or are about to be.
    case starved
    /// All pulled frames were played after a `drain`.
    case drained
    /// The device was removed, and the output moved to another one that the listener did not choose; the sink is
    /// corked.
    case unplugged
    /// The device was lost, or writing failed. No other event comes until the sink is opened again.
    case lost(AudioOutputError)
}

/// A failure of an output device, a sound server or an output file.
public enum AudioOutputError: Error, Sendable, Equatable {
    /// No sound server answers. The text describes the attempt.
    case noServer(String)
    /// The server rejected an operation, for this reason.
    case refused(operation: String, reason: String)
    /// The file at `path` could not be written, for this reason.
    case cannotWrite(path: String, reason: String)

    /// True if a later attempt may succeed without intervention.
    public var isTemporary: Bool {
        switch self {
        case .noServer, .refused: true
        case .cannotWrite: false
        }
    }
}
