// SPDX-License-Identifier: GPL-3.0-or-later
import AudioEngine
public import AudioOutput
public import Logging
import Media
import Synchronization

/// Plays a list of items, one after the other without a gap, while their bytes still arrive.
///
/// All of playback happens on one thread of its own; every method here only leaves a message there and returns.
public final class Player: Sendable {
    /// How a player behaves; none of it changes while it lives.
    public struct Options: Sendable {
        /// Channels of the output; `nil`: as many as the first item has.
        public var outputChannels: Int?
        /// Which rate the output has.
        public var outputRate: OutputRate
        /// 0 ... 1.5; 1 leaves every sample as it is.
        public var volume: Double
        public var repeatMode: RepeatMode
        /// How often `status` is brought up to date while nothing else happens.
        public var statusInterval: Duration
        /// What may sound over what is played; `nil`: nothing.
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

    /// What happens, in the order in which it is heard. For one consumer; ends when the player has stopped.
    public let events: AsyncStream<PlayerEvent>
    private let mailbox: PlayerMailbox

    public init(
        sink: any AudioSink, sources: any SourceProvider, options: Options = Options(), logger: Logger
    ) {
        let (events, continuation) = AsyncStream.makeStream(of: PlayerEvent.self)
        self.events = events
        let mailbox = PlayerMailbox(status: PlayerStatus(volume: options.volume, repeatMode: options.repeatMode))
        self.mailbox = mailbox
        // The device is reached while the first bytes are: the two take about the same time.
        WorkerThread.start {
            do throws(AudioOutputError) {
                try sink.prepare()
            } catch {
                mailbox.post(.noOutput(error))
            }
        }?.detach()
        let thread = WorkerThread.start {
            let loop = PlaybackLoop(
                sink: sink, sources: sources, options: options, mailbox: mailbox, logger: logger,
                emit: { continuation.yield($0) })
            loop.run()
            continuation.finish()
        }
        thread?.detach()
        guard thread == nil else { return }
        continuation.yield(.outputLost(MediaFailure(.temporary, "the system has no thread left")))
        continuation.finish()
    }

    deinit { mailbox.post(.stop) }

    /// What a display needs to know, at most `statusInterval` old.
    public var status: PlayerStatus { mailbox.status }

    // MARK: The playlist

    /// Puts an item, whose `id` was never used before, at the end of the playlist.
    public func append(_ item: PlaybackItem) { mailbox.post(.edit(.append(item))) }
    /// Says that no further item will be appended: the end of the last one is the end.
    public func closePlaylist() { mailbox.post(.edit(.close)) }
    /// Takes an item off the playlist; from the one that is heard playback goes on to its successor.
    public func remove(_ id: PlaybackItem.ID) { mailbox.post(.edit(.remove(.id(id)))) }
    /// Takes off the item at `place`, counted from 0; nothing where there is none.
    public func removeItem(at place: Int) { mailbox.post(.edit(.remove(.place(place)))) }
    /// Puts an item at `place`, counted from 0 without it; beyond the last place is the last.
    public func move(_ id: PlaybackItem.ID, to place: Int) { mailbox.post(.edit(.move(.id(id), to: place))) }
    /// Puts the item at one place, counted from 0, at another; nothing where there is none.
    public func moveItem(at place: Int, to other: Int) { mailbox.post(.edit(.move(.place(place), to: other))) }
    /// Takes off everything behind the item that is heard.
    public func removeUpNext() { mailbox.post(.edit(.removeUpNext)) }
    public func setRepeat(_ mode: RepeatMode) { mailbox.post(.edit(.setRepeat(mode))) }
    /// Goes on to the next mode: off, one, all.
    public func cycleRepeat() { mailbox.post(.edit(.cycleRepeat)) }

    // MARK: Playing

    public func play() { mailbox.post(.play) }
    public func pause() { mailbox.post(.pause) }
    public func togglePause() { mailbox.post(.togglePause) }
    /// Accepted in every phase; of several, the last one wins.
    public func seek(to target: SeekTarget) { mailbox.post(.seek(target)) }
    /// Goes to the next item; nothing where there is none.
    public func next() { mailbox.post(.next) }
    /// Goes to the start of the item, or, within its first three seconds, to the item before.
    public func previous() { mailbox.post(.previous) }
    /// Asks anew for what is missing, where no further byte would have come.
    public func retry() { mailbox.post(.retry) }
    /// Ends a wait for bytes as soon as two seconds are in hand; a stall may follow.
    public func hurry() { mailbox.post(.hurry) }
    public func setVolume(_ volume: Double) { mailbox.post(.volume(volume)) }
    public func changeVolume(by step: Double) { mailbox.post(.volumeStep(step)) }
    /// Ends playback and closes the output and every source; `events` ends when that is done.
    public func stop() { mailbox.post(.stop) }
}
