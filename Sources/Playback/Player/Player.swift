// SPDX-License-Identifier: GPL-3.0-or-later
import AudioEngine
public import AudioOutput
public import Logging
public import Media
import Synchronization

/// A player of a list of items without gaps, which plays while their bytes still arrive.
///
/// All work happens on a separate thread, which executes the commands in order.
public final class Player: Sendable {
    /// The options of a player, which are fixed for its lifetime.
    public struct Options: Sendable {
        /// Channels of the output; `nil` for those of the first item.
        public var outputChannels: Int?
        /// The rule for the rate of the output.
        public var outputRate: OutputRate
        /// 0 ... 1.5; 1 leaves every sample unchanged.
        public var volume: Double
        public var repeatMode: RepeatMode
        /// The interval of updates of `status` while nothing else happens.
        public var statusInterval: Duration
        /// Sounds that may be mixed over playback; `nil` for none.
        public var chimes: Chimes?
        /// True to begin paused.
        public var isPaused: Bool

        public init(
            outputChannels: Int? = nil, outputRate: OutputRate = .firstItem, volume: Double = 1,
            repeatMode: RepeatMode = .off, statusInterval: Duration = .milliseconds(250), chimes: Chimes? = nil,
            isPaused: Bool = false
        ) {
            self.chimes = chimes
            self.isPaused = isPaused
            self.outputChannels = outputChannels
            self.outputRate = outputRate
            self.volume = volume
            self.repeatMode = repeatMode
            self.statusInterval = statusInterval
        }
    }

    /// The events, in the order in which they become audible. For one consumer; the stream ends when the player has
    /// stopped.
    public let events: AsyncStream<PlayerEvent>
    private let mailbox: PlayerMailbox
    private let chimes: Chimes?
    /// The reason why the output could not be prepared; ends when the preparation ends.
    private let preparation: AsyncStream<MediaFailure>

    /// - Parameter commandExecuted: called on the playback thread when `status` shows the effect of commands; it must
    ///   return quickly.
    public init(
        sink: any AudioSink, options: Options = Options(), logger: Logger,
        commandExecuted: @escaping @Sendable () -> Void = {}
    ) {
        let (events, continuation) = AsyncStream.makeStream(of: PlayerEvent.self)
        self.events = events
        chimes = options.chimes
        var status = PlayerStatus(volume: options.volume, repeatMode: options.repeatMode)
        status.isPaused = options.isPaused
        let mailbox = PlayerMailbox(status: status)
        self.mailbox = mailbox
        let (preparation, prepared) = AsyncStream.makeStream(of: MediaFailure.self)
        self.preparation = preparation
        // The output is prepared while the first bytes arrive, because both take about the same time.
        WorkerThread.start {
            do throws(AudioOutputError) {
                try sink.prepare()
            } catch {
                prepared.yield(error.mediaFailure(.cannotCreate))
                mailbox.post(.noOutput(error))
            }
            prepared.finish()
        }?.detach()
        let thread = WorkerThread.start {
            let loop = PlaybackLoop(
                sink: sink, options: options, mailbox: mailbox, logger: logger, emit: { continuation.yield($0) })
            loop.commandExecuted = commandExecuted
            loop.run()
            continuation.finish()
        }
        thread?.detach()
        guard thread == nil else { return }
        continuation.yield(.outputLost(MediaFailure(.temporary, "cannot create a thread")))
        continuation.finish()
    }

    deinit { send(.stop) }

    /// The status for a display, at most `statusInterval` old; the position is that of the present moment.
    public var status: PlayerStatus { mailbox.status.at(.now) }

    /// True if status and playlist, read afterwards, show the effect of all commands that were sent before.
    public var isUpToDate: Bool { mailbox.isUpToDate }

    /// True after a stop: the player executes no more commands.
    public var isStopping: Bool { mailbox.isClosed }

    /// Waits until the output is prepared, but not longer than a limit and not after a cancellation. For one caller.
    /// - Returns: the reason why the output cannot be opened; `nil` if none is known.
    public func outputFailure(within limit: Duration) async -> MediaFailure? {
        await withTaskGroup(of: MediaFailure?.self) { group in
            group.addTask { [preparation] in
                for await failure in preparation { return failure }
                return nil
            }
            group.addTask {
                try? await Task.sleep(for: limit)
                return nil
            }
            let first: MediaFailure? = await group.next() ?? nil
            group.cancelAll()
            return first
        }
    }

    /// How long each item was heard so far, at most `statusInterval` old.
    public var heardTimes: [PlaybackItem.ID: HeardTime] { mailbox.heardTimes }

    /// The playlist after the last executed command.
    public var playlist: PlaybackQueue { mailbox.playlist }

    /// Sends a command to the playback thread and returns immediately. A chime is started here, because its caller
    /// needs the result.
    /// - Returns: false for a chime if no output is open or too many chimes are playing, for a mark if nothing was
    ///   heard yet, and for any command but `stop` after a stop: nothing executes it.
    @discardableResult
    public func send(_ command: PlayerCommand) -> Bool {
        if command == .chime { return chimes?.ring() ?? false }
        if case .mark = command, mailbox.status.position == nil { return false }
        return mailbox.post(.command(command)) || command == .stop
    }
}
