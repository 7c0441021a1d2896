// SPDX-License-Identifier: GPL-3.0-or-later
import AudioOutput
import Media
import Synchronization

/// A message to the playback thread.
enum PlayerMessage: Sendable {
    case command(PlayerCommand)
    case sink(AudioSinkEvent)
    /// The output could not be reached when it was prepared.
    case noOutput(AudioOutputError)
    /// The result of an attempt, by its number, to open the output again.
    case outputAttempted(Int, AudioOutputError?)
}

/// The queue of messages to the playback thread, and the status that the thread publishes.
final class PlayerMailbox: Sendable {
    private struct Inbox {
        var messages: [PlayerMessage] = []
        /// True after a stop, after which nothing is executed.
        var isClosed = false
    }

    private let inbox = Mutex(Inbox())
    /// The number of commands whose effect the status does not show yet.
    private let unshown = Atomic<Int>(0)
    private let published: Mutex<PlayerStatus>
    private let heard = Mutex<[PlaybackItem.ID: HeardTime]>([:])
    private let queue = Mutex(PlaybackQueue())
    private let wakeSignal = WakeSignal()
    /// True if the playback thread waits for bytes. At full speed they arrive a hundred times as often as it needs
    /// them.
    private let wantsBytes = Atomic<Bool>(true)
    private let level = Atomic<Int>(.max)

    init(status: PlayerStatus) {
        published = Mutex(status)
    }

    var status: PlayerStatus {
        get { published.withLock { $0 } }
        set { published.withLock { $0 = newValue } }
    }

    var heardTimes: [PlaybackItem.ID: HeardTime] {
        get { heard.withLock { $0 } }
        set { heard.withLock { $0 = newValue } }
    }

    var playlist: PlaybackQueue {
        get { queue.withLock { $0 } }
        set { queue.withLock { $0 = newValue } }
    }

    /// True if status and playlist, read afterwards, show the effect of all commands so far.
    var isUpToDate: Bool { unshown.load(ordering: .sequentiallyConsistent) == 0 }

    /// True after a stop, after which nothing is executed.
    var isClosed: Bool { inbox.withLock { $0.isClosed } }

    /// Notes that status and playlist show the effect of so many more commands.
    func show(_ commands: Int) { unshown.wrappingSubtract(commands, ordering: .sequentiallyConsistent) }

    /// - Returns: false after a stop, after which nothing is executed.
    @discardableResult
    func post(_ message: PlayerMessage) -> Bool {
        let isAccepted = inbox.withLock { inbox in
            guard !inbox.isClosed else { return false }
            if case .command(let command) = message {
                unshown.wrappingAdd(1, ordering: .sequentiallyConsistent)
                inbox.isClosed = command == .stop
            }
            inbox.messages.append(message)
            return true
        }
        if isAccepted { wake() }
        return isAccepted
    }

    /// Wakes the playback thread, which finds the change itself. Neither locks nor allocates.
    func wake() { wakeSignal.signal() }

    /// Wakes the playback thread for new bytes if it waits for them.
    func wakeForBytes() {
        if wantsBytes.load(ordering: .sequentiallyConsistent) { wake() }
    }

    /// The number of frames in the ring at which the device wakes the playback thread.
    var refillLevel: Int {
        get { level.load(ordering: .relaxed) }
        set { level.store(newValue, ordering: .relaxed) }
    }

    func removeAll() -> [PlayerMessage] {
        inbox.withLock { inbox in
            defer { inbox.messages.removeAll() }
            return inbox.messages
        }
    }

    /// Sets whether `wakeForBytes` wakes the thread. After a change to true, the thread must check for bytes once more
    /// before it waits.
    /// - Returns: true if that is a change.
    func setWantsBytes(_ wants: Bool) -> Bool {
        wantsBytes.exchange(wants, ordering: .sequentiallyConsistent) != wants
    }

    func wait(atMost limit: Duration?) { wakeSignal.wait(atMost: limit) }
}
