// SPDX-License-Identifier: GPL-3.0-or-later
public import AudioEngine
public import Media

/// The device end of the graph. A sink pulls; it is opened once, and again where it was lost, and lives as long as the
/// player.
///
/// Frames are counted on one timeline: every frame pulled since it was first opened, less those thrown away by
/// `flush`. A source that comes back short is not filled up with silence: the timeline holds real frames only.
/// Every method may be called from any thread but the device's own, and returns within a bounded time.
public protocol AudioSink: AnyObject, Sendable {
    /// Does what can be done before a format is known, so that `open` takes less time; it may be left out.
    /// - Throws: when there is no device.
    func prepare() throws(AudioOutputError)

    /// Opens the device, corked.
    ///
    /// After `lost` it may be called again, with the same format and source: the timeline goes on at the first frame
    /// that was not heard, and what the lost device had been given beyond that comes first. Where that failed, it may
    /// be called once more.
    /// - Parameters:
    ///   - format: what `source` delivers, for the sink's whole life.
    ///   - events: called from the sink's threads; must return at once.
    /// - Throws: when there is no device or it refuses the format.
    func open(
        _ format: AudioFormat, pulling source: any RenderSource,
        events: @escaping @Sendable (AudioSinkEvent) -> Void
    ) throws(AudioOutputError)

    /// Lets the device run.
    func uncork()
    /// Stops the device at once, keeps what it holds.
    func cork()
    /// Throws away what was pulled and not yet heard. `flush` returns when the timeline has gone back to the first
    /// frame that was not heard; the next frame pulled has that number.
    func flush()
    /// The source, which came back short before, has frames again.
    func sourceRefilled()
    /// Plays all that was pulled, however little, then reports `drained`, once; gives up by itself where the device
    /// neither plays what is left nor is suspended. `cork` and `flush` abandon it.
    func drain()
    /// The number of frames heard so far: never more than were pulled, never going back but by nothing at all. Lost, it
    /// stands still.
    var heardFrames: Int64 { get }
    /// Whether a device takes time to start and to play what it was given. Without one what is pulled counts as heard.
    var hasDevice: Bool { get }
    /// Ends everything; files are completed. No event comes afterwards.
    /// - Throws: when what was written could not be completed (disk full).
    func close() throws(AudioOutputError)
}

extension AudioSink {
    public func prepare() throws(AudioOutputError) {}
    public var hasDevice: Bool { true }
}

public enum AudioSinkEvent: Sendable, Equatable {
    /// Frames were pulled: there is room in the source again.
    case pulled
    /// The source came back short and all that was pulled is (about to be) heard.
    case starved
    case drained
    /// What it played on is gone, and something else took its place, which the listener did not choose; it is corked.
    case unplugged
    /// The device is gone, or writing failed. Nothing else comes before it is opened again.
    case lost(AudioOutputError)
}

public enum AudioOutputError: Error, Sendable, Equatable {
    /// No sound server answers. The text says what was tried.
    case noServer(String)
    /// The server refused: the operation and its reason.
    case refused(operation: String, reason: String)
    /// A file could not be written: its name and the reason.
    case cannotWrite(path: String, reason: String)

    /// Whether it may go better another time by itself.
    public var mayPass: Bool {
        switch self {
        case .noServer, .refused: true
        case .cannotWrite: false
        }
    }
}
