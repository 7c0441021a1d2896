// SPDX-License-Identifier: GPL-3.0-or-later
public import AudioEngine
public import Logging
public import Media
import Synchronization

/// Plays through a PulseAudio server: one mainloop, one connection, one stream, for the player's whole life.
///
/// While corked it pulls nothing, so that what a player has buffered is still its own. `events` is called with
/// libpulse's lock held: it must not wait for a lock under which somebody calls the sink.
///
/// `@unchecked Sendable`: every stored `var` is guarded by the mainloop's lock, which libpulse holds in its callbacks.
public final class PulseSink: AudioSink, @unchecked Sendable {
    private let server: String?
    private let sinkName: String?
    private let applicationName: String
    private let mediaName: String
    private let logger: Logger
    private let mainloop = PulseMainloop()
    /// Held while a connection is made, so that a second caller waits for the first one's.
    private let connecting = Mutex(())

    // Guarded by the mainloop's lock.
    private var context: PulseContext?
    private var playback: PulsePlayback?
    /// Where to tell of the loss; `nil` when that is done, or nobody listens.
    private var tellLoss: ((AudioOutputError) -> Void)?

    /// A connection that takes longer counts as none.
    private static let patience: Duration = .seconds(2)

    /// - Parameters:
    ///   - server: in libpulse's notation; `nil` for the listener's own (`PULSE_SERVER` and so on).
    ///   - sinkName: `nil` for the server's default sink.
    ///   - mediaName: what a mixer shows for the stream.
    public init(
        server: String? = nil, sinkName: String? = nil, applicationName: String = "Earshot",
        mediaName: String = "Podcast", logger: Logger
    ) {
        self.server = server
        self.sinkName = sinkName
        self.applicationName = applicationName
        self.mediaName = mediaName
        self.logger = logger
    }

    deinit { shutDown() }

    /// Connects to the server, if that has not been done. Waits 2 s at most.
    /// - Throws: `noServer`.
    public func prepare() throws(AudioOutputError) {
        try connecting.withLock { _ throws(AudioOutputError) in try connect() }
    }

    private func connect() throws(AudioOutputError) {
        try mainloop.locked { () throws(AudioOutputError) in
            guard context == nil else { return }
            guard mainloop.start() else {
                throw AudioOutputError.noServer("the thread for PulseAudio cannot be started")
            }
            let context = PulseContext(mainloop: mainloop, applicationName: applicationName) { [weak self] code in
                self?.lose(code)
            }
            try context.connect(to: server, within: Self.patience)
            self.context = context
        }
    }

    public func open(
        _ format: AudioFormat, pulling source: any RenderSource,
        events: @escaping @Sendable (AudioSinkEvent) -> Void
    ) throws(AudioOutputError) {
        try prepare()
        try mainloop.locked { () throws(AudioOutputError) in
            guard let context, playback == nil else {
                throw .refused(operation: "open a stream", reason: "it is open already")
            }
            let stream = try PulseStream(format, mediaName: mediaName, on: context, mainloop: mainloop) {
                [weak self] event in self?.handle(event)
            }
            try stream.connect(to: sinkName, within: Self.patience)
            playback = PulsePlayback(stream, pulling: source, events: events) { [mainloop] delay, handler in
                PulseTimer(after: delay, on: context, mainloop: mainloop, handler: handler)
            }
            tellLoss = { events(.lost($0)) }
            logger.debug("sound output opened", metadata: ["pulse.sink": "\(stream.deviceName ?? "?")"])
        }
    }

    public func uncork() { mainloop.locked { playback?.uncork() } }

    public func cork() { mainloop.locked { playback?.cork() } }

    public func flush() { mainloop.locked { playback?.flush() } }

    public func sourceRefilled() { mainloop.locked { playback?.sourceRefilled() } }

    public func drain() { mainloop.locked { playback?.drain() } }

    public var heardFrames: Int64 { mainloop.locked { playback?.heardFrames ?? 0 } }

    public func close() throws(AudioOutputError) { connecting.withLock { _ in shutDown() } }
}

extension PulseSink {
    // With the mainloop's lock held.
    private func handle(_ event: PulseStream.Event) {
        playback?.handle(event)
        switch event {
        case .failed(let code): lose(code)
        case .moved: logger.debug("sound output moved to another sink")
        default: break
        }
    }

    private func lose(_ code: PulseCode) {
        let tell = tellLoss
        tellLoss = nil
        tell?(.noServer("the sound server has gone: \(code)"))
    }

    private func shutDown() {
        mainloop.locked {
            tellLoss = nil
            playback?.close()
            playback = nil
            context?.disconnect()
            context = nil
        }
        mainloop.stop()
    }
}
