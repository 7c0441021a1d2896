// SPDX-License-Identifier: GPL-3.0-or-later
public import AudioEngine
public import Logging
public import Media
import Synchronization

/// Plays through a PulseAudio server: one mainloop for the player's whole life, and one connection and one stream for
/// as long as the server lives.
///
/// A corked sink pulls no frames, so that the player keeps its buffered frames. `events` is called with libpulse's
/// lock held: it must not wait for a lock that is held during calls of the sink.
///
/// `@unchecked Sendable`: every stored `var` is guarded by the mainloop's lock, which libpulse holds in its
/// callbacks.
public final class PulseSink: AudioSink, @unchecked Sendable {
    private let server: String?
    private let sinkName: String?
    private let applicationName: String
    private let mediaName: String
    private let previousSinkTimeout: Duration
    private let logger: Logger
    private let mainloop = PulseMainloop()
    /// Held while connecting, so that a second caller waits for the connection of the first.
    private let connecting = Mutex(())

    // Guarded by the mainloop's lock.
    private var context: PulseContext?
    private var source: RewindableSource?
    private var playback: PulsePlayback?
    /// The sink that the stream plays on, or was lost on, and the time of the loss.
    private var device: String?
    private var lostAt: Duration?
    private var eventHandler: ((AudioSinkEvent) -> Void)?
    private var isClosed = false
    /// The number of frames that were played when the stream was closed.
    private var finalFrames: Int64 = 0

    /// The timeout for connecting.
    private static let connectTimeout: Duration = .seconds(2)
    /// The timeout for the answer to a timing request; without one, the latest report is used.
    private static let timingTimeout: Duration = .milliseconds(50)
    private let buffer: Duration

    /// - Parameters:
    ///   - server: The server in libpulse's notation; `nil` for the user's own (`PULSE_SERVER` and so on).
    ///   - sinkName: `nil` for the server's default sink.
    ///   - mediaName: The name of the stream in a mixer.
    ///   - buffer: The duration of the audio sent ahead to the server, 10 ms to 2 s; it delays every change as much.
    ///   - loyalty: The time after a loss during which only the lost sink is acceptable: a server that starts finds its
    ///     sinks one after the other, and audio for headphones must not move to loudspeakers.
    public init(
        server: String? = nil, sinkName: String? = nil, applicationName: String = "Earshot",
        mediaName: String = "Podcast", buffer: Duration = .milliseconds(250), loyalty: Duration = .seconds(10),
        logger: Logger = Logger(label: "earshot.audio")
    ) {
        self.buffer = min(max(buffer, .milliseconds(10)), .seconds(2))
        self.server = server
        self.sinkName = sinkName
        self.applicationName = applicationName
        self.mediaName = mediaName
        self.previousSinkTimeout = loyalty
        self.logger = logger
    }

    deinit { shutDown() }

    /// Connects to the server unless connected. Waits at most 2 s.
    /// - Throws: `noServer`.
    public func prepare() throws(AudioOutputError) {
        try connecting.withLock { _ throws(AudioOutputError) in
            _ = try mainloop.locked { () throws(AudioOutputError) in try connected() }
        }
    }

    /// Connects to the device that would play, without playing. Waits at most some seconds.
    /// - Returns: The name of the device.
    public func probe() throws(AudioOutputError) -> String? {
        try connecting.withLock { _ throws(AudioOutputError) in
            try mainloop.locked { () throws(AudioOutputError) in
                try openStream(AudioFormat(sampleRate: 44_100, channels: 2), on: connected()).0.deviceName
            }
        }
    }

    public func open(
        _ format: AudioFormat, pulling source: any RenderSource,
        events: @escaping @Sendable (AudioSinkEvent) -> Void
    ) throws(AudioOutputError) {
        try connecting.withLock { _ throws(AudioOutputError) in
            try mainloop.locked { () throws(AudioOutputError) in
                guard playback?.isLost ?? true else {
                    throw .refused(operation: "open a stream", reason: "a stream is already open")
                }
                let source = self.source ?? RewindableSource(source, format: format)
                let context = try connected()
                let (stream, isElsewhere) = try openStream(format, on: context)
                self.source = source
                start(stream, on: context, pulling: source, events: events)
                if isElsewhere { events(.unplugged) }
            }
        }
    }

    public func acceptAnyDevice() { mainloop.locked { device = nil } }

    public func uncork() {
        mainloop.locked {
            updateTiming { $0.isFadedOut }
            playback?.uncork()
        }
    }

    public func cork() { mainloop.locked { playback?.cork() } }

    public func flush() { mainloop.locked { playback?.flush() } }

    public var longestFadeIn: Duration { SpliceFade.longest }

    public func discard(fadingIn time: Duration) -> Int64 {
        mainloop.locked {
            updateTiming { $0.plays }
            return playback?.discard(fadingIn: time) ?? finalFrames
        }
    }

    public func takeBack(keeping lead: Duration) -> Int64 {
        mainloop.locked {
            guard let playback, context != nil else { return playback?.playedFrames ?? 0 }
            playback.hold()
            updateTiming { _ in true }
            return playback.takeBack(keeping: lead)
        }
    }

    public func sourceRefilled() { mainloop.locked { playback?.sourceRefilled() } }

    public func drain() { mainloop.locked { playback?.drain() } }

    public var playedFrames: Int64 { mainloop.locked { playback?.playedFrames ?? finalFrames } }

    public var isSuspended: Bool { mainloop.locked { playback?.stream.isSuspended ?? false } }

    public func close() throws(AudioOutputError) {
        // Another thread may be waiting for a server that does not answer; this ends its wait.
        mainloop.locked {
            isClosed = true
            mainloop.cancelWaits()
        }
        connecting.withLock { _ in shutDown() }
    }
}

// All methods below require the mainloop's lock.
extension PulseSink {
    /// Waits for the latest timing if the playback needs it.
    private func updateTiming(if isNeeded: (PulsePlayback) -> Bool) {
        guard let playback, let context, isNeeded(playback) else { return }
        playback.stream.updateTiming(atMost: Self.timingTimeout, on: context)
    }

    /// Returns the present connection, or a new one.
    private func connected() throws(AudioOutputError) -> PulseContext {
        if let context, context.isReady { return context }
        guard !isClosed, mainloop.start() else {
            throw .noServer("the PulseAudio thread has ended or cannot be started")
        }
        self.context?.disconnect()
        let context = PulseContext(mainloop: mainloop, applicationName: applicationName) { [weak self] code in
            self?.handleLoss(code)
        }
        try context.connect(to: server, within: Self.connectTimeout)
        self.context = context
        return context
    }

    /// Opens a stream on the previous sink if that is available; otherwise on the sink that the server chooses, once
    /// it had time to find its sinks.
    private func openStream(
        _ format: AudioFormat, on context: PulseContext
    ) throws(AudioOutputError) -> (stream: PulseStream, isElsewhere: Bool) {
        guard let device else { return (try stream(format, on: context, to: sinkName), false) }
        var failure = AudioOutputError.refused(operation: "open a stream", reason: "there is no device \"\(device)\"")
        for name in [sinkName, device] {
            do throws(AudioOutputError) {
                let stream = try stream(format, on: context, to: name)
                if stream.deviceName == device { return (stream, false) }
                stream.disconnect()
            } catch {
                failure = error
            }
        }
        guard let lostAt, PulseMainloop.now - lostAt > previousSinkTimeout else { throw failure }
        return (try stream(format, on: context, to: sinkName), true)
    }

    private func stream(
        _ format: AudioFormat, on context: PulseContext, to sink: String?
    ) throws(AudioOutputError) -> PulseStream {
        let stream = try PulseStream(
            format, mediaName: mediaName, buffer: buffer, on: context, mainloop: mainloop
        ) {
            [weak self] stream, event in self?.handle(event, of: stream)
        }
        try stream.connect(to: sink, within: Self.connectTimeout)
        return stream
    }

    private func start(
        _ stream: PulseStream, on context: PulseContext, pulling source: RewindableSource,
        events: @escaping @Sendable (AudioSinkEvent) -> Void
    ) {
        let frame = playback?.playedFrames ?? 0
        playback = PulsePlayback(stream, pulling: source, from: frame, events: events) { [mainloop] delay, handler in
            PulseTimer(after: delay, on: context, mainloop: mainloop, handler: handler)
        }
        (eventHandler, lostAt, device) = (events, nil, stream.deviceName)
        logger.debug("sound output opened", metadata: ["pulse.sink": "\(device ?? "?")"])
    }

    private func handle(_ event: PulseStream.Event, of stream: PulseStream) {
        guard let playback, playback.stream === stream else { return }
        playback.handle(event)
        switch event {
        case .failed(let code): handleLoss(code)
        case .moved:
            device = stream.deviceName
            logger.debug("sound output moved", metadata: ["pulse.sink": "\(device ?? "?")"])
        case .unplugged:
            // Immediately, because the audio already plays on a device that the listener did not choose.
            playback.cork()
            eventHandler?(.unplugged)
        default: break
        }
    }

    private func handleLoss(_ code: PulseCode) {
        guard let eventHandler else { return }
        self.eventHandler = nil
        lostAt = PulseMainloop.now
        playback?.handleDeviceLoss()
        // If the connection still stands, the stream did not end because of the server.
        let isKilled = code == .killed && context?.isReady == true
        if isKilled { eventHandler(.unplugged) }
        let what = isKilled ? "the sound device disappeared" : "the connection to the sound server was lost"
        eventHandler(.lost(.noServer("\(what): \(code)")))
    }

    private func shutDown() {
        mainloop.locked {
            eventHandler = nil
            finalFrames = playback?.playedFrames ?? finalFrames
            playback?.close()
            playback = nil
            context?.disconnect()
            context = nil
        }
        mainloop.stop()
    }
}
