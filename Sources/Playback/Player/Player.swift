// SPDX-License-Identifier: GPL-3.0-or-later
import AudioEngine
public import AudioOutput
public import Logging
import Media
import Synchronization

/// A player of a list of items without gaps, which plays while their bytes still arrive.
///
/// All work happens on a separate thread; every method here only posts a message to that thread and returns.
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

        public init(
            outputChannels: Int? = nil, outputRate: OutputRate = .firstItem, volume: Double = 1,
            repeatMode: RepeatMode = .off, statusInterval: Duration = .milliseconds(250), chimes: Chimes? = nil
        ) {
            self.chimes = chimes
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

    public init(sink: any AudioSink, options: Options = Options(), logger: Logger) {
        let (events, continuation) = AsyncStream.makeStream(of: PlayerEvent.self)
        self.events = events
        let mailbox = PlayerMailbox(status: PlayerStatus(volume: options.volume, repeatMode: options.repeatMode))
        self.mailbox = mailbox
        // The output is prepared while the first bytes arrive, because both take about the same time.
        WorkerThread.start {
            do throws(AudioOutputError) {
                try sink.prepare()
            } catch {
                mailbox.post(.noOutput(error))
            }
        }?.detach()
        let thread = WorkerThread.start {
            let loop = PlaybackLoop(
                sink: sink, options: options, mailbox: mailbox, logger: logger, emit: { continuation.yield($0) })
            loop.run()
            continuation.finish()
        }
        thread?.detach()
        guard thread == nil else { return }
        continuation.yield(.outputLost(MediaFailure(.temporary, "cannot create a thread")))
        continuation.finish()
    }

    deinit { mailbox.post(.stop) }

    /// The status for a display, at most `statusInterval` old.
    public var status: PlayerStatus { mailbox.status }

    // MARK: The playlist

    /// Appends an item, whose `id` must not have been used before, to the playlist.
    public func append(_ item: PlaybackItem) { mailbox.post(.edit(.append(item))) }
    /// Marks the playlist as complete: playback ends after the last item.
    public func closePlaylist() { mailbox.post(.edit(.close)) }
    /// Removes an item from the playlist. If it is the current one, playback continues with its successor.
    public func remove(_ id: PlaybackItem.ID) { mailbox.post(.edit(.remove(.id(id)))) }
    /// Removes the item at `place`, counted from 0; no effect if the position is out of range.
    public func removeItem(at place: Int) { mailbox.post(.edit(.remove(.position(place)))) }
    /// Moves an item to `place`, counted from 0 without it; any value beyond the last position means the last.
    public func move(_ id: PlaybackItem.ID, to place: Int) { mailbox.post(.edit(.move(.id(id), to: place))) }
    /// Moves the item at one position, counted from 0, to another; no effect if the position is out of range.
    public func moveItem(at place: Int, to other: Int) { mailbox.post(.edit(.move(.position(place), to: other))) }
    /// Removes all items after the current one.
    public func removeUpNext() { mailbox.post(.edit(.removeUpNext)) }
    public func setRepeat(_ mode: RepeatMode) { mailbox.post(.edit(.setRepeat(mode))) }
    /// Switches to the next mode: off, one, all.
    public func cycleRepeat() { mailbox.post(.edit(.cycleRepeat)) }

    // MARK: Playing

    public func play() { mailbox.post(.play) }
    public func pause() { mailbox.post(.pause) }
    public func togglePause() { mailbox.post(.togglePause) }
    /// Seeks in the current item. Accepted in every phase; of several seeks, the last one wins.
    public func seek(to target: SeekTarget) { mailbox.post(.seek(target)) }
    /// Plays the next item; no effect if the current one is the last.
    public func next() { mailbox.post(.next) }
    /// Seeks to the start of the item, or, within its first three seconds, plays the previous item.
    public func previous() { mailbox.post(.previous) }
    /// Requests the missing bytes again after the download has stopped.
    public func retry() { mailbox.post(.retry) }
    /// Ends a wait for bytes as soon as two seconds are buffered; a stall may follow.
    public func playNow() { mailbox.post(.playNow) }
    public func setVolume(_ volume: Double) { mailbox.post(.volume(volume)) }
    public func changeVolume(by step: Double) { mailbox.post(.volumeStep(step)) }
    /// Ends playback and closes the output and every source; `events` ends when that is done.
    public func stop() { mailbox.post(.stop) }
}
